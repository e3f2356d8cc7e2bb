#include "golden/tags/decoupled_tags.h"

#include <algorithm>
#include <bit>

#include "golden/cache/chunk_count.h"
#include "golden/cache/mshr_file.h"

namespace golden {
namespace {

unsigned lowest(std::uint32_t bits) { return static_cast<unsigned>(std::countr_zero(bits)); }

}  // namespace

DecoupledTags::DecoupledTags(const hw::L1dParams& p)
    : index_(p.index),
      rules_(p),
      chunks_(static_cast<unsigned>(hw::chunks_of_line(p))),
      mask_scope_(p.store_scope == hw::StoreScope::mask),
      entries_(static_cast<std::size_t>(hw::sets_of(p)) * rules_.entries),
      owners_(static_cast<std::size_t>(p.mshr_entries)),
      waits_(owners_.size() * chunks_) {
  if (hw::protects_tags(p.ecc)) meet_upsets(p, p.ecc);
}

// As if they had been used from the last to the first, as they are shown.
void DecoupledTags::reset() {
  now_ = rules_.entries;
  for (unsigned s = 0; s < entries_.size() / rules_.entries; ++s)
    for (unsigned number = 0; number < rules_.entries; ++number)
      set(s)[shown_at(number)] = {.touched = now_ - number};
  std::ranges::fill(waits_, 0);
  planned_ = false;
  deed_ = {};
  refusal_ = last_refusal_ = {};
}

// The way is the number of the entry.
void DecoupledTags::lookup(const Held& request, Lookup& line) {
  const auto entries = set(request.set);
  for (unsigned e = 0; e < entries.size(); ++e)
    if (entries[e].is_live() && has_tag(e, request)) {
      line = {.found = true, .entry = entries[e].waits_in, .valid = entries[e].valid, .place = e};
      return;
    }
  line = {};
}

// Chosen in the cycle before. A line with a tag stays in its way, with any owners there.
void DecoupledTags::plan(const Held* load, const Decision& decision) {
  deed_ = {};
  last_refusal_ = std::exchange(refusal_, {});
  planned_ = load != nullptr;
  if (!load) return;
  const auto entries = set(load->set);
  plan_found_ = decision.line.found;
  if (!plan_found_) {
    plan_ = rules_.choose(entries, decision.missed);
    return;
  }
  plan_ = static_cast<unsigned>(decision.line.place);
  if (decision.missed & rules_.busy(entries, rules_.way_of(*plan_))) refuse(entries, *plan_, decision.missed);
}

void DecoupledTags::refuse(DecoupledRules::ConstSet entries, unsigned e, std::uint32_t missed) {
  plan_.reset();
  refusal_.another_way_free = rules_.choose(entries, missed).has_value();
  for (unsigned other = rules_.way_of(e); other < entries.size(); other += rules_.ways)
    if (const std::uint32_t taken = entries[other].busy & missed)
      refusal_.by.emplace_back(entries[other].waits_in, taken);
}

Reservation DecoupledTags::reserve(const Held&, Decision& decision, std::uint64_t) {
  if (!planned_) return Reservation::later;
  if (!plan_ || (plan_found_ && !decision.line.found)) return Reservation::none;
  decision.line.place = *plan_;
  return Reservation::some;
}

Lost DecoupledTags::load(const Held& load, const Decision& decision) {
  const auto e = static_cast<unsigned>(decision.line.place);
  DecoupledEntry& entry = set(load.set)[e];
  Lost lost;
  if (decision.missed) {
    deed_ = {.fetches = true, .replaces = !decision.line.found, .taken = e};
    deed_.costs_nobody = rules_.youngest_loser(set(load.set), e, decision.missed) == 0;
    if (!decision.line.found) lost = replace(load, e);
    write_tag(load, e);
    deed_.cost = rules_.overwrite(set(load.set), e, decision.missed);
    lost.lines += deed_.cost.lost.lines;
    lost.chunks += deed_.cost.lost.chunks;
    deed_.lines = lost.lines;
  }
  entry.touched = ++now_;
  if (decision.result != Result::hit) wait_for(load, decision, e);
  return lost;
}

// The line that the entry stood for goes, and its rank stays until the new one is used.
Lost DecoupledTags::replace(const Held& load, unsigned e) {
  DecoupledEntry& entry = set(load.set)[e];
  const Lost lost{.lines = entry.valid != 0, .chunks = chunk_count(entry.valid)};
  entry = {.block = load.block, .touched = entry.touched};
  return lost;
}

// With it the owner of each of the positions.
void DecoupledTags::write_tag(const Held& load, unsigned e) {
  set(load.set)[e].block = load.block;
  if (protected_) protected_->write(load.set, e);
  if (selectors_) selectors_->write(load.set);
}

// The chunks of the load stay where they are until it has read them.
void DecoupledTags::wait_for(const Held& load, const Decision& decision, unsigned e) {
  DecoupledEntry& entry = set(load.set)[e];
  entry.waits_in = decision.entry;
  owners_[decision.entry] = {.set = load.set, .e = e};
  entry.busy |= load.mask;
  for (std::uint32_t left = load.mask; left; left &= left - 1)
    ++waits_[decision.entry * chunks_ + lowest(left)];
}

std::uint32_t DecoupledTags::goes(const Held& store, const Lookup& line) const {
  const bool some = mask_scope_ && line.entry == no_entry;
  return line.valid & (some ? store.mask : ~0u);
}

bool DecoupledTags::invalidate(const Held& request, const Lookup& line) {
  DecoupledEntry& entry = set(request.set)[line.place];
  const std::uint32_t lost = goes(request, line);
  entry.valid = line.entry == no_entry ? entry.valid & ~lost : 0;  // with what a fill brings in this cycle
  return lost != 0;
}

bool DecoupledTags::keeps_some(const Held& store, const Lookup& line) const {
  return (line.valid & ~goes(store, line)) != 0;
}

void DecoupledTags::fill(unsigned entry, std::uint32_t chunks, bool installs) {
  if (installs) entry_of(entry).valid |= chunks;
}

void DecoupledTags::answered(unsigned entry, std::uint32_t mask) {
  for (; mask; mask &= mask - 1) --waits_[entry * chunks_ + lowest(mask)];
}

void DecoupledTags::settle(unsigned entry, std::uint32_t pending) {
  std::uint32_t& busy = entry_of(entry).busy;
  for (std::uint32_t left = busy & ~pending; left; left &= left - 1)
    if (!waits_[entry * chunks_ + lowest(left)]) busy &= ~(left & -left);
}

void DecoupledTags::dealloc(unsigned entry) {
  entry_of(entry).waits_in = no_entry;
  entry_of(entry).flushed = false;
}

void DecoupledTags::flush() {
  for (DecoupledEntry& entry : entries_) {
    entry.valid = 0;
    entry.flushed = entry.busy != 0;
  }
}

void DecoupledTags::slots_of_way(unsigned way, Slots& slots) const {
  for (unsigned c = 0; c < chunks_; ++c) slots[c] = static_cast<std::uint16_t>(way * chunks_ + c);
}

void DecoupledTags::slots_of(const Held&, const Lookup& line, std::uint32_t, Slots& slots) const {
  slots_of_way(rules_.way_of(static_cast<unsigned>(line.place)), slots);
}

void DecoupledTags::slots_of_entry(unsigned entry, std::uint32_t, Slots& slots) const {
  slots_of_way(rules_.way_of(owners_[entry].e), slots);
}

std::vector<std::uint64_t> DecoupledTags::resident_blocks() const {
  std::vector<std::uint64_t> blocks;
  for (const DecoupledEntry& entry : entries_)
    if (entry.valid) blocks.push_back(entry.block);
  return blocks;
}

unsigned DecoupledTags::age(unsigned set_number, unsigned e) const {
  const auto entries = set(set_number);
  return static_cast<unsigned>(std::ranges::count_if(
      entries, [&](const DecoupledEntry& other) { return other.touched > entries[e].touched; }));
}

// Positions are numbered by way and chunk; a tag counts while it stands for a line, a selector while its
// position has an owner.
void DecoupledTags::publish(StateList& list, const MshrFile& mshrs) const {
  const StatePlace places{"set", {{"way", rules_.ways}, {"chunk", chunks_}}};
  const auto owner_in = [this](unsigned s, unsigned place, auto of) {
    const auto all = set(s);
    for (unsigned e = place / chunks_; e < rules_.entries; e += rules_.ways)
      if (of(all[e]) >> (place % chunks_) & 1) return MayCount(e / rules_.ways);
    return MayCount();
  };
  const auto flag = [&](const char* name, std::uint32_t DecoupledEntry::*bits) {
    list.value(name, 1, places, [owner_in, bits](unsigned s, unsigned place) {
      const auto of = [bits](const DecoupledEntry& e) { return e.*bits; };
      return std::uint64_t{owner_in(s, place, of).has_value()};
    });
  };
  flag("tags.valid", &DecoupledEntry::valid);
  flag("tags.busy", &DecoupledEntry::busy);
  list.value("tags.selector", state_bits(rules_.tags), places, [this, owner_in](unsigned s, unsigned place) {
    MayCount owner = owner_in(s, place, [](const DecoupledEntry& e) { return e.chunks(); });
    if (owner) *owner ^= selector_flips(s, place);
    return owner;
  });
  publish_entries(list, mshrs);
}

void DecoupledTags::publish_entries(StateList& list, const MshrFile& mshrs) const {
  const StatePlace entries{"set", {{"entry", rules_.entries}}};
  list.value("tags.age", state_bits(rules_.entries), entries,
             [this](unsigned s, unsigned number) { return age(s, shown_at(number)); });
  const int bits = protected_ ? protected_->stored_bits() : index_.tag_bits();
  list.value("tags.tag", bits, entries, [this](unsigned s, unsigned number) {
    const unsigned e = shown_at(number);
    if (!set(s)[e].chunks()) return MayCount();
    return MayCount(protected_ ? protected_->row(s, e, tag(s, e)) : tag(s, e));
  });
  if (rules_.ways > 1)
    list.value("mshr.entries.way", 1, {"entry", {{"way", rules_.ways}}}, [this](unsigned e, unsigned way) {
      return std::uint64_t{rules_.way_of(owners_[e].e) == way};
    });
  if (rules_.tags > 1)
    list.value("mshr.entries.tag_there", 1, {"entry", {{"tag", rules_.tags}}},
               [this](unsigned e, unsigned tag) { return std::uint64_t{owners_[e].e / rules_.ways == tag}; });
  list.value("mshr.targets.waits", state_bits(mshrs.merges() + 1), {"entry", {{"chunk", chunks_}}},
             [this](unsigned e, unsigned c) { return waits_[e * chunks_ + c]; });
}

}  // namespace golden
