// A file that gets its name when it is complete; compressed if its name ends in .xz.
#pragma once
#include <lzma.h>

#include <span>
#include <string>
#include <string_view>

#include "golden/trace/io/output_file.h"

namespace golden {

class ByteSink {
 public:
  explicit ByteSink(const std::string& path);
  ByteSink(const ByteSink&) = delete;
  ~ByteSink();  // without close(): nothing is left

  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text) {
    write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  }
  void close();

 private:
  void encode(std::span<const std::uint8_t> bytes, lzma_action action);

  OutputFile file_;
  bool compressed_ = false;
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace golden
