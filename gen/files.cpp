#include "gen/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace gen {

namespace fs = std::filesystem;

TempDir::TempDir(std::string_view purpose) {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) throw FileError(fmt::format("no folder for temporary files: {}; set TMPDIR", error.message()));
  std::string pattern = (base / fmt::format("l1forge-{}-XXXXXX", purpose)).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw FileError(fmt::format("cannot create {}: {}; set TMPDIR", pattern, std::strerror(errno)));
  }
  path_ = pattern;
}

TempDir::~TempDir() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path, ignored)) {
    throw FileError(fmt::format("cannot read {}: {}", path.string(), std::strerror(in ? EISDIR : errno)));
  }
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) throw FileError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return std::move(text).str();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  static std::atomic<unsigned> counter{0};
  const fs::path draft =
      path.parent_path() / fmt::format(".{}.{}-{}.tmp", path.filename().string(), ::getpid(), counter++);
  const auto give_up = [&](int error) {
    ::unlink(draft.c_str());
    throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
  };
  const int fd = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t done = ::write(fd, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      const int error = errno;
      ::close(fd);
      give_up(error);
    }
    rest.remove_prefix(static_cast<size_t>(done));
  }
  if (::close(fd) != 0) give_up(errno);
  if (::rename(draft.c_str(), path.c_str()) != 0) give_up(errno);
}

void check_writable(const fs::path& path) {
  if (path.empty()) return;
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    throw FileError(fmt::format("cannot write {}: not a regular file; - is standard output", path.string()));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!fs::is_directory(folder, error))
    throw FileError(fmt::format("cannot write {}: {} is not a folder", path.string(), folder.string()));
  if (::access(folder.c_str(), W_OK) != 0)
    throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute() && variable("HOME").is_absolute()) base = variable("HOME") / ".cache";
  if (!base.is_absolute()) return {};
  std::error_code error;
  const fs::path folder = base / "l1forge";
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK) == 0 ? folder : fs::path();
}

}  // namespace gen
