#include "hw/l1d/l1d_ports.h"

namespace hw {

ControlPorts::ControlPorts(rtl::Module& m, const L1dParams& p) {
  for (const Control c : all_controls) {
    const ControlRow& row = control_rows[c.row()];
    const std::string name(row.name);
    if (c.role(p) == ControlRole::input)
      ports_[c.row()] = m.input(name, c.width(p), std::string(row.as_input));
    if (c.role(p) == ControlRole::output)
      ports_[c.row()] = m.output(name, c.width(p), std::string(row.as_output));
  }
}

}  // namespace hw
