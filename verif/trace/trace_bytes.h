// Hand-built traces for tests: records as bytes, .xz streams of them, and what a reader says.
#pragma once
#include <gtest/gtest.h>
#include <lzma.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "golden/trace/rec_trace.h"

namespace verif {

struct Fields {
  std::uint32_t cta = 0;
  std::uint16_t warp = 0;
  std::uint32_t pc = 0;
  std::uint8_t is_store = 0, space = 0;
  std::uint32_t mask = 0;
  std::uint8_t bytes_per_lane = 4;
  std::vector<std::uint32_t> addresses = {};
};

inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

inline std::string bytes(const Fields& f) {
  std::string out;
  put(out, f.cta, 4);
  put(out, f.warp, 2);
  put(out, f.pc, 4);
  put(out, f.is_store, 1);
  put(out, f.space, 1);
  put(out, f.mask, 4);
  put(out, f.bytes_per_lane, 1);
  for (const std::uint32_t address : f.addresses) put(out, address, 4);
  return out;
}

inline std::string xz(const std::string& plain, std::uint32_t preset = 0) {
  std::string out(lzma_stream_buffer_bound(plain.size()), '\0');
  size_t size = 0;
  const auto code = lzma_easy_buffer_encode(preset, LZMA_CHECK_CRC64, nullptr,
                                            reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size(),
                                            reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  if (code != LZMA_OK) throw std::runtime_error("cannot compress the test's bytes");
  out.resize(size);
  return out;
}

inline Fields load(std::uint32_t cta, std::uint16_t warp, std::vector<std::uint32_t> addresses) {
  const auto lanes = (std::uint64_t{1} << addresses.size()) - 1;
  return {
      .cta = cta, .warp = warp, .pc = 7, .mask = static_cast<std::uint32_t>(lanes), .addresses = addresses};
}

inline Fields barrier(std::uint32_t cta, std::uint16_t warp) {
  return {.cta = cta, .warp = warp, .pc = 9, .space = 255, .bytes_per_lane = 0};
}

inline std::vector<golden::Record> read_all(const std::string& path) {
  golden::RecTrace trace(path);
  std::vector<golden::Record> records;
  for (golden::Record record; trace.next(record);) records.push_back(record);
  return records;
}

// What reading the whole file complains about, after how many good records.
inline std::string complaint(const std::string& path, size_t good = 0) {
  size_t seen = 0;
  try {
    golden::RecTrace trace(path);
    for (golden::Record record; trace.next(record);) ++seen;
  } catch (const golden::TraceError& e) {
    EXPECT_EQ(seen, good);
    return e.what();
  }
  return "";
}

}  // namespace verif
