// A sum whose upper half does not wait for the lower one.
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Adds named values that begin with `name` to `m`: a + b modulo 2^width, the upper half worked out with and
// without the carry that then chooses.
rtl::Expr split_sum(rtl::Module& m, const std::string& name, const rtl::Expr& a, const rtl::Expr& b,
                    const std::string& doc);

}  // namespace hw
