#include "hw/topology/remote.h"

#include <fmt/format.h>

#include "hw/remote/core_selector.h"
#include "hw/remote/probe_table.h"
#include "hw/remote/remote_ranges.h"
#include "hw/remote/sharing_predictor.h"
#include "hw/require.h"
#include "hw/shared/route_select.h"
#include "hw/tags/tag_kinds.h"
#include "hw/topology/networks.h"
#include "hw/topology/remote_core.h"
#include "hw/topology/shared_fabrics.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

constexpr int lines_beside_replies = 3;  // what waits to be sent, and the queue of replies
constexpr int most_core_id_bits =
    22;  // with two bits more what a group has beside the number of one of 128 cores

HomeMap remote_homes(const TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}

TopologyPlan remote_plan(const TopologyParams& p) {
  enum : int { requests, replies };
  const int node_bits = number_bits(nodes_of(p)), id_bits = travelling_id_bits(p);
  TopologyPlan plan{.map = remote_homes(p.shape),
                    .cache = searched_cache(remote_node_params(p)),
                    .caches = "caches that other cores search",
                    .chapter = 3,
                    .queued_messages = lines_beside_replies + p.remote.replies,
                    .slice_id_bits = node_bits + id_bits,
                    .flushes_at_once = true};
  plan.fabrics = {mesh_of(p, Network::request, {{"", plan.slice_id_bits}}, true),
                  mesh_of(p, Network::reply, {{"", id_bits}}, true)};
  const std::vector<int> places = core_nodes(route_of(p)),
                         slices(p.mesh.memory_nodes.begin(), p.mesh.memory_nodes.end());
  plan.parts = {
      {.name = "core",
       .module = "core",
       .count = p.shape.cores,
       .build = remote_core,
       .ends = {{"to_requests", requests, 0, true, places},
                {"from_requests", requests, 0, false, places},
                {"to_replies", replies, 0, true, places},
                {"from_replies", replies, 0, false, places}},
       .ties = {{"core", number_bits(p.shape.cores), in_order(p.shape.cores)}, {"place", node_bits, places}},
       .waits = remote_core_waits()},
      {.name = "slice",
       .module = "slice",
       .count = p.shape.slices,
       .build = slice_port,
       .ends = {{"to_cores", replies, 0, true, slices}, {"from_cores", requests, 0, false, slices}},
       .waits = {{"from_cores", "requests"}, {"requests", "to_cores"}}}};
  return plan;
}

void check_caches(const TopologyParams& p) {
  require(p.l1d.tags == TagKind::conventional, "tags.kind", tag_organisation(p.l1d.tags).key,
          "others look for whole lines, which only conventional tags have", "use conventional");
  require(p.l1d.bypass.kind == BypassKind::none, "bypass.kind", "any",
          "would pass loads by that other cores may serve", "use none");
  require(!p.remote.own_store_guard || p.l1d.index.kind != IndexKind::adi, "index.kind", "adi",
          "moves lines between sets, which choose a bit of the filter over lines stored to",
          "use another index, or remote.own_store_guard = false");
}

void check_filter(const TopologyParams& p) {
  const RemoteParams& r = p.remote;
  const int block_bits = p.l1d.address_bits - width_to_number(p.l1d.line_bytes);
  require_in(RemoteRanges::filter_bits, "remote.filter_bits", r.filter_bits, "use 13");
  require(r.filter_bits <= block_bits, "remote.filter_bits", r.filter_bits,
          fmt::format("must not exceed the {} bits of a block address", block_bits),
          fmt::format("use {}", block_bits));
}

void check_remote(const TopologyParams& p) {
  const RemoteParams& r = p.remote;
  check(selector_params(r, p.shape.cores, 0));
  check(r.predictor);
  check(table_params(r, p.shape.cores, 0, p.l1d.mshr_entries));
  require_in(RemoteRanges::incoming, "remote.incoming", r.incoming, "use 8");
  require_in(RemoteRanges::forwarded, "remote.forwarded", r.forwarded, "use 4");
  require_in(RemoteRanges::replies, "remote.replies", r.replies, "use 4");
  require_in(RemoteRanges::deflected, "remote.deflected", r.deflected, "use 2");
  require_in(RemoteRanges::wait_limit, "remote.wait_limit", r.wait_limit, "use 64");
  check_filter(p);
  const int bits = probe_bits(r, p.shape.cores), available = 8 * p.flit_bytes;
  require(bits <= available, "remote.coverage", r.coverage,
          fmt::format("makes a probe of {} bits, and it is one flit of {}", bits, available), "use 5");
  require(p.mesh.vcs == 1, "mesh.vcs", p.mesh.vcs,
          "must be 1: whoever takes a message takes it at once, and no class waits for another", "use 1");
  check_links(p.mesh);
  require_in({1, most_core_id_bits}, "core.id_bits", p.l1d.core_id_bits,
             "use 8, ids of 256 requests under way");
  RouteParams route = route_of(p);
  route.sets = 2;  // there are no homes, which would stand above the set
  check(route);
}

}  // namespace

const KindRow remote{.kind = TopologyKind::remote,
                     .name = "remote",
                     .nodes = false,
                     .clusters = false,
                     .caches_in_nodes = false,
                     .meshed = true,
                     .check = [](const TopologyShape&) {},
                     .check_caches = check_caches,
                     .check_parts = check_remote,
                     .homes = remote_homes,
                     .plan = remote_plan};

}  // namespace hw
