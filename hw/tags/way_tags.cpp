#include "hw/tags/way_tags.h"

#include <fmt/format.h>

#include "hw/prim/one_hot.h"
#include "hw/tags/tag_kinds.h"
#include "hw/tags/way_tags_parts.h"

namespace hw {

bool needs_touch(const TagParams& p) { return p.ways > 1 && p.replacement != Replacement::random; }

int replacement_bits(const TagParams& p) {
  if (p.replacement == Replacement::random) {
    int bits = 16;
    for (int n = 2; n <= p.ways; ++n) bits += bits_to_number(n);
    return bits;
  }
  const int bits = p.replacement == Replacement::lru     ? bits_to_number(p.ways)
                   : p.replacement == Replacement::srrip ? 2
                                                         : 1;
  return p.ways == 1 ? 0 : p.sets * p.ways * bits;
}

rtl::Module way_tags(const TagParams& p, int tag_bits, const std::string& name) {
  const int sectors = valid_bits(p);
  WayFrame f(
      p, tag_bits,
      rtl::Module(
          name, fmt::format("Tags of {} sets of {} way{}, {}: the way of a line, and the choice of a way for "
                            "a new line (baseline of the TSC, ACI and Decoupled-L1D papers).",
                            p.sets, p.ways, p.ways == 1 ? "" : "s",
                            sectors > 1 ? fmt::format("{} sectors a line", sectors) : "conventional")));
  const WayPorts ports(f);
  const WayState state = way_state(f, ports.enter, ports.probe.set);
  const WayLookup lookup = compare_ways(f, state, ports);
  const rtl::Expr invalid = find_way(f, state, lookup.equal, ports);
  const WayChoice choice = choose_way_for_line(f, state, lookup.new_way, invalid, ports);
  change_way_state(f, state, lookup, choice, ports);
  observe_ways(f, state);
  return f.m;
}

}  // namespace hw
