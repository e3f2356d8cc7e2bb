// Parameters of split tags, shared by the hardware and its reference model (TSC paper, section 3).
#pragma once

namespace hw {

enum class SplitVictim { chunk, group };

// A set is groups * chunks_per_group slots, each for a chunk of any line.
struct SplitParams {
  int private_tag_bits = 8;  // low tag bits of each chunk; the others are shared by its group
  int groups = 4;            // of a set
  int chunks_per_group = 0;  // 0 = chunks of a line
  SplitVictim victim = SplitVictim::chunk;

  bool operator==(const SplitParams&) const = default;
};

constexpr int chunks_of_group(const SplitParams& p, int chunks_of_line) {
  return p.chunks_per_group ? p.chunks_per_group : chunks_of_line;
}

// Chunks that a set holds.
constexpr int slots_of(const SplitParams& p, int chunks_of_line) {
  return p.groups * chunks_of_group(p, chunks_of_line);
}

}  // namespace hw
