// Expressions that a design may be without, and sums that have no term in the beginning.
#pragma once
#include <optional>

#include "hw/rtl/expr.h"

namespace rtl {

using Optional = std::optional<Expr>;

// Join a term to those before it; the first stands alone.
inline Optional& operator|=(Optional& sum, At term) {
  return sum = sum ? At(*sum, term.loc) | term : term.expr;
}
inline Optional& operator&=(Optional& product, At term) {
  return product = product ? At(*product, term.loc) & term : term.expr;
}
inline Optional& operator^=(Optional& sum, At term) {
  return sum = sum ? At(*sum, term.loc) ^ term : term.expr;
}
inline Optional& operator+=(Optional& sum, At term) {
  return sum = sum ? At(*sum, term.loc) + term : term.expr;
}

}  // namespace rtl
