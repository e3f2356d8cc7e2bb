#include "hw/prim/constant_product.h"

#include "hw/rtl/optional.h"

namespace hw {

using rtl::Expr, rtl::lit;

Expr times(const Expr& value, unsigned constant, int width) {
  rtl::Optional sum;
  for (int shift = 0; constant >> shift; ++shift) {
    if (!(constant >> shift & 1)) continue;
    sum += rtl::zext(shift ? rtl::cat({value, lit(shift, 0)}) : value, width);
  }
  return sum ? *sum : lit(width, 0);
}

}  // namespace hw
