#include "hw/topology/shared.h"

#include <fmt/format.h>

#include "hw/require.h"
#include "hw/shared/dyneb.h"
#include "hw/shared/l1_arbiter.h"
#include "hw/shared/marks_params.h"
#include "hw/shared/route_select.h"
#include "hw/shared/shared_ranges.h"
#include "hw/shared/written_filter.h"
#include "hw/tags/tag_kinds.h"
#include "hw/topology/shared_fabrics.h"
#include "hw/topology/shared_node.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

constexpr int most_id_bits = 24;

RouteParams whole_route_of(const TopologyParams& p) {
  RouteParams route = route_of(p);
  route.sets = sets_of(p.l1d);
  return route;
}

HomeMap shared_homes(const TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}

TopologyPlan shared_plan(const TopologyParams& p) {
  const int node_bits = number_bits(nodes_of(p));
  TopologyPlan plan{.map = shared_homes(p.shape),
                    .cache = p.l1d,
                    .caches = "shared caches",
                    .chapter = 4,
                    .queued_messages = 6 * p.shared.queue_entries,
                    .hit_latency = 1,
                    .flushes_at_once = true};
  plan.cache.core_id_bits += 1 + node_bits + mark_bits(p.shared);
  plan.cache.counters = true;  // the arbiter observes failed requests, a controller more
  plan.cache.drops = has_drops(p.shared);
  plan.cache.check = {};  // the parts check what comes
  plan.cache.stale_lines = has_stale_lines(p.shared);
  const SharedFabrics made = shared_fabrics(p, memory_id_bits(plan.cache) + tally_bits(p.shared));
  plan.slice_id_bits = made.slice_id_bits;
  plan.fabrics = made.fabrics;

  PartGroup cores{
      .name = "core", .module = "core", .count = p.shape.cores, .build = [](const PartSite& site) {
        return shared_node(site, whole_route_of(site.params));
      }};
  cores.ends = made.core_ends;
  cores.waits = shared_node_waits();
  std::vector<int> numbers;
  for (int c = 0; c < p.shape.cores; ++c) numbers.push_back(c);
  cores.ties = {{"core", number_bits(p.shape.cores), numbers}, {"node", node_bits, core_nodes(route_of(p))}};
  PartGroup slices{.name = "slice", .module = "slice", .count = p.shape.slices, .build = slice_port};
  slices.ends = made.slice_ends;
  slices.waits = {{"from_cores", "requests"}, {"requests", "to_cores"}};
  plan.parts = {cores, slices};
  return plan;
}

void check_stale_lines(const TopologyParams& p) {
  if (!p.shared.prefer_leftover_victims) return;
  const char* const key = "dyneb.prefer_leftover_victims";
  require(traits_of(p.l1d.tags).keeps_way, key, "true",
          fmt::format("chooses among lines that have a way and an order of their own, which {} tags have not",
                      tag_organisation(p.l1d.tags).key),
          "use conventional or sectored tags, or leave it out");
  require(p.l1d.replacement == Replacement::lru, key, "true", "is a rule beside LRU alone",
          "use tags.replacement = \"lru\", or leave it out");
}

void check_controllers(const TopologyParams& p) {
  if (!has_controllers(p.shared)) return;
  require(p.l1d.index.kind != IndexKind::adi, "index.kind", "adi",
          "moves lines between even and odd sets, which a controller compares",
          "use another index, or shared.organisation = \"shared\"");
  check(p.shared.dyneb);
  check_stale_lines(p);
  if (has_drops(p.shared))
    check(WrittenFilterParams{.address_bits = p.l1d.address_bits,
                              .line_bytes = p.l1d.line_bytes,
                              .filter_bits = p.shared.filter_bits});
}

// A store passes the L1 of its core as a local invalidate enters it, maybe before an older load is checked.
void check_shared_caches(const TopologyParams& p) {
  const Protection data = p.l1d.ecc.data;
  require(data == Protection::none || !has_drops(p.shared), "ecc.data",
          data == Protection::parity ? "parity" : "secded",
          "fetches a load's line once more, behind younger stores that have passed the L1",
          "use shared.own_store_guard = false, or ecc.data = \"none\"");
}

void check_parts(const TopologyParams& p) {
  require_in(SharedRanges::queue_entries, "shared.queue_entries", p.shared.queue_entries, "use 4");
  check(L1ArbiterParams{.remote_wait_limit = p.shared.remote_wait_limit});
  check_fabrics(p);
  require_in({1, most_id_bits}, "core.id_bits", p.l1d.core_id_bits, "use 8, ids of 256 requests under way");
  require(!p.l1d.request_slice, "core.request_slice", true,
          "stands before a cache alone; here a request stands in a register while its route is found",
          "leave it out");
  check(whole_route_of(p));
  check_controllers(p);
}

}  // namespace

const KindRow shared{.kind = TopologyKind::shared,
                     .name = "shared",
                     .nodes = false,
                     .clusters = false,
                     .caches_in_nodes = false,
                     .meshed = true,
                     .shares = true,
                     .check = [](const TopologyShape&) {},
                     .check_caches = check_shared_caches,
                     .check_parts = check_parts,
                     .homes = shared_homes,
                     .plan = shared_plan};

}  // namespace hw
