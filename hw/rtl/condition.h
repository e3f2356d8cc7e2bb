// Conditions that a design may be without.
#pragma once
#include <concepts>
#include <optional>
#include <utility>

#include "hw/rtl/expr.h"

namespace rtl {

// Never true, always true, or true when an expression of one bit is 1. Operators leave out what is known before the
// design is made: `a | never` is a, without logic.
class Condition {
 public:
  Condition() = default;  // never
  Condition(Expr when) : when_(std::move(when)) {}
  static Condition always() {
    Condition c;
    c.always_ = true;
    return c;
  }

  bool can_be() const { return always_ || when_; }
  bool is_always() const { return always_; }
  // Of one that can be and need not be.
  const Expr& when() const { return when_.value(); }
  // One bit in every case.
  Expr bit() const { return when_ ? *when_ : lit(1, always_); }

 private:
  bool always_ = false;
  std::optional<Expr> when_;
};

// Of the type itself, lest operators of expressions come here.
template <class C>
concept IsCondition = std::same_as<C, Condition>;

template <IsCondition C>
Condition operator~(const C& c) {
  if (c.is_always()) return {};
  return c.can_be() ? Condition(~c.when()) : Condition::always();
}
template <IsCondition A, IsCondition B>
Condition operator|(const A& a, const B& b) {
  if (!a.can_be() || b.is_always()) return b;
  return !b.can_be() || a.is_always() ? a : Condition(a.when() | b.when());
}

template <IsCondition C>
Expr operator&(const Expr& a, const C& b) {
  if (b.is_always()) return a;
  return b.can_be() ? a & b.when() : lit(1, 0);
}
template <IsCondition C>
Expr operator&(const C& a, const Expr& b) {
  if (a.is_always()) return b;
  return a.can_be() ? a.when() & b : lit(1, 0);
}
template <IsCondition C>
Expr operator|(const Expr& a, const C& b) {
  if (b.is_always()) return lit(1, 1);
  return b.can_be() ? a | b.when() : a;
}
template <IsCondition C>
Expr operator|(const C& a, const Expr& b) {
  if (a.is_always()) return lit(1, 1);
  return a.can_be() ? a.when() | b : b;
}
template <IsCondition C>
Expr mux(const C& select, const Expr& if_true, const Expr& if_false) {
  if (select.is_always()) return if_true;
  return select.can_be() ? mux(select.when(), if_true, if_false) : if_false;
}

}  // namespace rtl
