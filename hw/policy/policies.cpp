#include "hw/policy/policies.h"

#include <algorithm>
#include <array>

#include "hw/policy/bucl.h"
#include "hw/policy/mrpb.h"
#include "hw/policy/protected_ways.h"

namespace hw {
namespace {

struct Row {
  BypassKind kind;
  std::unique_ptr<Policy> (*make)(const PolicySocket&);
};

constexpr std::array rows{
    Row{BypassKind::none, [](const PolicySocket&) { return std::make_unique<Policy>(); }},
    Row{BypassKind::mrpb,
        [](const PolicySocket&) -> std::unique_ptr<Policy> { return std::make_unique<Mrpb>(); }},
    Row{BypassKind::bucl,
        [](const PolicySocket& s) -> std::unique_ptr<Policy> {
          return std::make_unique<Bucl>(s.params.bucl, s.controls);
        }},
    Row{BypassKind::protection_distance,
        [](const PolicySocket& s) -> std::unique_ptr<Policy> {
          return std::make_unique<ProtectedWays>(ProtectionDistanceParams{
              .sets = s.sets, .ways = s.ways, .distance = s.params.protection_distance});
        }},
};

}  // namespace

std::unique_ptr<Policy> policy_of(const PolicySocket& socket) {
  return std::ranges::find(rows, socket.params.kind, &Row::kind)->make(socket);
}

}  // namespace hw
