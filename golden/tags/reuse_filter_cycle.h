// The L1 data cache with the reuse-count filter (Decoupled L1D paper, section 4), cycle by cycle, from
// docs/l1d-reuse-filter.md: data in ways, and tag entries that may have one of them or none.
#pragma once
#include "golden/tags/ways_cycle.h"

namespace golden {

class CycleReuse final : public CycleWays {
 public:
  CycleReuse(const hw::L1dParams& params, bool with_data);

  struct TagState {
    bool valid;  // else nothing below counts
    std::uint64_t tag;
    unsigned rc;
    bool has_line, waits;
    unsigned position;  // counts with has_line
  };
  TagState tag_entry(unsigned set, unsigned t) const;
  void publish(StateList& list) const override;

  // What the last request that was decided found, and did if it was a load that fired.
  struct Deed {
    bool tag_hit = false;
    bool promoted = false;         // it raised a count to the threshold, and so got a line
    bool took_free_way = false;    // of a MISS
    bool lost_by_tag = false;      // replaced an entry with a line
    bool evicted_of_zero = false;  // and that one had aged to 0
    bool aged_to_zero = false;     // brought the count of another entry with a line to 0
    bool saturated = false;        // left a count as it was
    bool all_wait = false;         // found no entry to take
  };
  const Deed& last_deed() const { return deed_; }

 private:
  struct TagEntry {
    std::uint64_t block = 0;
    bool valid = false;
    std::uint8_t rc = 0;
  };
  static constexpr std::uint8_t nobody_has = 0xff;

  void reset_tags() override;
  void match(const Held& request) override;
  void decide_load(const Held& request) override;
  Stall reserve(const Held& request) override;
  void take_store(const Held& request) override;
  void take_load(const Held& request) override;
  void free_entries() override;
  void drop_all() override;

  TagEntry& tag_at(unsigned set, unsigned t) { return tags_[set * entries_of_set_ + t]; }
  const TagEntry& tag_at(unsigned set, unsigned t) const { return tags_[set * entries_of_set_ + t]; }
  unsigned way_of(unsigned set, unsigned t) const;
  unsigned entry_to_take(unsigned set) const;
  unsigned oldest_way(unsigned set) const;
  void allocate_line(const Held& request);
  void raise(TagEntry& entry);
  void lose_line(unsigned set, unsigned w);
  bool filters() const {
    return params_.reuse.threshold >= 2 && (!params_.reuse.follow || controls_["filter_enable"]);
  }

  const unsigned entries_of_set_;
  const std::uint8_t most_;           // that a count holds
  std::vector<TagEntry> tags_;        // set by set
  std::vector<std::uint8_t> holder_;  // of a data way: the entry that has it
  // The request being decided.
  unsigned tag_ = none;    // found, or to be taken
  unsigned freed_ = none;  // the data way that the entry to be taken leaves
  Deed deed_;
};

}  // namespace golden
