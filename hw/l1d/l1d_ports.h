// The ports of an L1 data cache, made from the tables that golden, benches and manifests read too.
#pragma once
#include <array>

#include "hw/l1d/controls_params.h"
#include "hw/rtl/module.h"

namespace hw {

// The controls that the parameters ask for, as inputs or outputs of `m`.
class ControlPorts {
 public:
  ControlPorts(rtl::Module& m, const L1dParams& p);

  // Unknown where there is no such port.
  const rtl::Expr& operator[](Control c) const { return ports_[c.row()]; }

 private:
  std::array<rtl::Expr, control_rows.size()> ports_;
};

}  // namespace hw
