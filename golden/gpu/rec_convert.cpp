#include "golden/gpu/rec_convert.h"

#include <fmt/format.h>
#include <lzma.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "golden/gpu/rec_trace.h"

namespace golden {
namespace fs = std::filesystem;
namespace {

// A file that gets its name when it is complete, compressed or not.
class RecordFile {
 public:
  explicit RecordFile(const std::string& path)
      : path_(path), draft_(fmt::format("{}.{}.tmp", path, ::getpid())), file_(draft_, std::ios::binary) {
    if (!file_) fail();
    compressed_ = path.ends_with(".xz");
    if (compressed_ && lzma_easy_encoder(&stream_, 6, LZMA_CHECK_CRC64) != LZMA_OK) fail();
  }
  ~RecordFile() {
    lzma_end(&stream_);
    std::error_code ignored;
    fs::remove(draft_, ignored);
  }
  RecordFile(const RecordFile&) = delete;

  void write(const std::vector<std::uint8_t>& bytes) {
    if (compressed_)
      encode(bytes, LZMA_RUN);
    else
      file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file_) fail();
  }

  void close() {
    if (compressed_) encode({}, LZMA_FINISH);
    file_.close();
    std::error_code error;
    if (file_) fs::rename(draft_, path_, error);
    if (!file_ || error) fail();
  }

 private:
  void encode(const std::vector<std::uint8_t>& bytes, lzma_action action) {
    stream_.next_in = bytes.data();
    stream_.avail_in = bytes.size();
    std::array<std::uint8_t, 65536> block;
    lzma_ret result = LZMA_OK;
    do {
      stream_.next_out = block.data();
      stream_.avail_out = block.size();
      result = lzma_code(&stream_, action);
      if (result != LZMA_OK && result != LZMA_STREAM_END) fail();
      file_.write(reinterpret_cast<const char*>(block.data()),
                  static_cast<std::streamsize>(block.size() - stream_.avail_out));
    } while (stream_.avail_in > 0 || stream_.avail_out == 0 ||
             (action == LZMA_FINISH && result != LZMA_STREAM_END));
  }
  [[noreturn]] void fail() const { throw TraceError(fmt::format("cannot write {}", path_)); }

  std::string path_, draft_;
  std::ofstream file_;
  bool compressed_ = false;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

template <class Value>
void put(std::vector<std::uint8_t>& bytes, Value value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

void convert(const std::string& from, const std::string& to) {
  RecTrace trace(from);
  RecordFile out(to);
  Record r;
  std::vector<std::uint8_t> bytes;
  while (trace.next(r)) {
    put(bytes, r.cta);
    put(bytes, r.warp);
    put(bytes, r.pc);
    put(bytes, static_cast<std::uint8_t>(r.kind));
    put(bytes, r.space);
    put(bytes, r.mask);
    put(bytes, r.bytes_per_lane);
    for (const std::uint64_t address : r.addresses()) put(bytes, static_cast<std::uint32_t>(address));
    if (bytes.size() < 65536) continue;
    out.write(bytes);
    bytes.clear();
  }
  out.write(bytes);
  out.close();
  std::error_code error;
  if (const fs::path side = side_file_name(from);
      from != "-" && side != side_file_name(to) && fs::exists(side, error)) {
    fs::copy_file(side, side_file_name(to), fs::copy_options::overwrite_existing, error);
    if (error) throw TraceError(fmt::format("{}: cannot copy the side file: {}", to, error.message()));
  }
}

}  // namespace golden
