// What the L1 data cache publishes of its state beside that of its tags: MSHR file, monitor, events.
#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::publish(StateList& list) const {
  list.rows("set", static_cast<unsigned>(set_loads_.size()), [this]() -> std::optional<unsigned> {
    if (!last_probe_.occupied) return {};
    return last_probe_.set;
  });
  list.rows(
      "entry", mshrs_.entries(),
      [this]() -> std::optional<unsigned> {
        if (!last_probe_.occupied || last_probe_.entry == no_entry) return {};
        return last_probe_.entry;
      },
      [this](unsigned e) { return mshrs_.in_use().test(e); });
  publish_entries(list);
  if (snoops_) publish_aside(list);
  if (recovery_) publish_recovery(list);
  tags_->publish(list, mshrs_);
  for (const auto& monitor : monitors_) monitor->publish(list);
  if (policy_) policy_->publish(list);
  if (has_events_) publish_events(list);
}

void CycleL1d::publish_entries(StateList& list) const {
  const StatePlace all{.parts = {{"entry", mshrs_.entries()}}};
  list.bits("mshr.entries.in_use", all, [this](unsigned, unsigned n) {
    return StateWord{mshrs_.in_use().words()[n], ~std::uint64_t{0}};
  });
  list.bits("mshr.replay.wake", all, [this](unsigned, unsigned n) {
    return StateWord{mshrs_.wake().words()[n], mshrs_.in_use().words()[n]};
  });
  const auto of_entry = [&](const char* name, int width, auto of) {
    list.value(name, width, {.row = "entry"}, [this, of](unsigned e, unsigned) { return of(mshrs_[e]); });
  };
  using Entry = MshrFile::Entry;
  of_entry("mshr.lookup.set_number", index_.set_bits(), [](const Entry& e) { return e.set; });
  of_entry("mshr.lookup.tag", index_.tag_bits(), [this](const Entry& e) { return index_.tag_of(e.block); });
  // Of whole lines it follows from the loads that are answered, unless some join behind a store.
  const bool in_parts = by_chunk_ && (chunks_ > 1 || lines_share_);
  if (in_parts || warps_)
    of_entry("mshr.entries.pending", by_chunk_ ? static_cast<int>(chunks_) : 1,
             [](const Entry& e) { return e.pending; });
  of_entry("mshr.entries.poisoned", 1, [](const Entry& e) { return e.poisoned; });
  of_entry("mshr.entries.flushed", 1, [](const Entry& e) { return e.flushed; });
  const std::uint64_t warps = ~std::uint64_t{0} >> (64 - std::max(warps_, 1));
  if (warps_) of_entry("mshr.entries.stored", warps_, [warps](const Entry& e) { return e.stored & warps; });
  const bool in_order = !in_parts && !warps_ && mshrs_.merges() > 1 && mshrs_.entries() > 1;
  of_entry(in_order ? "mshr.targets.count" : "mshr.targets.loads.count", state_bits(mshrs_.merges() + 1),
           [](const Entry& e) { return e.count; });
}

// The request that a snoop passes.
void CycleL1d::publish_aside(StateList& list) const {
  list.value("aside", 1, {}, [this](unsigned, unsigned) { return std::uint64_t{path_.aside().valid}; });
  const auto while_aside = [&](const char* name, unsigned width, auto of) {
    list.value(name, static_cast<int>(width), {}, [this, of](unsigned, unsigned) -> MayCount {
      if (!path_.aside().valid) return {};
      return of(path_.aside());
    });
  };
  while_aside("aside_kind", 2, [](const Held& held) { return static_cast<unsigned>(held.kind); });
  while_aside("aside_mask", chunks_, [](const Held& held) { return held.mask; });
}

void CycleL1d::publish_events(StateList& list) const {
  for (const auto& [name, counter] : counter_names) {
    if (counter == &L1dCounters::store_updates && !stores_->updates()) continue;
    list.value("event_" + std::string(name), std::bit_width(most_in_a_cycle(counter)), {},
               [this, counter](unsigned, unsigned) { return events_.*counter; });
  }
}

// The greatest number that an event of this counter can show.
unsigned CycleL1d::most_in_a_cycle(std::uint64_t L1dCounters::*counter) const {
  if (counter == &L1dCounters::evicted_lines) return tags_->most_lines_lost();
  if (counter == &L1dCounters::evicted_chunks) return tags_->most_chunks_lost();
  return counter == &L1dCounters::chunks_requested ? chunks_ : 1;
}

}  // namespace golden
