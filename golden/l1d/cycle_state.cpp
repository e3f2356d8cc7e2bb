// What the L1 data cache publishes of its state beside that of its tags: MSHR file, monitor, events.
#include <algorithm>

#include "golden/l1d/cycle_l1d.h"

namespace golden {

void CycleL1d::publish(StateList& list) const {
  list.rows("set", static_cast<unsigned>(hw::sets_of(params_)), [this]() -> std::optional<unsigned> {
    if (!last_probe_.occupied) return {};
    return last_probe_.set;
  });
  list.rows("entry", static_cast<unsigned>(entries_.size()), [this]() -> std::optional<unsigned> {
    if (!last_probe_.occupied || last_probe_.entry == none) return {};
    return last_probe_.entry;
  });
  publish_entries(list);
  if (adaptive_) publish_adaptive(list);
  if (params_.counters) publish_events(list);
}

void CycleL1d::publish_entries(StateList& list) const {
  const StatePlace all{.part = {"entry", static_cast<unsigned>(entries_.size())}};
  list.bits("mshr.in_use", all, [this](unsigned, unsigned n) {
    return StateWord{in_use_.words[n], ~std::uint64_t{0}};
  });
  list.bits("mshr.wake", all, [this](unsigned, unsigned n) {
    return StateWord{wake_.words[n], in_use_.words[n]};
  });
  const auto of_entry = [&](const char* name, int width, auto of) {
    list.value(name, width, {.row = "entry"}, [this, of](unsigned e, unsigned) {
      return in_use_.test(e) ? MayCount(of(entries_[e])) : MayCount();
    });
  };
  of_entry("mshr.set_number", index_.set_bits(), [](const Entry& e) { return e.set; });
  of_entry("mshr.tag", index_.tag_bits(), [this](const Entry& e) { return index_.tag_of(e.block); });
  of_entry("mshr.pending", by_chunk_ ? static_cast<int>(chunks_) : 1,
           [](const Entry& e) { return e.pending; });
  of_entry("mshr.doomed", 1, [](const Entry& e) { return e.doomed; });
  of_entry("mshr.flushed", 1, [](const Entry& e) { return e.flushed; });
  of_entry("mshr.count", state_bits(params_.mshr_merges + 1), [](const Entry& e) { return e.count; });
}

void CycleL1d::publish_adaptive(StateList& list) const {
  const auto bits = static_cast<unsigned>(index_.set_bits());
  list.value("monitor.sel", state_bits(params_.address_bits), {.part = {"index bit", bits}},
             [this](unsigned, unsigned bit) { return static_cast<unsigned>(adaptive_->sel()[bit]); });
  list.value("monitor.phase", 3, {},
             [this](unsigned, unsigned) { return static_cast<unsigned>(adaptive_->step()); });
}

void CycleL1d::publish_events(StateList& list) const {
  for (const auto& [name, counter] : counter_names)
    list.value("event_" + std::string(name), std::bit_width(most_in_a_cycle(counter)), {},
               [this, counter](unsigned, unsigned) { return events_.*counter; });
}

unsigned CycleL1d::most_in_a_cycle(std::uint64_t L1dCounters::*counter) const {
  return counter == &L1dCounters::chunks_requested || counter == &L1dCounters::evicted_chunks ? chunks_ : 1;
}

}  // namespace golden
