// Products of values by constants, added up without a carry until the last sum.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "hw/rtl/module.h"

namespace hw {

// At most two terms of the same sum modulo 2^width, all terms being that wide; a level of full adders for
// every three of them. Adds named values that begin with `name` to `m`.
std::vector<rtl::Expr> carry_save(rtl::Module& m, const std::string& name, std::vector<rtl::Expr> terms);

// At most two terms whose sum modulo 2^width is that of the products; none where that is 0.
std::vector<rtl::Expr> terms_of_products(rtl::Module& m, const std::string& name,
                                         const std::vector<std::pair<rtl::Expr, unsigned>>& products,
                                         int width);

// The products' sum modulo 2^width. Adds named values that begin with `name` to `m` where there are more than
// two shifted copies of values.
rtl::Expr sum_of_products(rtl::Module& m, const std::string& name,
                          const std::vector<std::pair<rtl::Expr, unsigned>>& products, int width);

}  // namespace hw
