// Parameters of bypass policies, shared by the hardware and its golden twin.
#pragma once

namespace hw {

enum class BypassKind { none, mrpb };

struct BypassParams {
  BypassKind kind = BypassKind::none;

  bool operator==(const BypassParams&) const = default;
};

}  // namespace hw
