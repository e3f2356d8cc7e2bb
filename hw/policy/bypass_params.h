// Parameters of bypass policies, shared by the hardware and its reference model, and what the code around a
// cache has to know of each policy.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "hw/policy/bucl_params.h"

namespace hw {

enum class BypassKind { none, mrpb, bucl, protection_distance };

struct BypassParams {
  BypassKind kind = BypassKind::none;
  bool follow = false;  // its controls are inputs, in the place of an own unit
  int sources = 1;      // whose loads come mixed, named by the top bits of ids: 1, 2, 4 ..
  BuclParams bucl = {};
  int protection_distance = 4;  // loads of its set that a line is protected from

  bool operator==(const BypassParams&) const = default;
};

// Of the unit that says a policy's controls: one for the caches of so many SMs, of which it watches one.
struct PolicyUnitTraits {
  int (*sms)(const BypassParams&);
  int (*watched_sm)(const BypassParams&);
};

struct PolicyTraits {
  BypassKind kind;
  std::string_view name;                      // value of bypass.kind
  bool before_lookup = false;                 // loads bypass without a lookup
  bool instead_of_fail = false;               // loads bypass that find nothing to reserve
  bool reads_degrees = false;                 // of how many requests a load is, and which is the first
  std::optional<PolicyUnitTraits> unit = {};  // with controls
};

inline constexpr std::array policy_traits_rows{
    PolicyTraits{.kind = BypassKind::none, .name = "none"},
    PolicyTraits{.kind = BypassKind::mrpb, .name = "mrpb", .instead_of_fail = true},
    PolicyTraits{
        .kind = BypassKind::bucl,
        .name = "bucl",
        .before_lookup = true,
        .instead_of_fail = true,
        .reads_degrees = true,
        .unit = PolicyUnitTraits{.sms = [](const BypassParams& p) { return p.bucl.sms; },
                                 .watched_sm = [](const BypassParams& p) { return p.bucl.designated_sm; }}},
    PolicyTraits{.kind = BypassKind::protection_distance, .name = "protection_distance"},
};

constexpr const PolicyTraits& traits_of(BypassKind kind) {
  return *std::ranges::find(policy_traits_rows, kind, &PolicyTraits::kind);
}

constexpr bool reads_degrees(const BypassParams& p) { return traits_of(p.kind).reads_degrees; }
// The cache has the unit that says its policy's controls; or they are inputs.
constexpr bool has_own_unit(const BypassParams& p) { return traits_of(p.kind).unit && !p.follow; }
constexpr bool follows_unit(const BypassParams& p) { return traits_of(p.kind).unit && p.follow; }
// Of a policy that has one.
constexpr int sms_of_unit(const BypassParams& p) { return traits_of(p.kind).unit->sms(p); }
constexpr int watched_sm(const BypassParams& p) { return traits_of(p.kind).unit->watched_sm(p); }

// The rows of a policy, which count with it alone: its controls come from a unit, within or beside the cache,
// and inputs of a unit are those of a cache that has it.
template <BypassKind kind, class Cache, std::size_t rows>
constexpr auto of_policy(std::array<ControlOf<Cache>, rows> list) {
  for (ControlOf<Cache>& row : list)
    row.role = [](const Cache& p) {
      if (p.bypass.kind != kind) return ControlRole::none;
      return p.bypass.follow ? ControlRole::input : ControlRole::inner;
    };
  return list;
}
template <BypassKind kind, class Cache, std::size_t rows>
constexpr auto of_policy(std::array<MonitorInputOf<Cache>, rows> list) {
  for (MonitorInputOf<Cache>& row : list)
    row.wanted = [](const Cache& p) { return p.bypass.kind == kind && has_own_unit(p.bypass); };
  return list;
}

// Of all policies.
template <class Cache>
inline constexpr auto policy_controls = joined(of_policy<BypassKind::bucl>(bucl_controls<Cache>));
template <class Cache>
inline constexpr auto policy_inputs = joined(of_policy<BypassKind::bucl>(bucl_inputs<Cache>));

}  // namespace hw
