// Tags of the L1 data cache with the reuse-count filter (Decoupled L1D paper, section 4), from
// docs/contracts/l1d-reuse-filter.md: data in ways, and tag entries that may have one of them or none.
#pragma once
#include <optional>

#include "golden/cache/tag_store.h"
#include "golden/index/run_time_index.h"
#include "golden/tags/protected_tags.h"
#include "golden/tags/way_lines.h"
#include "golden/tags/way_order.h"

namespace golden {

class ReuseTags final : public TagStore {
 public:
  explicit ReuseTags(const hw::L1dParams& params);

  struct TagState {
    bool valid;  // else nothing below counts
    std::uint64_t tag;
    unsigned rc;
    bool has_line, waits;
    unsigned position;  // counts with has_line
  };
  TagState tag_entry(unsigned set, unsigned t) const;

  // What the last request that was looked up found, and did if it was a load that fired.
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

  void reset() override;
  void steer(const Controls& controls) override { enabled_ = controls["filter_enable"] != 0; }
  void lookup(const Held& request, Lookup& line) override;
  Reservation reserve(const Held& load, Decision& decision, std::uint64_t open) override;
  Lost load(const Held& load, const Decision& decision) override;
  Lost filter(const Held& load, const Decision& decision) override;
  bool invalidate(const Held& request, const Lookup& line) override;
  void fill(unsigned entry, std::uint32_t chunks, bool installs) override;
  void dealloc(unsigned entry) override;
  void enter(unsigned set) override {
    if (protected_) protected_->read(set);
  }
  // Of tag entries, a bit each.
  std::uint64_t wrong_ways(unsigned set) const override;
  TagsSeen wrong_tags(const Held& request) const override;
  void empty(unsigned set, std::uint64_t entries) override;
  void flip_tag(const TagWord& at, const CodeWord& bits) override { protected_->flip(at.set, at.ram, bits); }
  bool is_clean_tag(const TagWord& at) const override { return protected_->is_clean(at.set, at.ram); }
  void meet_upsets(const hw::L1dParams& params, const hw::EccParams& as_with) override;
  bool would_meet(const TagWord& at, const CodeWord& bits) const override;
  void drop(unsigned set, Place way) override;
  void flush() override;
  void slots_of(const Held&, const Lookup& line, std::uint32_t, Slots& slots) const override {
    lines_.slots(static_cast<unsigned>(line.place), slots);
  }
  void slots_of_entry(unsigned entry, std::uint32_t, Slots& slots) const override {
    lines_.slots(lines_.way_of(entry), slots);
  }
  Place place_of_entry(unsigned entry) const override { return lines_.way_of(entry); }
  std::vector<std::uint64_t> resident_blocks() const override;
  void publish(StateList& list, const MshrFile& mshrs) const override;
  unsigned most_chunks_lost() const override { return chunks_; }
  WayState way(unsigned set, unsigned w) const override {
    return {.valid = lines_.valid(set, w), .busy = lines_.is_busy(set, w), .order = order_.state(set, w)};
  }

 private:
  struct TagEntry {
    std::uint64_t block = 0;
    bool valid = false;
    std::uint8_t rc = 0;
  };
  static constexpr std::uint8_t nobody_has = 0xff;
  static constexpr unsigned none = ~0u;

  TagEntry& tag_at(unsigned set, unsigned t) { return tags_[set * entries_of_set_ + t]; }
  const TagEntry& tag_at(unsigned set, unsigned t) const { return tags_[set * entries_of_set_ + t]; }
  std::uint8_t& holder(unsigned set, unsigned w) { return holder_[set * lines_.ways() + w]; }
  std::uint8_t holder(unsigned set, unsigned w) const { return holder_[set * lines_.ways() + w]; }
  unsigned way_of(unsigned set, unsigned t) const;
  std::uint64_t valid_entries(unsigned set) const;
  void publish_links(StateList& list, const StatePlace& entries) const;
  unsigned entry_to_take(unsigned set) const;
  unsigned oldest_way(unsigned set, std::uint64_t open) const;
  Lost record(const Held& load);
  Lost allocate(const Held& load, const Decision& decision);
  Lost lose_line(unsigned set, unsigned w);
  bool waits(unsigned set, unsigned t) const;
  bool has_tag(unsigned t, const Held& request) const;
  CodeWord found(unsigned set, unsigned t) const {
    return protected_->found(t, index_.tag_of(tag_at(set, t).block));
  }
  bool filters() const { return threshold_ >= 2 && (!follows_ || enabled_); }

  const RunTimeIndex index_;  // for its tags
  const unsigned entries_of_set_, chunks_, threshold_;
  const bool dataless_first_, follows_;
  const std::uint8_t most_;  // that a count holds
  bool enabled_ = false;     // what filter_enable shows
  WayLines lines_;
  WayOrder order_;
  std::vector<TagEntry> tags_;  // by set
  std::optional<ProtectedTags> protected_;
  std::vector<std::uint8_t> holder_;  // of a data way: the entry that has it
  // The request that was looked up last.
  unsigned tag_ = none;    // found, or to be taken
  unsigned freed_ = none;  // the data way that the entry to be taken leaves
  Deed deed_;
};

}  // namespace golden
