#include "hw/tags/valid_state.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::replicate;

Expr ValidState::stored(const Expr& set) const {
  return of(set) | (filled_bits & replicate(row.width(), filled & (filled_set == set)));
}

// A request that enters takes its set's row as this cycle leaves it.
void ValidState::change(rtl::Module& m, const LateRow& when, const Turnover& turnover,
                        const ValidChanges& now) const {
  const auto filled_if = [&](const Expr& here) {
    return now.fill_bits & replicate(row.width(), now.fill & here);
  };
  const Expr after = m.let("row_valid", (row | filled_if(now.fill_set == now.set)) & ~now.cleared,
                           "the probe's set after this cycle");
  array_changes(m, when, now);
  m.clocked("Whether the array takes over a fill.", [&] { m.set(filled, now.fill & ~now.flush); });
  m.clocked(fmt::format("Valid {} that the array takes over.", now.what), [&] {
    m.set(late, after);
    m.set(filled_set, now.fill_set);
    m.set(filled_bits, now.fill_bits);
  });
  const Expr read = m.let("stored_valid", stored(now.enter_set),
                          "the next request's set, but for what the probe left there");
  const Expr next = m.let("coming_valid", coming(when, read) | filled_if(now.fill_set == now.enter_set),
                          "the next request's set after this cycle");
  const Expr kept =
      m.let("kept_valid", after & ~replicate(row.width(), now.flush), "the probe's set, with a flush");
  turn(m, fmt::format("Valid {} of the probe's set.", now.what), turnover, next, kept, kept);
}

void ValidState::array_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const {
  m.clocked(fmt::format("Valid {}: a flush wins over a probe, a probe over a fill.", now.what), [&] {
    m.when(filled, [&] {
      set_row(m, "filled_set", array, filled_set, row.width(),
              [&](const Expr& bits) { return bits | filled_bits; });
    });
    take_over(m, when, "probed_set");
    m.when(now.flush, [&] { m.set(array, rtl::lit(array.width(), 0)); });
  });
}

}  // namespace hw
