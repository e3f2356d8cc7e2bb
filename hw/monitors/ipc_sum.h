// Thread instructions of a period, the current cycle's included (ACI thesis, section 4.2), for units that
// compare them at the period's end.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// The upper bits are worked out with and without the carry of the lower ones: what comes last in the cycle,
// the instructions issued in it, only goes through a sum as wide as they are. A comparison takes the limit
// into such a sum, so that nothing waits for its bits.
class IpcSum {
 public:
  // Adds named values that begin with ipc_ to `m`. The sum is no wider than `so_far`, which is wider than
  // `issued`.
  IpcSum(rtl::Module& m, const rtl::Expr& so_far, const rtl::Expr& issued);

  const rtl::Expr& now() const { return now_; }
  const rtl::Expr& some() const { return some_; }  // it is not 0
  // Adds named values that begin with `name`: it is above the limit, a register at least as wide.
  rtl::Expr above(const std::string& name, const rtl::Expr& limit, const std::string& doc) const;

 private:
  rtl::Module& m_;
  int low_bits_;
  rtl::Expr so_far_, issued_, high_, more_, now_, some_;
};

}  // namespace hw
