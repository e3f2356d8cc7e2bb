#include "hw/policy/policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/policy/bucl.h"
#include "hw/policy/bucl_threshold_unit.h"
#include "hw/policy/mrpb.h"
#include "hw/policy/protected_ways.h"
#include "hw/policy/protection_distance.h"
#include "hw/require.h"
#include "hw/tags/tag_kinds.h"

namespace hw {
namespace {

struct Row {
  BypassKind kind;
  std::unique_ptr<Policy> (*make)(const PolicySocket&);
  void (*check)(const PolicySite&) = [](const PolicySite&) {};
};

void check_protection(const PolicySite& site) {
  require(traits_of(site.tags).keeps_way, "bypass.kind", "protection_distance",
          fmt::format("protects lines that have a way and an order of their own, which {} tags have not",
                      tag_organisation(site.tags).key),
          "use conventional or sectored tags, or another bypass.kind");
  check(ProtectionDistanceParams{
      .sets = site.sets, .ways = site.ways, .distance = site.params.protection_distance});
}

constexpr std::array rows{
    Row{BypassKind::none, [](const PolicySocket&) { return std::make_unique<Policy>(); }},
    Row{BypassKind::mrpb,
        [](const PolicySocket&) -> std::unique_ptr<Policy> { return std::make_unique<Mrpb>(); }},
    Row{BypassKind::bucl,
        [](const PolicySocket& s) -> std::unique_ptr<Policy> {
          return std::make_unique<Bucl>(s.params.bucl, s.params.sources, s.controls);
        },
        [](const PolicySite& s) { check(s.params.bucl); }},
    Row{BypassKind::protection_distance,
        [](const PolicySocket& s) -> std::unique_ptr<Policy> {
          return std::make_unique<ProtectedWays>(ProtectionDistanceParams{
              .sets = s.sets, .ways = s.ways, .distance = s.params.protection_distance});
        },
        check_protection},
};

}  // namespace

std::unique_ptr<Policy> policy_of(const PolicySocket& socket) {
  return std::ranges::find(rows, socket.params.kind, &Row::kind)->make(socket);
}

void check(const PolicySite& site) { std::ranges::find(rows, site.params.kind, &Row::kind)->check(site); }

void check(const BypassParams& p, const PolicyAround& around) {
  const std::string_view name = traits_of(p.kind).name, splits = around.splits_loads,
                         followers = around.followers;
  require(!reads_degrees(p) || splits.empty(), "bypass.kind", name, std::string(splits), around.remedy);
  require(!has_own_unit(p) || followers.empty(), fmt::format("bypass.{}.follow", name), false,
          fmt::format("one update unit serves the GPU: {}", followers), "use true");
}

}  // namespace hw
