// Parameters of the reuse-count filter, shared by the hardware and its reference model (Decoupled L1D paper,
// section 4).
#pragma once

namespace hw {

enum class TagVictim { lfu, dataless_lfu };

struct ReuseFilterParams {
  int ways = 8;       // tag entries a set, at least the data ways
  int threshold = 2;  // references before a line gets data; 0 or 1: no filter
  int rc_bits = 6;    // width of a reuse count
  TagVictim tag_victim = TagVictim::lfu;
  bool dueling = false;             // runs of several SMs: caches 0 and 1 duel
  int dueling_interval = 500;       // cycles
  int dueling_margin_percent = 10;  // points by which the filter may be worse
  bool follow = false;              // input `filter_enable`

  bool operator==(const ReuseFilterParams&) const = default;
};

}  // namespace hw
