// The side file of a trace: kernel name, block shape, and which CTAs belong to which launch.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace golden {

// One launch of the kernel; its CTAs are numbered from cta_base on, x fastest.
struct Launch {
  std::uint32_t index = 0;                 // position among the program's launches of this kernel
  std::array<std::uint32_t, 3> grid = {};  // CTAs in x, y and z; all 0 when not stated
  std::uint32_t cta_base = 0;
  std::uint64_t records = 0;                       // records of this launch in the trace; 0 when not stated
  std::vector<std::uint64_t> params;               // kernel parameters, each as raw bits
  std::string kernel;                              // "" when the file's is meant
  std::array<std::uint32_t, 3> block = {};         // all 0 when the file's is meant
  std::uint64_t cta_end = std::uint64_t{1} << 32;  // one past the last CTA number

  bool operator==(const Launch&) const = default;
};

inline int warps_per_cta(const std::array<std::uint32_t, 3>& block) {
  return static_cast<int>((block[0] * block[1] * block[2] + 31) / 32);
}

// What was executed when the trace was taken, also what the trace has no record of.
struct ExecutedCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t accesses = 0;  // of global memory

  bool operator==(const ExecutedCounts&) const = default;
};

struct TraceSide {
  std::string kernel;                       // "" when not stated
  std::array<std::uint32_t, 3> block = {};  // threads of a CTA in x, y and z; all 0 when not stated
  std::vector<Launch> launches{Launch{}};   // ascending by cta_base, at least one, disjoint

  std::optional<ExecutedCounts> executed = {};
  int registers = 0;               // of a thread; 0 when not stated
  std::uint64_t shared_bytes = 0;  // of a CTA

  // 0 when the block is not stated.
  int warps_per_cta() const { return golden::warps_per_cta(block); }
  const std::string& kernel_of(const Launch& launch) const {
    return launch.kernel.empty() ? kernel : launch.kernel;
  }
  const std::array<std::uint32_t, 3>& block_of(const Launch& launch) const {
    return launch.block[0] ? launch.block : block;
  }
};

// "a/b.rec.xz" and "a/b.rec" have "a/b.json"; any other name gets ".json" appended.
std::string side_file_name(const std::string& trace);

// Reads the side file beside the trace; without one there is exactly one launch. Throws TraceError.
TraceSide read_side_file(const std::string& trace);

}  // namespace golden
