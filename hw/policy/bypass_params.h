// Parameters of bypass policies, shared by the hardware and its reference model.
#pragma once
#include "hw/policy/bucl_params.h"

namespace hw {

enum class BypassKind { none, mrpb, bucl, protection_distance };

struct BypassParams {
  BypassKind kind = BypassKind::none;
  BuclParams bucl = {};
  int protection_distance = 4;  // loads of its set that a line is protected from

  bool operator==(const BypassParams&) const = default;
};

// The policy asks of how many requests a load is, and which is the first.
constexpr bool reads_degrees(const BypassParams& p) { return p.kind == BypassKind::bucl; }

// It has a threshold unit of its own.
constexpr bool has_own_thresholds(const BypassParams& p) {
  return p.kind == BypassKind::bucl && !p.bucl.follow;
}

}  // namespace hw
