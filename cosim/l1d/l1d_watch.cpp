#include "cosim/l1d/l1d_watch.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cosim/l1d/l1d_memory.h"
#include "cosim/l1d/mechanism_traffic.h"
#include "cosim/l1d/srrip_watch.h"
#include "cosim/l1d/tag_traffic.h"
#include "golden/l1d/memory_ids.h"

namespace verif {

using golden::RequestKind;
using golden::Stall;

namespace {

// No load waits for a way.
bool protects(const hw::L1dParams& p) { return p.bypass.kind == hw::BypassKind::protection_distance; }

}  // namespace

L1dWatch::L1dWatch(const hw::L1dParams& p)
    : params_(p),
      id_bits_(static_cast<unsigned>(golden::memory_id_bits(p) - 1)),
      entry_bits_(static_cast<unsigned>(golden::bits_for(p.mshr_entries))),
      was_poisoned_(static_cast<std::size_t>(p.mshr_entries)),
      filling_(p),
      in_ways_(p.tags != hw::TagKind::split) {
  if (auto of_tags = tag_traffic(p.tags).watch(p)) axes_.push_back(std::move(of_tags));
  std::ranges::move(watches_of(p), std::back_inserter(axes_));
  if (p.replacement == hw::Replacement::srrip && p.ways > 1)
    axes_.push_back(std::make_unique<L1dSrripWatch>(p));
  if (golden::is_adaptive(p)) adaptive_.emplace(p);
}

void L1dWatch::reset() {
  ++seen_[resets];
  std::ranges::fill(was_poisoned_, 0);
  hits_in_a_row_ = 0;
  filling_.reset();
  for (const auto& axis : axes_) axis->reset();
}

void L1dWatch::before(const golden::L1dIn& in, const golden::L1dOut& out, const golden::CycleL1d& golden) {
  unsigned filled = ~0u;
  if (in.memory_response_valid) {
    if (in.memory_response_id >> id_bits_) {
      const bool stage_open = !out.core_response_valid || in.core_response_ready;
      seen_[direct_lost] += stage_open && !out.memory_response_ready;
    } else {
      filled = static_cast<unsigned>(in.memory_response_id & ((1u << entry_bits_) - 1));
      const auto entry = golden.entry(filled);
      seen_[fill_into_poisoned] += entry.poisoned;
      seen_[fill_into_flushed] += entry.flushed;
    }
  }
  filling_.before(in, out, golden, filled);
  if (adaptive_) adaptive_->before(in, out, golden, filled);
  for (const auto& axis : axes_) axis->before(in, golden, filled);
  if (in.flush_valid && out.flush_ready)
    for (unsigned e = 0; e < was_poisoned_.size(); ++e) {
      const auto entry = golden.entry(e);
      seen_[flush_with_pending] += entry.in_use && entry.pending;
    }
}

void L1dWatch::behind(const golden::CycleL1d& golden) {
  filling_.behind(golden);
  if (adaptive_) adaptive_->behind(golden);
  for (const auto& axis : axes_) axis->behind(golden);
  seen_[replay_lost] += golden.replay_lost();
  const auto& probe = golden.last_probe();
  if (!probe.occupied) {
    hits_in_a_row_ = 0;
    return;
  }
  const Stall cause = probe.fired ? probe.bypass_wanted : probe.stall;
  if (cause == Stall::line) {
    const bool is_load = probe.kind == RequestKind::load;
    ++seen_[!is_load ? store_held : probe.poisoned ? poisoned_refused : no_way_free];
  }
  ++(probe.fired ? bypass_wanted_ : stalls_)[static_cast<std::size_t>(cause)];
  if (!probe.fired) {
    seen_[hit_without_bank] += probe.kind == RequestKind::load && cause == Stall::bank;
    hits_in_a_row_ = 0;
    return;
  }
  if (probe.kind == RequestKind::drop) drop(golden);
  if (probe.kind == RequestKind::snoop) snoop(golden);
  const bool hit = probe.kind == RequestKind::load && probe.result == golden::Result::hit;
  hits_in_a_row_ = hit ? hits_in_a_row_ + 1 : 0;
  seen_[hits_back_to_back] += hits_in_a_row_ == 16;
  if (!in_ways_ || params_.replacement != hw::Replacement::nru || probe.kind != RequestKind::load) return;
  bool any = false;
  for (unsigned w = 0; w < static_cast<unsigned>(params_.ways); ++w)
    any |= golden.way(probe.set, w).order != 0;
  seen_[nru_wrap] += !any;
}

void L1dWatch::drop(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  const bool pending = probe.entry != golden::no_entry;
  ++seen_[pending ? drop_of_pending : probe.present ? drop_of_present : drop_of_nothing];
}

void L1dWatch::snoop(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  const bool found = probe.result == golden::Result::found, pending = probe.entry != golden::no_entry;
  ++seen_[found ? snoop_of_present : pending ? snoop_of_pending : snoop_of_nothing];
}

std::map<std::string, std::int64_t> L1dWatch::goals(const golden::CycleL1d& golden,
                                                    const L1dScoreboard& scoreboard) const {
  const golden::L1dCounters& c = golden.counters();
  const auto n = [](std::uint64_t count) { return static_cast<std::int64_t>(count); };
  // A load that would fail has waited, or bypassed instead.
  const auto fails = [&](std::uint64_t count, Stall s) {
    return n(count) + bypass_wanted_[static_cast<std::size_t>(s)];
  };
  const auto stall = [&](Stall s) { return stalls_[static_cast<std::size_t>(s)]; };
  const int ways = whole_lines_of_set(params_);
  const int lines = hw::sets_of(params_) * ways;
  const int ids = static_cast<int>(std::min(scoreboard.slots(), 256u));
  const bool sectored = hw::by_chunk(params_.tags);
  const bool many_chunks = hw::chunks_of_line(params_) > 1;
  std::map<std::string, std::int64_t> seen{
      {"hit", n(c.hits)},
      {"miss", n(c.misses)},
      {"store", n(c.stores)},
      {"atomic", n(c.atomics)},
      {"non-L1 request", n(c.non_l1)},
      {"store that invalidates", n(c.store_invalidations)},
      {"entry poisoned", n(c.doomed)},
      {"poisoned entry answered", seen_[poisoned_answered]},
      {"poisoned entry refuses a load", seen_[poisoned_refused]},
      {"fill into a poisoned entry", seen_[fill_into_poisoned]},
      {"fill into a flushed entry", seen_[fill_into_flushed]},
      {"flush with a pending entry", seen_[flush_with_pending]},
      {"victim chosen", n(in_ways_ ? c.evicted_lines : c.evicted_chunks)},
      {"hit waits for a bank", seen_[hit_without_bank]},
      {"hit loses the answer stage", stall(Stall::arbitration)},
      {"replay loses the answer stage", seen_[replay_lost]},
      {"direct answer loses the answer stage", seen_[direct_lost]},
      {"answers of memory out of order", seen_[out_of_order_answers]},
      {"reset under way", seen_[resets] - 1},
      {"reservation fail: line", fails(c.reservation_fail_line, Stall::line)}};
  for (int s = 0; s < 4; ++s) {
    const std::string name = L1dScoreboard::stream_names[static_cast<std::size_t>(s)];
    seen["back-pressure on " + name] = scoreboard.stalls(s);
  }
  if (params_.drops) {
    seen["drop of a line"] = seen_[drop_of_present];
    seen["drop of a line on its way"] = seen_[drop_of_pending];
    seen["drop of nothing"] = seen_[drop_of_nothing];
  }
  if (params_.snoops) {
    seen["snoop of a line"] = seen_[snoop_of_present];
    seen["snoop of a line on its way"] = seen_[snoop_of_pending];
    seen["snoop of nothing"] = seen_[snoop_of_nothing];
    seen["store waits for a search"] = seen_[store_held];
  }
  // Each takes an id for the cycles from its acceptance to its answer.
  if (ids >= 8 && !params_.index_blocking) seen["16 hits in 16 cycles"] = seen_[hits_back_to_back];
  if (sectored && many_chunks && params_.mode.kind != hw::ModeKind::coarse) {
    // Where a miss fetches all that is absent, only what invalidates some chunks leaves a line in part.
    const bool by_mask = params_.fetch == hw::FetchSize::mask;
    if (by_mask || params_.store_scope == hw::StoreScope::mask) seen["partial miss"] = n(c.partial_misses);
    // Of a load that waits in the entry beside the first.
    if (by_mask && params_.mshr_merges > 1) seen["second request of one entry"] = scoreboard.second_fetches();
  }
  if (in_ways_ && params_.replacement == hw::Replacement::nru)
    seen["NRU bits of a set all set"] = seen_[nru_wrap];
  if (hw::warp_bits_of(params_) && ids >= 8 && params_.mshr_merges > 1)
    seen["answer from before a store of another warp"] = scoreboard.older_answers();
  if (params_.mshr_merges > 1) seen["hit pending"] = n(c.hit_pending);
  // As many requests as ids are in flight at once; each fail needs one more than it counts.
  if (ids > params_.mshr_merges)
    seen["reservation fail: merge"] = fails(c.reservation_fail_merge, Stall::merge);
  if (ids > params_.mshr_entries && lines > params_.mshr_entries)
    seen["reservation fail: mshr"] = fails(c.reservation_fail_mshr, Stall::mshr);
  if (ids > params_.miss_queue) seen["reservation fail: queue"] = n(c.reservation_fail_queue);
  if (in_ways_ && ids > ways && params_.mshr_entries >= ways && !protects(params_))
    seen["reservation fail: line, no way free"] = seen_[no_way_free];
  if (params_.tags == hw::TagKind::reuse_filter && params_.reuse.threshold >= 2)
    seen["bypass"] = n(c.bypasses);
  filling_.goals(seen, golden, static_cast<unsigned>(ids));
  if (adaptive_) seen.merge(adaptive_->goals(golden));
  for (const auto& axis : axes_) axis->goals(seen, static_cast<unsigned>(ids));
  return seen;
}

}  // namespace verif
