// Decoupled sectored tags of the L1 data cache (DSC): up to k lines share a way, at different chunks. From
// docs/contracts/l1d-decoupled.md.
#pragma once
#include <utility>
#include <vector>

#include "golden/cache/tag_store.h"
#include "golden/index/run_time_index.h"
#include "golden/tags/decoupled_set.h"

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
  Lookup lookup(const Held& request) override;
  Reservation reserve(const Held& load, Decision& decision, std::uint64_t open) override;
  void plan(const Held* load, const Decision& decision) override;
  Lost load(const Held& load, const Decision& decision) override;
  bool invalidate(const Held& request, const Lookup& line) override;
  bool keeps_some(const Held& store, const Lookup& line) const override;
  void fill(unsigned entry, std::uint32_t chunks, bool installs) override;
  void answered(unsigned entry, std::uint32_t mask) override;
  void settle(unsigned entry, std::uint32_t pending) override;
  void dealloc(unsigned entry) override;
  void flush() override;
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
  Deed deed_;
  Refusal refusal_, last_refusal_;
};

}  // namespace golden
