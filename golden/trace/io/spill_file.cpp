#include "golden/trace/io/spill_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "golden/trace/io/byte_source.h"

namespace golden {

namespace {

std::string folder() {
  const char* const named = std::getenv("TMPDIR");
  return named && *named ? named : "/tmp";
}

[[noreturn]] void fail(const char* what) {
  throw TraceError(fmt::format("{}: cannot {} a temporary file: {}", folder(), what, std::strerror(errno)));
}

}  // namespace

SpillFile::~SpillFile() {
  if (fd_ >= 0) ::close(fd_);
}

void SpillFile::open() {
  std::string name = folder() + "/l1forge-spill-XXXXXX";
  fd_ = ::mkstemp(name.data());
  if (fd_ < 0) fail("create");
  ::unlink(name.c_str());  // it vanishes at any end of the process
}

SpillFile::Piece SpillFile::keep(const std::vector<std::uint8_t>& bytes) {
  Piece piece;
  piece.size = static_cast<std::uint32_t>(bytes.size());
  if (in_memory_ + bytes.size() <= memory_bytes_) {
    in_memory_ += bytes.size();
    piece.bytes = bytes;
    return piece;
  }
  if (fd_ < 0) open();
  if (free_slots_.empty()) free_slots_.push_back(slots_++);
  piece.slot = free_slots_.back();
  free_slots_.pop_back();
  ++spilled_;
  const auto start = static_cast<off_t>(piece.slot) * static_cast<off_t>(piece_bytes);
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t put =
        ::pwrite(fd_, bytes.data() + done, bytes.size() - done, start + static_cast<off_t>(done));
    if (put < 0 && errno != EINTR) fail("write");
    if (put > 0) done += static_cast<size_t>(put);
  }
  return piece;
}

void SpillFile::take(Piece& piece, std::vector<std::uint8_t>& bytes) {
  if (!piece.bytes.empty()) {
    in_memory_ -= piece.size;
    bytes = std::move(piece.bytes);
    return;
  }
  bytes.resize(piece.size);
  const auto start = static_cast<off_t>(piece.slot) * static_cast<off_t>(piece_bytes);
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t got =
        ::pread(fd_, bytes.data() + done, bytes.size() - done, start + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("read");
    done += static_cast<size_t>(got);
  }
  free_slots_.push_back(piece.slot);
}

}  // namespace golden
