#include "golden/trace/io/byte_sink.h"

#include <fmt/format.h>

#include <array>

namespace golden {

ByteSink::ByteSink(const std::string& path) : file_(path), compressed_(path.ends_with(".xz")) {
  if (compressed_ && lzma_easy_encoder(&stream_, 6, LZMA_CHECK_CRC64) != LZMA_OK)
    throw FileError(fmt::format("cannot write {}: no memory to compress it", path));
}

ByteSink::~ByteSink() { lzma_end(&stream_); }

void ByteSink::write(std::span<const std::uint8_t> bytes) {
  if (compressed_)
    encode(bytes, LZMA_RUN);
  else
    file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void ByteSink::close() {
  if (compressed_) encode({}, LZMA_FINISH);
  file_.commit();
}

void ByteSink::encode(std::span<const std::uint8_t> bytes, lzma_action action) {
  stream_.next_in = bytes.data();
  stream_.avail_in = bytes.size();
  std::array<std::uint8_t, 65536> block;
  lzma_ret result = LZMA_OK;
  do {
    stream_.next_out = block.data();
    stream_.avail_out = block.size();
    result = lzma_code(&stream_, action);
    if (result != LZMA_OK && result != LZMA_STREAM_END)
      throw FileError(fmt::format("cannot write {}: no memory to compress it", file_.path()));
    file_.write({reinterpret_cast<const char*>(block.data()), block.size() - stream_.avail_out});
  } while (stream_.avail_in > 0 || stream_.avail_out == 0 ||
           (action == LZMA_FINISH && result != LZMA_STREAM_END));
}

}  // namespace golden
