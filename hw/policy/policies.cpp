#include "hw/policy/policies.h"

#include <algorithm>
#include <array>

#include "hw/policy/bucl.h"
#include "hw/policy/mrpb.h"

namespace hw {
namespace {

struct Row {
  BypassKind kind;
  std::unique_ptr<Policy> (*make)(const BypassParams&, const Controls&);
};

constexpr std::array rows{
    Row{BypassKind::none, [](const BypassParams&, const Controls&) { return std::make_unique<Policy>(); }},
    Row{BypassKind::mrpb,
        [](const BypassParams&, const Controls&) -> std::unique_ptr<Policy> {
          return std::make_unique<Mrpb>();
        }},
    Row{BypassKind::bucl,
        [](const BypassParams& p, const Controls& controls) -> std::unique_ptr<Policy> {
          return std::make_unique<Bucl>(p.bucl, controls);
        }},
};

}  // namespace

std::unique_ptr<Policy> policy_of(const BypassParams& p, const Controls& controls) {
  return std::ranges::find(rows, p.kind, &Row::kind)->make(p, controls);
}

}  // namespace hw
