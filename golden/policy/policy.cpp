#include "golden/policy/policy.h"

#include <algorithm>
#include <array>

#include "golden/policy/bucl.h"
#include "golden/policy/bucl_in_cache.h"
#include "golden/policy/mrpb.h"
#include "golden/policy/policy_unit.h"
#include "golden/policy/protected_ways.h"

namespace golden {
namespace {

struct PolicyRow {
  hw::BypassKind kind;
  std::unique_ptr<Policy> (*make)(const hw::L1dParams&);
  std::unique_ptr<PolicyUnit> (*unit)(const hw::L1dParams&) =
      [](const hw::L1dParams&) -> std::unique_ptr<PolicyUnit> { return nullptr; };
};

constexpr std::array policies{
    PolicyRow{hw::BypassKind::none, [](const hw::L1dParams&) -> std::unique_ptr<Policy> { return nullptr; }},
    PolicyRow{hw::BypassKind::mrpb,
              [](const hw::L1dParams&) -> std::unique_ptr<Policy> { return std::make_unique<Mrpb>(); }},
    PolicyRow{hw::BypassKind::bucl,
              [](const hw::L1dParams& p) -> std::unique_ptr<Policy> {
                return std::make_unique<Bucl>(p.bypass.bucl, p.bypass.sources, p.core_id_bits);
              },
              [](const hw::L1dParams& p) -> std::unique_ptr<PolicyUnit> {
                return std::make_unique<BuclInCache>(p.bypass.bucl);
              }},
    PolicyRow{hw::BypassKind::protection_distance,
              [](const hw::L1dParams& p) -> std::unique_ptr<Policy> {
                return std::make_unique<ProtectedWays>(hw::ProtectionDistanceParams{
                    .sets = hw::sets_of(p), .ways = p.ways, .distance = p.bypass.protection_distance});
              }},
};

}  // namespace

std::unique_ptr<Policy> Policy::make(const hw::L1dParams& params) {
  for (const PolicyRow& row : policies)
    if (row.kind == params.bypass.kind) return row.make(params);
  return nullptr;
}

std::unique_ptr<PolicyUnit> PolicyUnit::make(const hw::L1dParams& params) {
  if (!hw::has_own_unit(params.bypass)) return nullptr;
  return std::ranges::find(policies, params.bypass.kind, &PolicyRow::kind)->unit(params);
}

}  // namespace golden
