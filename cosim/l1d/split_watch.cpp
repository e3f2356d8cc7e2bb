#include "cosim/l1d/split_watch.h"

#include <bit>
#include <set>
#include <utility>

#include "golden/cache/access_mode.h"
#include "hw/l1d/l1d_params.h"

namespace verif {
namespace {

const golden::SplitTags& split_tags_of(const golden::CycleL1d& golden) {
  return static_cast<const golden::SplitTags&>(golden.tags());
}

}  // namespace

using golden::RequestKind, golden::Result, golden::Stall;

void L1dSplitWatch::before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) {
  if (filled != ~0u) seen_[filled_for_nobody] += golden.entry(filled).count == 0;
  if (params_.mode.follow) see_mode(in.controls["mode_coarse"]);
}

void L1dSplitWatch::see_mode(bool coarse) {
  seen_[mode_to_coarse] += coarse && !coarse_;
  seen_[mode_to_fine] += !coarse && coarse_;
  coarse_ = coarse;
}

// Before its slots are taken, their contents can still be seen.
void L1dSplitWatch::take_down(const golden::CycleL1d& golden, const golden::SplitPlaces& plan) {
  const unsigned set = golden.last_probe().set;
  const golden::SplitTags& tags = split_tags_of(golden);
  const golden::SplitRules& rules = tags.rules();
  const golden::SplitBits& bits = tags.plan_bits();
  plan_ = {};
  std::set<std::pair<std::uint64_t, std::uint64_t>> lines;
  for (std::uint64_t left = plan.lost; left; left &= left - 1) {
    const auto slot = tags.slot(set, static_cast<unsigned>(std::countr_zero(left)));
    lines.insert({slot.shared, slot.low});
  }
  plan_.several_lines = lines.size() > 1;
  const bool victims = plan.lost || plan.count < tags.plan_wanted();
  plan_.passed_held = victims && (bits.valid & bits.busy);
  for (unsigned g = 0; g < rules.groups; ++g)
    plan_.passed_busy_group |= victims && !(plan.alike >> g & 1) && (bits.busy & rules.group(g)) &&
                               (bits.valid & ~bits.busy & rules.group(g));
  for (std::uint64_t left = bits.busy & ~bits.valid; left; left &= left - 1) {
    const auto entry = golden.entry(tags.owner(set, static_cast<unsigned>(std::countr_zero(left))));
    plan_.dead |= entry.in_use && entry.flushed;
    plan_.poisoned |= entry.in_use && entry.poisoned && !entry.flushed;
  }
}

void L1dSplitWatch::behind(const golden::CycleL1d& golden) {
  const auto& probe = golden.last_probe();
  const golden::SplitTags& tags = split_tags_of(golden);
  if (const golden::SplitPlaces* places = tags.last_places()) {
    if (places->count <= 4) ++seen_[allocated_1 + places->count - 1];
    seen_[allocated_all] += static_cast<int>(places->count) == hw::chunks_of_line(params_);
    // Free slots in a group that holds something already.
    for (unsigned i = 0; i < places->count; ++i) {
      const unsigned s = places->slots[i], g = s / tags.rules().group_slots;
      if ((places->lost >> s & 1) || !(places->alike >> g & 1)) continue;
      ++seen_[group_shared];
      break;
    }
    seen_[retagged] += places->retagged != 0;
    seen_[several_lines_lost] += plan_.several_lines;
    seen_[busy_group_stays] += plan_.passed_busy_group;
    seen_[held_slot_stays] += plan_.passed_held;
    seen_[used_chunk_stays] += places->lost && probe.result == Result::partial_miss;
    seen_[dead_slot] += plan_.dead;
    seen_[poisoned_slot] += plan_.poisoned;
  }
  if (probe.fired && probe.kind == RequestKind::load) seen_[nru_wrapped] += !tags.bits(probe.set).nru;
  const Stall cause = probe.fired ? probe.bypass_wanted : probe.stall;
  seen_[no_places] += probe.occupied && cause == Stall::line && !probe.poisoned;
  if (const golden::SplitPlaces* plan = tags.plan()) take_down(golden, *plan);
  seen_[shifted] += golden.monitor<golden::AccessMode>()->selector().shifted();
  if (params_.mode.kind == hw::ModeKind::dueling && !params_.mode.follow)
    see_mode(golden.monitor<golden::AccessMode>()->selector().mode_coarse());
}

void L1dSplitWatch::goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const {
  const int chunks = hw::chunks_of_line(params_), slots = hw::slots_of(params_);
  const int group_slots = hw::chunks_of_group(params_);
  const auto& p = params_.split;
  const bool fine = params_.mode.kind != hw::ModeKind::coarse;
  const int block_bits = params_.address_bits - std::countr_zero(static_cast<unsigned>(params_.line_bytes));
  const int set_bits = std::countr_zero(static_cast<unsigned>(hw::sets_of(params_)));
  const int tag_bits = golden::is_adaptive(params_) ? block_bits : block_bits - set_bits;
  const bool retags = p.private_tag_bits < tag_bits;
  const bool at_once = ids > 3 && params_.mshr_entries > 2;
  const bool splits = chunks > 1 && fine;  // loads of a line differ in what they miss
  seen["NRU bits of a set all set"] = seen_[nru_wrapped];
  seen["allocation of all chunks of a line"] = seen_[allocated_all];
  for (int k = 1; splits && k <= std::min(chunks, 4); ++k)
    seen["allocation of " + std::to_string(k) + (k == 1 ? " chunk" : " chunks")] =
        seen_[static_cast<std::size_t>(allocated_1 + k - 1)];
  if (splits && group_slots > 1) seen["allocation in a group in use"] = seen_[group_shared];
  // A group of its own has slots for all chunks of a line.
  if (splits && (p.private_tag_bits > 0 || group_slots < chunks))
    seen["victim beside chunks that the load uses"] = seen_[used_chunk_stays];
  if (retags) seen["group retagged"] = seen_[retagged];
  if (retags && p.private_tag_bits > 0 && group_slots > 1)
    seen["several lines invalidated in one cycle"] = seen_[several_lines_lost];
  if (at_once) {
    seen["dead slot (flushed) passed over"] = seen_[dead_slot];
    seen["poisoned slot passed over"] = seen_[poisoned_slot];
    if (splits) seen["held slot passed over"] = seen_[held_slot_stays];
    if (retags && splits && p.groups > 1 && group_slots > 1)
      seen["busy group blocks a retag"] = seen_[busy_group_stays];
  }
  if (static_cast<int>(ids) > slots / chunks + 1 && params_.mshr_entries > slots / chunks + 1)
    seen["reservation fail: line, no places"] = seen_[no_places];
  if (params_.mode.kind == hw::ModeKind::coarse && chunks > 1 && at_once &&
      params_.store_scope == hw::StoreScope::mask)
    seen["fill that nobody waits for"] = seen_[filled_for_nobody];
  if (params_.mode.kind != hw::ModeKind::dueling) return;
  seen["mode becomes coarse"] = seen_[mode_to_coarse];
  seen["mode becomes fine"] = seen_[mode_to_fine];
  if (!params_.mode.follow) seen["mode counters shifted"] = seen_[shifted];
}

}  // namespace verif
