// Parameters of warp limiting beside a warp scheduler (BUCL, section 4: static warp limiting; ACI thesis,
// section 4.2.3: adaptive), shared by the hardware and its reference model.
#pragma once

namespace hw {

enum class LimitKind { none, fixed, adaptive };  // fixed: `static` in configurations
enum class LimitScope { scheduler, core };

struct LimitParams {
  LimitKind kind = LimitKind::none;
  LimitScope scope = LimitScope::scheduler;  // warp slot w of a core belongs to scheduler w mod 2
  int warps = 24;                            // slots of the scope
  int count = 24;                            // warps that may issue, 1 to warps

  bool operator==(const LimitParams&) const = default;
};

}  // namespace hw
