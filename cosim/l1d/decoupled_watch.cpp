#include "cosim/l1d/decoupled_watch.h"

#include <algorithm>

namespace verif {

using golden::DecoupledEntry, golden::Stall;

namespace {

const golden::DecoupledTags& decoupled_tags_of(const golden::CycleL1d& golden) {
  return static_cast<const golden::DecoupledTags&>(golden.tags());
}

}  // namespace

void L1dDecoupledWatch::before(const golden::L1dIn&, const golden::CycleL1d&, unsigned) {}

void L1dDecoupledWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  if (!probe.occupied) return;
  see_set(golden, probe.set);
  const Stall cause = probe.fired ? probe.bypass_wanted : probe.stall;
  if (cause == Stall::line && !probe.poisoned) see_fail(golden);
  const auto& deed = decoupled_tags_of(golden).last_deed();
  if (!deed.fetches) return;
  seen_[deed.replaces ? new_overwrites : found_overwrites] += deed.cost.overwrites;
  seen_[last_chunk_lost] += deed.cost.takes_last;
  seen_[several_lines_lost] += deed.lines > 1;
  seen_[lost_while_waiting] += deed.cost.from_waiting;
  if (!deed.replaces) return;
  seen_[costs_nobody] += deed.costs_nobody;
  ++chosen_[decoupled_tags_of(golden).rules().way_of(deed.taken)];
}

// Lines of a way side by side.
void L1dDecoupledWatch::see_set(const golden::CycleL1d& golden, unsigned set) {
  const golden::DecoupledRules& rules = decoupled_tags_of(golden).rules();
  const auto entries = decoupled_tags_of(golden).set(set);
  for (unsigned way = 0; way < rules.ways; ++way) {
    unsigned lines = 0;
    bool live = false, poisoned = false, flushed = false;
    for (unsigned e = way; e < rules.entries; e += rules.ways) {
      const DecoupledEntry& entry = entries[e];
      if (!entry.chunks()) continue;
      ++lines;
      const bool poisons = entry.waits_in != golden::no_entry && golden.entry(entry.waits_in).poisoned;
      flushed |= entry.flushed;
      poisoned |= poisons && !entry.flushed;
      live |= !poisons && !entry.flushed;
    }
    seen_[way_shared] += lines == rules.tags;
    seen_[poisoned_beside_live] += poisoned && live;
    seen_[flushed_beside_live] += flushed && live;
  }
}

// A line with a tag finds a position of its own way taken, while a new line would find one elsewhere.
void L1dDecoupledWatch::see_fail(const golden::CycleL1d& golden) {
  const auto& refusal = decoupled_tags_of(golden).last_refusal();
  if (!refusal.another_way_free) return;
  for (const auto& [entry, chunks] : refusal.by) {
    const auto state = golden.entry(entry);
    if (state.flushed)
      ++seen_[failed_by_flushed];
    else
      ++seen_[chunks & state.pending ? failed_by_pending : failed_by_held];
  }
}

void L1dDecoupledWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  const bool shares = params_.decoupled.tags_per_way > 1 && hw::chunks_of_line(params_) > 1;
  const bool several = params_.ways > 1;
  const bool at_once = ids > 3 && params_.mshr_entries > 2;
  for (std::size_t way = 0; way < chosen_.size(); ++way)
    seen["new line in way " + std::to_string(way)] = chosen_[way];
  seen["new line that costs nobody"] = seen_[costs_nobody];
  if (!shares) return;
  if (params_.decoupled.tags_per_way <= hw::chunks_of_line(params_))
    seen["all tags of a way in use"] = seen_[way_shared];
  seen["line overwrites another's chunk"] = seen_[found_overwrites];
  seen["new line overwrites another's chunk"] = seen_[new_overwrites];
  seen["line loses its last chunk"] = seen_[last_chunk_lost];
  seen["several lines lost at once"] = seen_[several_lines_lost];
  if (!at_once) return;
  seen["valid chunk lost by a line with an MSHR entry"] = seen_[lost_while_waiting];
  seen["poisoned beside a live line"] = seen_[poisoned_beside_live];
  seen["reserved and poisoned beside a live line"] = seen_[flushed_beside_live];
  if (!several) return;
  seen["reservation fail: pending, space in another way"] = seen_[failed_by_pending];
  seen["reservation fail: held, space in another way"] = seen_[failed_by_held];
  seen["reservation fail: reserved and poisoned, space in another way"] = seen_[failed_by_flushed];
}

}  // namespace verif
