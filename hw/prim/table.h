// Tables of constants.
#pragma once
#include <functional>

#include "hw/rtl/module.h"

namespace hw {

// Adds wire `name` to `m`: the table, one row after the other.
rtl::Expr table(rtl::Module& m, const std::string& name, int rows, int width,
                const std::function<bool(int row, int column)>& bit, const std::string& doc);

}  // namespace hw
