// Parameters of decoupled sectored tags, shared by the hardware and its reference model (Seznec, ISCA 1994;
// the DSC of the TSC paper).
#pragma once

namespace hw {

// The choice for a line without a tag: a way, by the cost of its positions for others, or a tag alone.
enum class DecoupledVictim { way, tag };

inline constexpr int most_decoupled_entries = 64;  // of a set

struct DecoupledParams {
  int tags_per_way = 2;  // k: lines that share a way; k * ways at most 64
  DecoupledVictim victim = DecoupledVictim::way;

  bool operator==(const DecoupledParams&) const = default;
};

}  // namespace hw
