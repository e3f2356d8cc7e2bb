#include "golden/l1d/cycle_monitors.h"

#include <array>

#include "golden/cache/access_mode.h"
#include "golden/cache/adaptive.h"
#include "golden/l1d/own_controller.h"
#include "golden/policy/policy_unit.h"
#include "golden/tags/tag_kinds.h"

namespace golden {
namespace {

struct MonitorRow {
  bool (*wanted)(const hw::L1dParams&);
  std::unique_ptr<Monitor> (*make)(const hw::L1dParams&, Monitors& before);
};

constexpr std::array rows{
    MonitorRow{[](const hw::L1dParams& p) { return tag_kind(p.tags).has_modes; },
               [](const hw::L1dParams& p, Monitors&) -> std::unique_ptr<Monitor> {
                 return std::make_unique<AccessMode>(p);
               }},
    MonitorRow{is_adaptive,
               [](const hw::L1dParams& p, Monitors&) -> std::unique_ptr<Monitor> {
                 const int cycles_of_change = 2 + tag_kind(p.tags).compare_stages;
                 return std::make_unique<AdaptiveIndex>(monitor_params(p), cycles_of_change);
               }},
    MonitorRow{
        [](const hw::L1dParams& p) { return hw::has_own_unit(p.bypass); },
        [](const hw::L1dParams& p, Monitors&) -> std::unique_ptr<Monitor> { return PolicyUnit::make(p); }},
    MonitorRow{hw::has_controller,
               [](const hw::L1dParams& p, Monitors& before) -> std::unique_ptr<Monitor> {
                 return std::make_unique<OwnController>(p, monitor_among<AdaptiveIndex>(before));
               }},
};

}  // namespace

Monitors cycle_monitors(const hw::L1dParams& params) {
  Monitors monitors;
  for (const MonitorRow& row : rows)
    if (row.wanted(params)) monitors.push_back(row.make(params, monitors));
  return monitors;
}

}  // namespace golden
