#include "golden/trace/io/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace golden {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  std::error_code code;
  const auto status = std::filesystem::status(path_, code);
  if (std::filesystem::is_directory(status)) fail(EISDIR);
  const bool device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  if (!device) draft_.emplace(path_);
  fd_ =
      ::open(device ? path_.c_str() : draft_->path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) fail(errno);
}

OutputFile::~OutputFile() { abandon(); }

void OutputFile::abandon() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  draft_.reset();
}

void OutputFile::fail(int error) {
  abandon();
  throw FileError(fmt::format("cannot write {}: {}", path_, std::strerror(error)));
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    bytes.remove_prefix(static_cast<size_t>(done));
  }
}

void OutputFile::commit() {
  const int fd = fd_;
  fd_ = -1;
  int error = ::close(fd) != 0 ? errno : 0;
  if (error == 0 && draft_ && std::rename(draft_->path().c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) fail(error);
  draft_.reset();
}

}  // namespace golden
