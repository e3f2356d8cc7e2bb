// Victims by chunk: in circular order from a random slot, those not recently used first; in a group with
// another tag the first victim opens the whole group (TSC paper, section 3).
//
// Six classes of slots are taken one after the other: free slots of groups with the line's tag, slots of
// groups that hold nothing, and the four parts of the search; in a class they are taken ascending. Each group
// says how many slots it has up to each class; so the slots before a slot are the sum of what the other
// groups say of its class, and of the slots before it in its own.
#include <fmt/format.h>

#include "hw/rtl/optional.h"
#include "hw/tags/split_places_builder.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

void SplitPlaces::rank_by_chunk() {
  m.section("The search for victims begins at a slot and wraps.");
  const Expr behind = m.wire("from_start", slots, "slots at and above the start");
  m.comb("Compare with the start.", [&] {
    m.loop("slot", slots, [&](const Expr& s) { m.set(behind.at(s), s.slice(start_bits - 1, 0) >= start); });
  });
  m.section("Choice in each group.");
  const int k = per_group, row = place_classes * tally_count, ahead_row = place_classes * other_count;
  const Expr classes = m.wire("classes", slots * place_classes, "class of each slot, one-hot, or 0");
  const Expr within = m.wire("in_group", slots * own_count, "chosen slots before it in its group");
  const Expr tallies = m.wire("tallies", groups * row, "chosen slots of each group up to each class");
  const rtl::Module alone = PlaceGroup(m.name() + "_group", k, own_count, tally_count).run();
  m.repeat("group", groups, "A group each.", [&](const Expr& g) {
    m.instance(alone, "alone",
               {{"slot_valid", valid.part(g, k)},
                {"slot_busy", busy.part(g, k)},
                {"slot_used", used.part(g, k)},
                {"slot_kept", kept.part(g, k)},
                {"from_start", behind.part(g, k)},
                {"same_tag", same_tag.at(g)},
                {"classes", classes.part(g, k * place_classes)},
                {"in_group", within.part(g, k * own_count)},
                {"tally", tallies.part(g, row)}},
               "The slots of the group.");
  });
  m.section("Sums over the groups.");
  const Expr before = m.wire("outside", groups * ahead_row, "chosen slots of other groups before each class");
  places_of_others(tallies, before);
  const rtl::Module rank = ranks_module();
  m.repeat("ranked", groups, "A group each.", [&](const Expr& g) {
    m.instance(rank, "ranks",
               {{"classes", classes.part(g, k * place_classes)},
                {"in_group", within.part(g, k * own_count)},
                {"outside", before.part(g, ahead_row)},
                {"turn", turn.part(g, k * chunks)}},
               "The slots of the group among all.");
  });
}

void SplitPlaces::places_of_others(const Expr& tallies, const Expr& before) {
  if (groups == 1) {
    m.assign(before, lit(before.width(), 0));
    return m.unused("unused_tallies", tallies, "there are no other groups");
  }
  const Expr low = table(
      m, "low_groups", groups, groups, [](int row, int column) { return column < row; },
      "for each group, the groups below it");
  const Expr high = table(
      m, "high_groups", groups, groups, [](int row, int column) { return column > row; },
      "for each group, the groups above it");
  const rtl::Module sums = others_module();
  m.repeat("beside", groups, "A group each.", [&](const Expr& g) {
    m.instance(sums, "others",
               {{"below", low.part(g, groups)},
                {"above", high.part(g, groups)},
                {"tallies", tallies},
                {"outside", before.part(g, place_classes * other_count)}},
               "Chosen slots of the other groups before the group's slots.");
  });
}

