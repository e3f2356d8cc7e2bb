// Conventional and sectored tags of the L1 data cache: lines in ways, each with its tag.
#pragma once
#include <optional>

#include "golden/cache/tag_store.h"
#include "golden/index/run_time_index.h"
#include "golden/tags/protected_tags.h"
#include "golden/tags/way_lines.h"
#include "golden/tags/way_order.h"

namespace golden {

class WayTags final : public TagStore {
 public:
  explicit WayTags(const hw::L1dParams& params);

  void reset() override;
  void lookup(const Held& request, Lookup& line) override;
  void steer(const Controls& controls) override { shared_sets_ = controls["shared_sets"]; }
  void know_homes(std::function<bool(std::uint64_t)> foreign) override { foreign_ = std::move(foreign); }
  Reservation reserve(const Held& load, Decision& decision, std::uint64_t open) override;
  Lost load(const Held& load, const Decision& decision) override;
  bool invalidate(const Held& request, const Lookup& line) override;
  bool keeps_some(const Held& store, const Lookup& line) const override;
  void fill(unsigned entry, std::uint32_t chunks, bool installs) override;
  void dealloc(unsigned entry) override { lines_.dealloc(entry); }
  void enter(unsigned set) override {
    if (protected_) protected_->read(set);
  }
  std::uint64_t wrong_ways(unsigned set) const override;
  TagsSeen wrong_tags(const Held& request) const override;
  void empty(unsigned set, std::uint64_t ways) override;
  void flip_tag(const TagWord& at, const CodeWord& bits) override { protected_->flip(at.set, at.ram, bits); }
  bool is_clean_tag(const TagWord& at) const override { return protected_->is_clean(at.set, at.ram); }
  void meet_upsets(const hw::L1dParams& params, const hw::EccParams& as_with) override;
  bool would_meet(const TagWord& at, const CodeWord& bits) const override;
  void drop(unsigned set, Place way) override { lines_.valid(set, static_cast<unsigned>(way)) = 0; }
  void flush() override { lines_.flush(); }
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
  WayState way(unsigned set, unsigned w) const override;
  std::uint64_t stale_lines_taken() const override { return stale_lines_taken_; }

 private:
  std::uint32_t goes(const Held& store, const Lookup& line) const;
  Lost evict(unsigned set, unsigned way) const;
  unsigned victim(unsigned set, std::uint64_t open);
  std::uint64_t tag(unsigned set, unsigned w) const {
    return index_.tag_of(blocks_[set * lines_.ways() + w]);
  }
  bool has_tag(unsigned w, const Held& request) const;

  const RunTimeIndex index_;  // for its tags
  const bool sectored_;
  const bool mask_scope_;
  const unsigned chunks_;
  WayLines lines_;
  WayOrder order_;
  std::vector<std::uint64_t> blocks_;  // by set and way
  std::optional<ProtectedTags> protected_;
  std::function<bool(std::uint64_t)> foreign_;
  std::uint64_t shared_sets_ = 0;  // bit 0 even ones, bit 1 odd ones
  bool past_oldest_ = false;       // the victim chosen last is left over, and another one is older
  std::uint64_t stale_lines_taken_ = 0;
};

}  // namespace golden
