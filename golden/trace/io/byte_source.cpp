#include "golden/trace/io/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace golden {

namespace {

constexpr std::array<std::uint8_t, 6> magic{0xFD, '7', 'z', 'X', 'Z', 0x00};
// What others compress by, which would else be taken for the bytes of a trace.
struct Packing {
  std::string_view magic, name;
};
constexpr Packing others[] = {{"\x1f\x8b\x08", "gzip"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"BZh", "bzip2"}};
constexpr size_t input_bytes = 64 << 10;
// Enough for every preset of xz (-9 needs 65 MiB); a larger dictionary would make memory depend on the file.
constexpr std::uint64_t memory_limit = 128 << 20;

std::string reason(lzma_ret code, const lzma_stream& stream) {
  switch (code) {
    case LZMA_BUF_ERROR:
      return "truncated .xz stream: the file ends inside it";
    case LZMA_DATA_ERROR:
      return "corrupt .xz stream: damaged data";
    case LZMA_FORMAT_ERROR:
      return "corrupt .xz stream: damaged header";
    case LZMA_OPTIONS_ERROR:
      return "corrupt .xz stream, or one that this liblzma cannot decode";
    case LZMA_MEMLIMIT_ERROR:
      return fmt::format(
          "the .xz stream needs {} MiB to decode, at most {} are allowed; compress it with xz -9 or less",
          (lzma_memusage(&stream) >> 20) + 1, memory_limit >> 20);
    case LZMA_MEM_ERROR:
      return "no memory left to decode the .xz stream";
    default:
      return fmt::format("cannot decode the .xz stream (liblzma error {})", static_cast<int>(code));
  }
}

}  // namespace

struct ByteSource::Xz {
  lzma_stream stream = LZMA_STREAM_INIT;
  bool between = true;  // before, between or after streams: concatenated ones are legal

  ~Xz() { lzma_end(&stream); }
};

ByteSource::ByteSource(const std::string& path)
    : path_(path), name_(path == "-" ? "standard input" : path), input_(input_bytes) {
  fd_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) throw TraceError(fmt::format("{}: cannot open: {}", name_, std::strerror(errno)));
  struct stat status;
  if (::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode))
    size_ = static_cast<std::uint64_t>(status.st_size);
  detect_format();
}

ByteSource::ByteSource(std::string name, std::span<const std::uint8_t> content)
    : path_("-"), name_(std::move(name)), input_(content.begin(), content.end()) {
  end_ = true;
  size_ = stored_ = last_ = input_.size();
  detect_format();
}

void ByteSource::detect_format() {
  fill(magic.size());
  for (const Packing& other : others)
    if (std::string_view(reinterpret_cast<const char*>(input_.data()), last_).starts_with(other.magic))
      fault_ =
          fmt::format("the file is compressed by {0}; plain and .xz can be read: {0} -dc FILE | xz > FILE.xz",
                      other.name);
  if (last_ > 0 && at_magic()) xz_ = std::make_unique<Xz>();
}

ByteSource::~ByteSource() {
  if (fd_ >= 0) ::close(fd_);
}

double ByteSource::fraction() const {
  if (size_ == 0) return -1;
  return std::min(1.0, static_cast<double>(stored_ - (last_ - first_)) / static_cast<double>(size_));
}

std::span<const std::uint8_t> ByteSource::snoop(size_t size) {
  const size_t had = head_.size();
  if (had < size) {
    head_.resize(size);
    head_.resize(had + pull(std::span(head_).subspan(had)));
  }
  return std::span(head_).first(std::min(size, head_.size()));
}

size_t ByteSource::read(std::span<std::uint8_t> out) {
  const size_t snooped = std::min(out.size(), head_.size());
  std::copy_n(head_.begin(), snooped, out.begin());
  head_.erase(head_.begin(), head_.begin() + snooped);
  const size_t done = snooped + pull(out.subspan(snooped));
  if (done == 0 && !fault_.empty()) throw TraceError(fmt::format("{}: byte {}: {}", name_, offset_, fault_));
  offset_ += done;
  return done;
}

size_t ByteSource::pull(std::span<std::uint8_t> out) {
  size_t done = 0;
  while (done < out.size() && fault_.empty()) {
    const size_t got = xz_ ? read_xz(out.subspan(done)) : read_plain(out.subspan(done));
    if (got == 0) break;
    done += got;
  }
  return done;
}

size_t ByteSource::receive(std::span<std::uint8_t> out) {
  if (end_ || !fault_.empty()) return 0;
  ssize_t got;
  do got = ::read(fd_, out.data(), out.size());
  while (got < 0 && errno == EINTR);
  if (got < 0) fault_ = fmt::format("cannot read: {}", std::strerror(errno));
  end_ = got == 0;
  stored_ += got > 0 ? static_cast<std::uint64_t>(got) : 0;
  return got > 0 ? static_cast<size_t>(got) : 0;
}

// Makes at least `want` stored bytes wait, or all there are; returns how many wait.
size_t ByteSource::fill(size_t want) {
  if (last_ - first_ >= want) return last_ - first_;
  std::copy(input_.begin() + first_, input_.begin() + last_, input_.begin());
  last_ -= first_;
  first_ = 0;
  while (last_ < want) {
    const size_t got = receive(std::span(input_).subspan(last_));
    if (got == 0) break;
    last_ += got;
  }
  return last_;
}

// A file that ends inside the magic bytes counts too, so that it is reported as what it was meant to be.
bool ByteSource::at_magic() const {
  const size_t size = std::min(last_ - first_, magic.size());
  return std::equal(magic.begin(), magic.begin() + size, input_.begin() + first_);
}

size_t ByteSource::read_plain(std::span<std::uint8_t> out) {
  if (first_ == last_) return receive(out);
  const size_t size = std::min(out.size(), last_ - first_);
  std::copy_n(input_.begin() + first_, size, out.begin());
  first_ += size;
  return size;
}

// Passes the padding after a stream and starts the next one; false at the end of the file or at a fault.
bool ByteSource::next_stream() {
  size_t padding = 0;
  while (fill(1) > 0 && input_[first_] == 0) ++first_, ++padding;
  const bool more = fill(magic.size()) > 0;
  if (!fault_.empty()) return false;
  if (padding % 4 != 0 || (more && !at_magic())) fault_ = "trailing garbage after the .xz stream";
  if (!more || !fault_.empty()) return false;
  const lzma_ret code = lzma_stream_decoder(&xz_->stream, memory_limit, 0);
  if (code != LZMA_OK) fault_ = reason(code, xz_->stream);
  xz_->between = false;
  return fault_.empty();
}

size_t ByteSource::read_xz(std::span<std::uint8_t> out) {
  lzma_stream& stream = xz_->stream;
  size_t left = out.size();
  while (left == out.size() && fault_.empty()) {
    if (xz_->between && !next_stream()) break;
    stream.avail_in = fill(1);
    stream.next_in = input_.data() + first_;
    if (!fault_.empty()) break;
    stream.next_out = out.data();
    stream.avail_out = left;
    const lzma_ret code = lzma_code(&stream, LZMA_RUN);
    first_ = last_ - stream.avail_in;
    left = stream.avail_out;
    if (code == LZMA_STREAM_END)
      xz_->between = true;
    else if (code != LZMA_OK)
      fault_ = reason(code, stream);
  }
  return out.size() - left;
}

}  // namespace golden
