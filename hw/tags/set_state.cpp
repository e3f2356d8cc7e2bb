#include "hw/tags/set_state.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr;

LateRow late_row(rtl::Module& m, const std::string& name, const Expr& set, const Expr& next) {
  const Expr changed = m.reg(name + "_q", 1, 0, "the probe changed its set's row in the cycle before");
  const Expr number = m.data_reg(name + "_set_q", set.width(), "the set");
  const Expr entered =
      m.let(name + "_entered", changed & (next == number), "the next request asks for that row");
  return {changed, number, entered};
}

Expr next_row(const Turnover& turnover, const Expr& coming, const Expr& left, const Expr& kept) {
  return rtl::mux(turnover.moves, rtl::mux(turnover.other, coming, left), kept);
}

void remember(rtl::Module& m, const LateRow& late, const Expr& set, const Expr& changes) {
  m.clocked("Whether the arrays take over a row.", [&] { m.set(late.changed, changes); });
  m.clocked("The number of that row.", [&] { m.set(late.set, set); });
}

void set_row(rtl::Module& m, const std::string& label, const Expr& array, const Expr& set, int row_bits,
             const std::function<Expr(const Expr&)>& row) {
  m.loop(label, array.width() / row_bits, [&](const Expr& i) {
    const Expr place = array.part(i, row_bits);
    m.when(set == i.slice(set.width() - 1, 0), [&] { m.set(place, row(place)); });
  });
}

Expr SetState::now(const LateRow& when, const Expr& set, const Expr& stored) const {
  return rtl::mux(when.changed & (when.set == set), late, stored);
}

Expr SetState::coming(const LateRow& when, const Expr& stored) const {
  return rtl::mux(when.entered, late, stored);
}

void SetState::take_over(rtl::Module& m, const LateRow& when, const std::string& label,
                         const Expr& taken) const {
  m.when(when.changed,
         [&] { set_row(m, label, array, when.set, row.width(), [&](const Expr&) { return taken; }); });
}

void SetState::take_over(rtl::Module& m, const LateRow& when, const std::string& label) const {
  take_over(m, when, label, late);
}

void SetState::turn(rtl::Module& m, const std::string& doc, const Turnover& turnover, const Expr& coming,
                    const Expr& left, const Expr& kept) const {
  m.clocked(doc, [&] { m.set(row, next_row(turnover, coming, left, kept)); });
}

}  // namespace hw
