#include "hw/prim/constant_product.h"

namespace hw {

using rtl::Expr, rtl::lit;

Expr times(const Expr& value, unsigned constant, int width) {
  Expr sum;
  for (int shift = 0; constant >> shift; ++shift) {
    if (!(constant >> shift & 1)) continue;
    const Expr shifted = rtl::zext(shift ? rtl::cat({value, lit(shift, 0)}) : value, width);
    sum = sum.known() ? sum + shifted : shifted;
  }
  return sum.known() ? sum : lit(width, 0);
}

}  // namespace hw
