#include "hw/tags/reuse_filter.h"

#include <fmt/format.h>

#include "hw/monitors/dueling_ranges.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"
#include "hw/tags/reuse_filter_changes.h"
#include "hw/tags/reuse_filter_choice.h"
#include "hw/tags/reuse_filter_parts.h"
#include "hw/tags/tag_ranges.h"

namespace hw {

using rtl::Expr;

int reuse_row_bits(const TagParams& p) {
  return p.reuse.ways * (p.reuse.rc_bits + 1 + bits_to_number(p.ways));
}

void check_reuse_filter(const TagParams& p, int /*tag_bits*/) {
  const ReuseFilterParams& r = p.reuse;
  require_in(ReuseFilterRanges::ways, "tags.reuse_filter.ways", r.ways,
             "use 8, the tag entries of the paper");
  require(r.ways >= p.ways, "tags.reuse_filter.ways", r.ways,
          fmt::format("is less than the {} data ways of a set, and each line needs a tag", p.ways),
          fmt::format("use {} or more, or fewer geometry.ways", p.ways));
  require_in(ReuseFilterRanges::rc_bits, "tags.reuse_filter.rc_bits", r.rc_bits,
             "use 6, the reuse count of the paper");
  require(r.threshold >= 0 && r.threshold < 1 << r.rc_bits, "tags.reuse_filter.threshold", r.threshold,
          fmt::format("must be from 0 to {}, which {} bits can count", (1 << r.rc_bits) - 1, r.rc_bits),
          "use 2, the threshold of the paper, or more tags.reuse_filter.rc_bits");
  require(p.replacement == Replacement::lru, "tags.replacement", replacement_name(p.replacement),
          "is not what a reuse filter's data ways have: they are replaced by LRU",
          "use lru, or leave it out");
  require_in(FilterDuelingRanges::interval, "tags.reuse_filter.dueling_interval", r.dueling_interval,
             "use 500, the interval of the paper");
  require_in(FilterDuelingRanges::margin_percent, "tags.reuse_filter.dueling_margin_percent",
             r.dueling_margin_percent, "use 10, the margin of the paper");
}

rtl::Module reuse_filter(const TagParams& p, int tag_bits, const std::string& name) {
  ReuseFrame f(
      p, tag_bits,
      rtl::Module(name,
                  fmt::format("Tags of {} sets of {} entries for {} data way{}, with reuse counts of {} "
                              "bits: the entry and data way of a line, and the lines that get data "
                              "(Decoupled L1D paper, section 4).",
                              p.sets, p.reuse.ways, p.ways, p.ways == 1 ? "" : "s", p.reuse.rc_bits)));
  const ReusePorts ports(f);
  const ReuseState state = reuse_state(f, ports.enter, ports.probe.set);
  const ReuseTags tags = reuse_tags(f, state, ports.enter, ports.probe);
  const ReuseRow row = reuse_row(f, state, ports.enter, ports.probe.set, ports.leave.load);
  const DataLinks links(f, state, row);
  const rtl::Condition emptied = wrong_entries(f, state, links, tags, ports);
  const Expr line_way = find_data_way(f, state, links, tags, row.counts, ports.probe, ports.result);

  const ReplacementLogic oldest = choose_entry(f, state, links, tags, row.counts, ports);
  const auto [taken_way, touches] = choose_way(f, state, links, tags, line_way, oldest, ports);
  next_reuse(f, state, links, tags, row, ports.probe.entry_way, ports.leave.allocate);

  change_entries(f, state, tags, ports, touches, emptied);
  change_lines(f, state, tags, ports, links, line_way, taken_way, emptied);
  change_busy_ways(f, state, tags, ports);
  observe_reuse(f, state);
  return f.m;
}

}  // namespace hw
