#include "hw/topology/remote.h"

#include <fmt/format.h>

#include "hw/remote/core_selector.h"
#include "hw/remote/probe_table.h"
#include "hw/remote/sharing_predictor.h"
#include "hw/require.h"
#include "hw/shared/route_select.h"
#include "hw/tags/tag_kinds.h"
#include "hw/topology/shared_fabrics.h"

namespace hw {
namespace {

HomeMap remote_homes(const TopologyShape& s) {
  return {.slices = s.slices, .slices_a_home = s.slices, .outputs = s.slices};
}

BuiltPart refused_core(const PartSite&) {
  throw ParamError("topology.kind", "remote",
                   "is known to the untimed model alone; there is no hardware of it", "use it in explore",
                   rtl::Loc::current());
}

TopologyPlan remote_plan(const TopologyParams& p) {
  TopologyPlan plan{.map = remote_homes(p.shape),
                    .cache = p.l1d,
                    .caches = "caches that other cores search",
                    .chapter = 3,
                    .flushes_at_once = true};
  plan.parts = {{.name = "core", .module = "core", .count = p.shape.cores, .build = refused_core}};
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
  require(r.filter_bits >= 6 && r.filter_bits <= 16, "remote.filter_bits", r.filter_bits,
          "must be from 6 to 16", "use 13");
  require(r.filter_bits <= block_bits, "remote.filter_bits", r.filter_bits,
          fmt::format("must not exceed the {} bits of a block address", block_bits),
          fmt::format("use {}", block_bits));
}

void check_remote(const TopologyParams& p) {
  const RemoteParams& r = p.remote;
  const auto within = [](int value, const char* key, int low, int high, const char* remedy) {
    require(value >= low && value <= high, key, value, fmt::format("must be from {} to {}", low, high),
            remedy);
  };
  check(selector_params(r, p.shape.cores, 0));
  check(r.predictor);
  check(table_params(r, p.shape.cores, 0, p.l1d.mshr_entries));
  within(r.incoming, "remote.incoming", 2, 32, "use 8");
  within(r.forwarded, "remote.forwarded", 1, 32, "use 4");
  within(r.replies, "remote.replies", 1, 32, "use 4");
  within(r.deflected, "remote.deflected", 0, 8, "use 2");
  within(r.wait_limit, "remote.wait_limit", 1, 1023, "use 64");
  check_filter(p);
  const int bits = probe_bits(r, p.shape.cores), room = 8 * p.flit_bytes;
  require(bits <= room, "remote.coverage", r.coverage,
          fmt::format("makes a probe of {} bits, and it is one flit of {}", bits, room), "use 5");
  require(p.mesh.vcs == 1, "mesh.vcs", p.mesh.vcs,
          "must be 1: whoever takes a message takes it at once, and no class waits for another", "use 1");
  check_links(p.mesh);
  RouteParams route = route_of(p);
  route.sets = 2;  // there are no homes, which would stand above the set
  check(route);
  check_caches(p);
}

}  // namespace

const KindRow remote{.kind = TopologyKind::remote,
                     .name = "remote",
                     .nodes = false,
                     .clusters = false,
                     .caches_in_nodes = false,
                     .meshed = true,
                     .check = [](const TopologyShape&) {},
                     .check_parts = check_remote,
                     .homes = remote_homes,
                     .plan = remote_plan};

}  // namespace hw
