// What checks of crossbars and switches find, from instances in loops to a port of their network
// (docs/contracts/protocol-checks.md).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/noc/packet.h"

namespace hw {

// protocol_error and protocol_error_code of so many instances; without checks there is nothing.
class ErrorWires {
 public:
  ErrorWires(rtl::Module& m, const std::string& name, int count, bool checks);

  // Of the only instance; of one in a loop; of one in loops, by a choice among so many parts of a vector.
  Pins pins() const;
  Pins pins(const rtl::Expr& loop) const;
  Pins pins(const Link::Choice& one) const;
  const std::optional<rtl::Expr>& codes() const { return codes_; }

 private:
  std::optional<rtl::Expr> errors_, codes_;
};

// A check that no flit leaves where nobody takes it: its code; none where that cannot be.
std::optional<rtl::Expr> stray_code(rtl::Module& m, const std::vector<rtl::Expr>& leave);

// An output `protocol_codes` of `m`, the first lowest; none without any.
void pass_codes(rtl::Module& m, const std::vector<std::optional<rtl::Expr>>& codes);

}  // namespace hw