// Of lower groups all slots up to a slot's class come before it, of higher ones slots of earlier classes.
rtl::Module SplitPlaces::class_module() const {
  rtl::Module c(m.name() + "_class",
                fmt::format("Chosen slots of other groups than one, of {}, before its slots of "
                            "a class: of groups below all up to that class, of groups "
                            "above those of earlier classes.",
                            groups));
  const Expr below = c.input("below", groups, "groups below that one");
  const Expr above = c.input("above", groups, "groups above that one");
  const Expr up_to = c.input("up_to", groups * tally_count, "chosen slots of each group up to the class");
  const Expr earlier =
      c.input("earlier", groups * tally_count, "chosen slots of each group up to the class before");
  const Expr before =
      c.output("outside", other_count, "chosen slots of other groups before a slot of the class");
  std::vector<Expr> terms;
  for (int g = 0; g < groups; ++g) {
    const auto of_group = [&](const Expr& places, const Expr& who) {
      return places.slice((g + 1) * tally_count - 1, g * tally_count) & replicate(tally_count, who.bit(g));
    };
    terms.push_back(c.let(fmt::format("of{}", g), of_group(up_to, below) | of_group(earlier, above),
                          fmt::format("chosen slots of group {}", g)));
  }
  c.assign(before, unary_sum(c, "sum", terms, other_count));
  return c;
}

rtl::Module SplitPlaces::others_module() const {
  rtl::Module o(m.name() + "_others", fmt::format("Chosen slots of other groups than one, of {}.", groups));
  const Expr below = o.input("below", groups, "groups below that one");
  const Expr above = o.input("above", groups, "groups above that one");
  const Expr tallies =
      o.input("tallies", groups * place_classes * tally_count, "chosen slots of each group up to each class");
  const Expr before = o.output("outside", place_classes * other_count,
                               "chosen slots of other groups before a slot of each class");
  const int row = groups * tally_count;
  const Expr up_to = o.wire("up_to", place_classes * row, "tallies by class instead of by group");
  for (int c = 0; c < place_classes; ++c) {
    std::vector<Expr> of_class;
    for (int g = groups - 1; g >= 0; --g) {
      const int at = (g * place_classes + c) * tally_count;
      of_class.push_back(tallies.slice(at + tally_count - 1, at));
    }
    o.assign(up_to.slice((c + 1) * row - 1, c * row), rtl::cat(of_class));
  }
  const Expr earlier =
      o.let("earlier", rtl::cat({up_to.slice((place_classes - 1) * row - 1, 0), rtl::wide_lit(row, {0})}),
            "up_to of the class before");
  const rtl::Module sum = class_module();
  o.repeat("each_class", place_classes, "A class each.", [&](const Expr& c) {
    o.instance(sum, "sum",
               {{"below", below},
                {"above", above},
                {"up_to", up_to.part(c, row)},
                {"earlier", earlier.part(c, row)},
                {"outside", before.part(c, other_count)}},
               "Chosen slots of the other groups before the class.");
  });
  return o;
}

rtl::Module SplitPlaces::ranks_module() const {
  rtl::Module one(m.name() + "_rank", "The rank of a chosen slot.");
  const Expr classes = one.input("classes", place_classes, "class of the slot, one-hot, or 0");
  const Expr within = one.input("in_group", own_count, "chosen slots before it in its group");
  const Expr before =
      one.input("outside", place_classes * other_count, "chosen slots of other groups, by class");
  const Expr turn_out = one.output("turn", chunks, "the rank of the slot, one-hot, or 0");
  rtl::Optional sum;
  for (int c = 0; c < place_classes; ++c)
    sum |= before.slice((c + 1) * other_count - 1, c * other_count) & replicate(other_count, classes.bit(c));
  const Expr others = one.let("others", *sum, "chosen slots of other groups before it");
  const Expr all = unary_sum(one, "all", {others, within}, chunks);
  one.assign(turn_out, unary_turn(all, chunks) & replicate(chunks, rtl::any(classes)));

  rtl::Module r(m.name() + "_ranks", "The ranks of a group's chosen slots.");
  const Expr all_classes = r.input("classes", per_group * place_classes, "class of each slot, one-hot, or 0");
  const Expr all_within = r.input("in_group", per_group * own_count, "chosen slots before each in the group");
  const Expr of_others = r.input("outside", place_classes * other_count,
                                 "chosen slots of other groups before a slot of each class");
  const Expr turns = r.output("turn", per_group * chunks, "the rank of each chosen slot, one-hot, or 0");
  r.repeat("slot", per_group, "A slot each.", [&](const Expr& s) {
    r.instance(one, "rank",
               {{"classes", all_classes.part(s, place_classes)},
                {"in_group", all_within.part(s, own_count)},
                {"outside", of_others},
                {"turn", turns.part(s, chunks)}},
               "The rank of the slot.");
  });
  return r;
}

}  // namespace hw
