// Decoupled sectored tags of the L1 data cache (DSC): up to k lines share a way, at different chunks. From
// docs/contracts/l1d-decoupled.md.
#pragma once
#include <utility>
#include <vector>

#include "golden/cache/tag_store.h"
#include "golden/ecc/protected_rows.h"
#include "golden/index/run_time_index.h"
#include "golden/tags/decoupled_set.h"
#include "golden/tags/protected_tags.h"

namespace golden {

class DecoupledTags final : public TagStore {
 public:
  explicit DecoupledTags(const hw::L1dParams& params);

  const DecoupledRules& rules() const { return rules_; }
  DecoupledRules::ConstSet set(unsigned number) const {
    return {&entries_[number * rules_.entries], rules_.entries};
  }

  // What the last edge's load did that fired; nothing if none did, or it was a hit.
  struct Deed {
    bool fetches = false;   // else nothing below counts
    bool replaces = false;  // it had no tag, and took this entry
    unsigned taken = 0;
    bool costs_nobody = false;
    unsigned lines = 0;  // that it displaced
    DecoupledCost cost = {};
  };
  const Deed& last_deed() const { return deed_; }
  // A line with a tag found positions of its own way taken.
  struct Refusal {
    bool another_way_free = false;                            // for a line without a tag
    std::vector<std::pair<unsigned, std::uint32_t>> by = {};  // MSHR entry, and its chunks
  };
  // What the plan said that the last cycle went by.
  const Refusal& last_refusal() const { return last_refusal_; }

  void reset() override;
  void lookup(const Held& request, Lookup& line) override;
  Reservation reserve(const Held& load, Decision& decision, std::uint64_t open) override;
  void plan(const Held* load, const Decision& decision) override;
  Lost load(const Held& load, const Decision& decision) override;
  bool invalidate(const Held& request, const Lookup& line) override;
  bool keeps_some(const Held& store, const Lookup& line) const override;
  void fill(unsigned entry, std::uint32_t chunks, bool installs) override;
  void answered(unsigned entry, std::uint32_t mask) override;
  void settle(unsigned entry, std::uint32_t pending) override;
  void dealloc(unsigned entry) override;
  void drop(unsigned set, Place e) override { this->set(set)[e].valid = 0; }
  void flush() override;
  void enter(unsigned set) override;
  std::uint64_t wrong_ways(unsigned set) const override;
  TagsSeen wrong_tags(const Held& request) const override;
  bool tags_wait(unsigned set) const override;
  bool tags_may_wait() const override { return selectors_.has_value(); }
  void empty(unsigned set, std::uint64_t entries) override;
  void flip_tag(const TagWord& at, const CodeWord& bits) override;
  bool is_clean_tag(const TagWord& at) const override;
  void meet_upsets(const hw::L1dParams& params, const hw::EccParams& as_with) override;
  bool would_meet(const TagWord& at, const CodeWord& bits) const override;
  void slots_of(const Held& request, const Lookup& line, std::uint32_t chunks, Slots& slots) const override;
  void slots_of_entry(unsigned entry, std::uint32_t chunks, Slots& slots) const override;
  Place place_of_entry(unsigned entry) const override { return owners_[entry].e; }
  std::vector<std::uint64_t> resident_blocks() const override;
  void publish(StateList& list, const MshrFile& mshrs) const override;
  unsigned most_lines_lost() const override { return rules_.tags; }
  unsigned most_chunks_lost() const override { return chunks_; }

 private:
  // The owner of the positions of an MSHR entry.
  struct Owner {
    unsigned set = 0, e = 0;
  };

  DecoupledRules::Set set(unsigned number) { return {&entries_[number * rules_.entries], rules_.entries}; }
  DecoupledEntry& entry_of(unsigned owner) { return set(owners_[owner].set)[owners_[owner].e]; }
  void refuse(DecoupledRules::ConstSet entries, unsigned e, std::uint32_t missed);
  Lost replace(const Held& load, unsigned e);
  void write_tag(const Held& load, unsigned e);
  void wait_for(const Held& load, const Decision& decision, unsigned e);
  std::uint32_t goes(const Held& store, const Lookup& line) const;
  // Entries of the set that were used since.
  unsigned age(unsigned set, unsigned e) const;
  // By way and then by tag, as they are shown.
  unsigned shown_at(unsigned number) const {
    return number % rules_.tags * rules_.ways + number / rules_.tags;
  }
  void slots_of_way(unsigned way, Slots& slots) const;
  void publish_entries(StateList& list, const MshrFile& mshrs) const;
  std::uint64_t tag(unsigned set_number, unsigned e) const { return index_.tag_of(set(set_number)[e].block); }
  bool has_tag(unsigned e, const Held& request) const;
  bool selectors_wrong() const;
  // A position that has another owner once its selector has flipped; or none, of no tag's number.
  struct Moved {
    unsigned from = no_entry, to = no_entry;
    std::uint32_t chunk = 0;
  };
  std::vector<Moved> moved_by(const TagWord& at, const CodeWord& bits) const;
  std::uint64_t selector_flips(unsigned set, unsigned place) const;

  const RunTimeIndex index_;  // for its tags
  const DecoupledRules rules_;
  const unsigned chunks_;
  const bool mask_scope_;
  std::vector<DecoupledEntry> entries_;  // by set
  std::vector<Owner> owners_;            // by MSHR entry
  std::vector<std::uint8_t> waits_;      // loads, by MSHR entry and chunk
  std::uint64_t now_ = 0;                // counts uses

  bool planned_ = false;
  std::optional<unsigned> plan_;
  bool plan_found_ = false;  // for the line's own tag
  Deed deed_;
  Refusal refusal_, last_refusal_;
  std::optional<ProtectedTags> protected_;
  std::optional<ProtectedRows> selectors_;  // a row a set; with several tags of a way
};

}  // namespace golden
