#include "hw/tags/valid_state.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr, rtl::replicate;

Expr ValidState::stored(const Expr& set, const Expr& row_of_set) const {
  const Expr with_fill = row_of_set | (filled_bits & replicate(row.width(), filled & (filled_set == set)));
  if (!dropped) return with_fill;
  return with_fill & ~(dropped->bits & replicate(row.width(), dropped->valid & (dropped->set == set)));
}

// A request that enters takes its set's row as this cycle leaves it.
void ValidState::change(rtl::Module& m, const LateRow& when, const Turnover& turnover,
                        const ValidChanges& now) const {
  const auto filled_if = [&](const Expr& here) {
    return now.fill_bits & replicate(row.width(), now.fill & here);
  };
  const auto kept_if = [&](const Expr& bits, const Expr& set) {
    if (!now.drop) return bits;
    return bits & ~(now.drop->bits & replicate(row.width(), now.drop->valid & (now.drop->set == set)));
  };
  const Expr left = (row | filled_if(now.fill_set == now.set)) & ~now.cleared;
  const Expr after = m.let("row_valid", kept_if(left, now.set), "the probe's set after this cycle");
  if (late_cleared)
    row_changes(m, when, now);
  else
    array_changes(m, when, now);
  m.clocked("Whether the array takes over a fill.", [&] { m.set(filled, now.fill & ~now.flush); });
  if (now.drop)
    m.clocked("The line that goes.", [&] {
      const DroppedLine& kept = dropped.value();
      m.set(kept.valid, now.drop->valid);
      m.set(kept.set, now.drop->set);
      m.set(kept.bits, now.drop->bits);
    });
  m.clocked(fmt::format("Valid {} that the array takes over.", now.what), [&] {
    m.set(late, after);
    if (late_cleared) m.set(*late_cleared, now.cleared);
    m.set(filled_set, now.fill_set);
    m.set(filled_bits, now.fill_bits);
  });
  const Expr read =
      m.let("stored_valid", stored(now.enter_set, now.next_row ? *now.next_row : of(now.enter_set)),
            "the next request's set, but for what the probe left there");
  const Expr comes = coming(when, read) | filled_if(now.fill_set == now.enter_set);
  const Expr next =
      m.let("coming_valid", kept_if(comes, now.enter_set), "the next request's set after this cycle");
  const Expr kept =
      m.let("kept_valid", after & ~replicate(row.width(), now.flush), "the probe's set, with a flush");
  turn(m, fmt::format("Valid {} of the probe's set.", now.what), turnover, next, kept, kept);
}

// Bits come and go in each row by masks, which takes fewer gates than rows that are taken over.
void ValidState::row_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const {
  const int bits = row.width();
  m.clocked(fmt::format("Valid {}: a flush wins over a probe, a probe over a fill.", now.what), [&] {
    m.loop("valid_set", array.width() / bits, [&](const Expr& i) {
      const Expr place = array.part(i, bits);
      const auto in_set = [&](const Expr& happens, const Expr& set) {
        return replicate(bits, happens & (set == i.slice(set.width() - 1, 0)));
      };
      const Expr goes = (*late_cleared | replicate(bits, now.flush)) &
                        (in_set(when.changed, when.set) | replicate(bits, now.flush));
      const Expr left = dropped ? goes | (dropped->bits & in_set(dropped->valid, dropped->set)) : goes;
      m.set(place, (place | (filled_bits & in_set(filled, filled_set))) & ~left);
    });
  });
}

void ValidState::array_changes(rtl::Module& m, const LateRow& when, const ValidChanges& now) const {
  m.clocked(fmt::format("Valid {}: a flush wins over a probe, a probe over a fill.", now.what), [&] {
    m.when(filled, [&] {
      set_row(m, "filled_set", array, filled_set, row.width(),
              [&](const Expr& bits) { return bits | filled_bits; });
    });
    if (dropped)
      m.when(dropped->valid, [&] {
        const Expr beside = filled_bits & replicate(row.width(), filled & (filled_set == dropped->set));
        set_row(m, "dropped_set", array, dropped->set, row.width(),
                [&](const Expr& bits) { return (bits | beside) & ~dropped->bits; });
      });
    take_over(m, when, "probed_set");
    m.when(now.flush, [&] { m.set(array, rtl::lit(array.width(), 0)); });
  });
}

}  // namespace hw
