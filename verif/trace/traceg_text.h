// Hand-built `.traceg` files for tests, and what a trace source says about a file.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "golden/trace/open/open_trace.h"
#include "golden/trace/trace_source.h"

namespace verif {

inline std::string traceg_header(const std::string& version = "5", const std::string& more = "") {
  return fmt::format(
      "-kernel name = _Z1kv\n-grid dim = (2,3,2)\n-block dim = (32,2,1)\n-shmem = 0\n"
      "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007e0000000000\n"
      "-accelsim tracer version = {}\n{}\n#traces format = anything\n\n",
      version, more);
}

inline std::string traceg_warp(int warp, const std::vector<std::string>& lines) {
  std::string out = fmt::format("warp = {}\ninsts = {}\n", warp, lines.size());
  for (const std::string& line : lines) out += line + "\n";
  return out + "\n";
}

inline std::string traceg_block(const std::string& place, const std::string& warps) {
  return fmt::format("#BEGIN_TB\n\nthread block = {}\n\n{}#END_TB\n\n", place, warps);
}

// One block of one warp.
inline std::string traceg(const std::vector<std::string>& lines, const std::string& version = "5",
                          const std::string& more = "") {
  return traceg_header(version, more) + traceg_block("0,0,0", traceg_warp(0, lines));
}

struct SourceContent {
  std::vector<golden::KernelInfo> kernels;
  std::vector<golden::Record> records;
  std::string error;
};

inline SourceContent read_source(const std::string& path) {
  SourceContent out;
  try {
    const auto source = golden::open_trace(path);
    for (golden::KernelInfo kernel; source->next_kernel(kernel);) {
      out.kernels.push_back(kernel);
      for (golden::Record record; source->next(record);) out.records.push_back(record);
    }
  } catch (const golden::TraceError& e) {
    out.error = e.what();
  }
  return out;
}

// "load 4 0000000d: 80 84 88", one a record.
inline std::vector<std::string> texts(const std::vector<golden::Record>& records) {
  static constexpr const char* kinds[] = {"load", "store", "atomic", "non_l1"};
  std::vector<std::string> out;
  for (const golden::Record& r : records) {
    std::string text = r.is_barrier() ? "barrier"
                                      : fmt::format("{} {} {:08x}:", kinds[static_cast<int>(r.kind)],
                                                    r.bytes_per_lane, r.mask);
    for (const std::uint64_t address : r.addresses()) text += fmt::format(" {:x}", address);
    out.push_back(text);
  }
  return out;
}

}  // namespace verif
