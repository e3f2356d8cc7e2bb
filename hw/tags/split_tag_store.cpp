#include "hw/tags/split_tag_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "hw/require.h"
#include "hw/tags/split_tag_changes.h"
#include "hw/tags/split_tag_parts.h"

namespace hw {

using rtl::Expr;

int shared_tag_bits(const TagParams& p, int tag_bits) { return tag_bits - p.split.private_tag_bits; }

void check_private_tag(const TagParams& p, int tag_bits) {
  require(p.split.private_tag_bits >= 0 && p.split.private_tag_bits <= tag_bits,
          "tags.split.private_tag_bits", p.split.private_tag_bits,
          fmt::format("must be from 0 to {}, the bits of a tag", tag_bits),
          fmt::format("use {}", std::clamp(8, 0, tag_bits)));
}

rtl::Module split_tag_store(const TagParams& p, int tag_bits, const std::string& name) {
  const int slots = slots_of(p), groups = p.split.groups;
  SplitFrame f(
      p, tag_bits,
      rtl::Module(name,
                  fmt::format("Split tags of {} sets of {} slots, in {} group{} of {}: each slot holds any "
                              "chunk of any line (TSC paper, section 3).",
                              p.sets, slots, groups, groups == 1 ? "" : "s", slots / groups)));
  const SplitPorts ports(f);
  const Expr &missed = ports.probe.missed, &allocate = ports.leave.allocate;
  const SplitState state = split_state(f, ports.enter, ports.probe.set, ports.drop.has_value());
  const SplitPlan plan = kept_plan(f, state, missed, ports.result.enough);
  const StoredTags stored = stored_tags(f, ports, plan);
  const Expr equal_at = compare_slots(f, ports, plan, stored);
  const Expr kept = find_slots(f, state, plan.places_q, missed, ports.result);
  const std::optional<Expr> start = plan_slots(f, state, plan, kept, missed);
  std::optional<Expr> lfsr_q;
  if (start) lfsr_q = random_start(f, *start, state.valid.row, plan.new_slots, allocate);

  register_compared(f, ports, state, plan, equal_at, stored);
  const std::optional<Expr> emptied = wrong_slots(f, ports, state);
  change_valid_slots(f, ports, state, plan.displaced, emptied);
  change_busy_slots(f, ports, state, plan.new_slots);
  change_used_slots(f, ports, state, kept, plan.new_slots);
  observe_slots(f, state, lfsr_q);
  return f.m;
}

}  // namespace hw
