// Split tags of the L1 data cache (TSC and TSC+, section 3 of the paper): chunks of any line in the slots of
// a set. From docs/contracts/l1d-split.md.
#pragma once
#include "golden/cache/tag_store.h"
#include "golden/ecc/protected_rows.h"
#include "golden/index/run_time_index.h"
#include "golden/tags/split_set.h"

namespace golden {

class SplitTags final : public TagStore {
 public:
  explicit SplitTags(const hw::L1dParams& params);

  struct SlotState {
    std::uint64_t shared, low;  // tag: of its group, and its own; count when valid or busy
    unsigned position;          // chunk; counts as the tag does
    bool valid, busy, nru;
  };
  SlotState slot(unsigned set, unsigned s) const;
  const SplitBits& bits(unsigned set) const { return bits_[set]; }
  const SplitRules& rules() const { return rules_; }
  // Of a chunk that is pending or waited for.
  unsigned slot_of(unsigned e, unsigned chunk) const { return slots_[e * chunks_ + chunk]; }
  unsigned waits(unsigned e, unsigned chunk) const { return waits_[e * chunks_ + chunk]; }
  // Of a busy slot.
  unsigned owner(unsigned set, unsigned s) const { return owner_[set * rules_.slots + s]; }
  // The slots of the last load that fired; null when it took none, or none fired.
  const SplitPlaces* last_places() const { return placed_ ? &plan_ : nullptr; }
  // The slots chosen in the cycle that the last edge ended, from which state, and how many were wanted;
  // null without a load that has to wait for them.
  const SplitPlaces* plan() const { return planned_ ? &plan_ : nullptr; }
  const SplitBits& plan_bits() const { return plan_bits_; }
  unsigned plan_wanted() const { return plan_wanted_; }

  void reset() override;
  void lookup(const Held& request, Lookup& line) override;
  Reservation reserve(const Held& load, Decision& decision, std::uint64_t open) override;
  void plan(const Held* load, const Decision& decision) override;
  Lost load(const Held& load, const Decision& decision) override;
  bool invalidate(const Held& request, const Lookup& line) override;
  void fill(unsigned entry, std::uint32_t chunks, bool installs) override;
  void answered(unsigned entry, std::uint32_t mask) override;
  void settle(unsigned entry, std::uint32_t pending) override;
  void drop(unsigned set, Place slots) override { bits_[set].valid &= ~slots; }
  void flush() override;
  void compare(unsigned set) override;
  void enter(unsigned set) override;
  std::uint64_t wrong_ways(unsigned set) const override;
  TagsSeen wrong_tags(const Held& request) const override;
  bool tags_wait(unsigned set) const override;
  bool tags_may_wait() const override { return true; }
  void empty(unsigned set, std::uint64_t slots) override { bits_[set].valid &= ~slots; }
  void flip_tag(const TagWord& at, const CodeWord& bits) override;
  bool is_clean_tag(const TagWord& at) const override;
  void meet_upsets(const hw::L1dParams& params, const hw::EccParams& as_with) override;
  bool would_meet(const TagWord& at, const CodeWord& bits) const override;
  void slots_of(const Held& request, const Lookup& line, std::uint32_t chunks, Slots& slots) const override;
  void slots_of_entry(unsigned entry, std::uint32_t chunks, Slots& slots) const override;
  std::vector<std::uint64_t> resident_blocks() const override;
  void publish(StateList& list, const MshrFile& mshrs) const override;
  unsigned most_chunks_lost() const override { return rules_.slots; }

 private:
  // An MSHR entry as far as it has slots.
  struct Owner {
    std::uint64_t block = 0;
    unsigned set = 0;
    std::uint32_t held = 0;  // chunks whose slots are busy
    bool dead = false;       // a flush came over it
  };

  // Rows that are wrong as they were read for a request, a bit each.
  struct WrongRows {
    unsigned set = 0;
    std::uint64_t slots = 0, groups = 0;
  };
  bool is_checked() const { return slot_rows_ && checked_; }
  std::uint64_t wrong_slots() const;
  void write_rows(unsigned set, std::uint64_t occupied);
  unsigned row_of(const TagWord& at) const;
  CodeWord flips_of(const std::optional<ProtectedRows>& rows, unsigned row) const;

  std::uint64_t shared_tag(std::uint64_t block) const;
  std::uint64_t private_tag(std::uint64_t block) const;
  // Those of the slots that have a tag of this line's, as it is stored.
  std::uint64_t tagged(unsigned set, std::uint64_t slots, std::uint64_t block) const;
  std::uint64_t slots_in(std::uint32_t set, std::uint64_t slots, std::uint32_t positions) const;
  std::uint64_t slots_of_owner(unsigned e, std::uint32_t chunks) const;
  Lost allocate(const Held& load, const Decision& decision);
  void publish_chunks(StateList& list, const MshrFile& mshrs) const;
  void wait_for(const Held& load, const Decision& decision);

  const RunTimeIndex index_;  // for its tags
  const SplitRules rules_;
  const unsigned chunks_;
  const int private_bits_;
  const bool mask_scope_;
  const bool widens_;                  // a load may fetch chunks that it does not ask for
  std::vector<SplitBits> bits_;        // by set
  std::vector<std::uint64_t> shared_;  // by set and group
  // By set and slot. Owner: the entry of a busy one.
  std::vector<std::uint64_t> blocks_, private_;
  std::vector<std::uint8_t> positions_;
  std::vector<std::uint16_t> owner_;
  std::vector<Owner> owners_;                // by entry
  std::vector<std::uint8_t> slots_, waits_;  // by entry and chunk

  bool planned_ = false, placed_ = false;
  SplitPlaces plan_;
  SplitBits plan_bits_;
  unsigned plan_wanted_ = 0;

  bool checked_ = false;                                  // else bits of tags flip, and nobody looks
  std::optional<ProtectedRows> slot_rows_, shared_rows_;  // by set and slot, by set and group
  WrongRows compared_, probed_;  // of the request in the compare stage, in the tag-lookup stage
};

}  // namespace golden
