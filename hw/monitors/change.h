// Has a count changed by more than a fraction of what it was? (ACI thesis, section 4: thresholds of IPC and
// of warp counts.)
#pragma once
#include <string>

#include "hw/monitors/ipc_sum.h"
#include "hw/prim/number_list_params.h"
#include "hw/rtl/module.h"

namespace hw {

// Adds named values that begin with `name` to `m`: `now` is above or below `old`, of the same width, by more
// than the fraction of `old`; by exactly that is no change.
rtl::Expr changed_by_more(rtl::Module& m, const std::string& name, const rtl::Expr& old, const rtl::Expr& now,
                          const Fraction& fraction);

// The same of the IPC of a period, against bounds that registers `name`_most_q and `name`_least_q hold from
// the cycle behind `old` on, a register: a period has two cycles or more, and it is longer than that since it
// changed.
rtl::Expr changed_by_more(rtl::Module& m, const std::string& name, const rtl::Expr& old, const IpcSum& now,
                          const Fraction& fraction);

// Bits of those registers; the second is not there where nothing is too little.
struct ChangeBounds {
  int most = 0, least = 0;
};
ChangeBounds change_bounds(int ipc_bits, const Fraction& fraction);

// Throws ParamError unless the list is two terms up to 255, the second not 0.
void check_change(const std::string& key, const Fraction& fraction);

}  // namespace hw
