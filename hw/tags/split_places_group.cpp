// Victims by group: from as few groups as possible (TSC paper, section 3, policy `group`).
//
// While no group can supply all that is wanted, the one that offers most is taken whole: so these are the
// first ones in the order of their offers, and who is taken needs no step after step.
#include <fmt/format.h>

#include "hw/tags/split_places_builder.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

void SplitPlaces::order_by_group() {
  rule1 = m.let("rule1", home & ~(valid | busy), "free slots of groups with the line's tag");
  victims = m.let("victims", valid & ~(busy | kept) & home, "slots of these whose chunks may go");
  offers();
  whole_groups();
  last_group();
  order_of_chosen();
  rank_by_group();
}

void SplitPlaces::offers() {
  m.section("The offer of each group, and the wanted number.");
  offer_bits = rtl::clog2(static_cast<std::uint64_t>(per_group) + 1);
  sum_bits = rtl::clog2(static_cast<std::uint64_t>(slots) + 1);
  offered = m.let("offered", victims | foreign, "slots on offer");
  const Expr unworn = m.let("unworn", offered & ~(valid & used), "slots that hold nothing or were not used");
  offer = m.wire("offer", groups * offer_bits, "slots that each group offers");
  cold = m.wire("cold", groups * offer_bits, "number of offered slots that hold nothing or were not used");
  const rtl::Module counter = counter_module(per_group, "_offer", offer_bits);
  m.repeat("group", groups, "A group each.", [&](const Expr& g) {
    m.instance(counter, "offers",
               {{"bits", offered.part(g, per_group)}, {"number", offer.part(g, offer_bits)}},
               "Slots that it offers.");
    m.instance(counter, "colds", {{"bits", unworn.part(g, per_group)}, {"number", cold.part(g, offer_bits)}},
               "Offered slots that hold nothing or were not used.");
  });
  const Expr free = m.let("free_slots", rule1 | empty, "slots without a victim");
  std::vector<Expr> free_terms, missed_terms;
  for (int s = 0; s < slots; ++s) free_terms.push_back(free.bit(s));
  for (int c = 0; c < chunks; ++c) missed_terms.push_back(missed.bit(c));
  const Expr have = m.let("free_number", sum_of(m, "free", free_terms, sum_bits), "how many");
  const Expr want = m.let("missed_number", sum_of(m, "miss", missed_terms, sum_bits), "slots needed");
  wanted = m.let("wanted", mux(have < want, want - have, lit(sum_bits, 0)), "slots that victims supply");
}

// Which groups come before each by descending keys, the lower one where they are equal.
rtl::Module SplitPlaces::before_module(int key_bits, const std::string& stem) const {
  rtl::Module b(m.name() + stem, fmt::format("Finds the ones of {} groups that come before one.", groups));
  const Expr key = b.input("key", key_bits, "of the one");
  const Expr keys = b.input("keys", groups * key_bits, "of all");
  const Expr low = b.input("low", groups, "groups below it");
  const Expr ahead_of = b.output("ahead", groups, "groups before it");
  b.comb("Compare the keys.", [&] {
    b.loop("g", groups, [&](const Expr& g) {
      b.set(ahead_of.at(g), (key < keys.part(g, key_bits)) | (low.at(g) & (key == keys.part(g, key_bits))));
    });
  });
  return b;
}

Expr SplitPlaces::groups_before(const Expr& keys, const std::string& stem) {
  const int key_bits = keys.width() / groups;
  const Expr before = m.wire(stem + "_before", groups * groups, "for each group, the groups before it");
  const rtl::Module compare = before_module(key_bits, "_" + stem);
  const Expr low = table(
      m, stem + "_low", groups, groups, [](int row, int column) { return column < row; },
      "for each group, the groups below it");
  m.repeat(stem + "_order", groups, "A group each.", [&](const Expr& g) {
    m.instance(compare, stem + "_ahead",
               {{"key", keys.part(g, key_bits)},
                {"keys", keys},
                {"low", low.part(g, groups)},
                {"ahead", before.part(g, groups)}},
               "Groups before it.");
  });
  return before;
}

// What a set of groups offers together.
rtl::Module SplitPlaces::weight_module() const {
  rtl::Module w(m.name() + "_weight", fmt::format("Sum of the offers of some of {} groups.", groups));
  const Expr who = w.input("groups", groups, "the groups");
  const Expr offers = w.input("offer", groups * offer_bits, "slots that each offers");
  const Expr sum = w.output("sum", sum_bits, "all together");
  std::vector<Expr> terms;
  for (int g = 0; g < groups; ++g)
    terms.push_back(offers.slice((g + 1) * offer_bits - 1, g * offer_bits) &
                    replicate(offer_bits, who.bit(g)));
  w.assign(sum, sum_of(w, "part", terms, sum_bits));
  return w;
}

void SplitPlaces::whole_groups() {
  m.section("Groups that are taken whole: what they and those before them offer is not enough.");
  const int key_bits = 2 * offer_bits + 1;
  const Expr keys = m.wire("offer_keys", groups * key_bits, "sort keys of the groups");
  m.comb("By their offers, then the line's tag, then unused slots.", [&] {
    m.loop("g", groups, [&](const Expr& g) {
      m.set(keys.part(g, key_bits),
            rtl::cat({offer.part(g, offer_bits), home_groups.at(g), cold.part(g, offer_bits)}));
    });
  });
  ahead_groups = groups_before(keys, "offers");
  const Expr sums = m.wire("sums", groups * sum_bits, "offers of the groups before each");
  const rtl::Module weight = weight_module();
  m.repeat("weight", groups, "A group each.", [&](const Expr& g) {
    m.instance(weight, "of_those_ahead",
               {{"groups", ahead_groups.part(g, groups)}, {"offer", offer}, {"sum", sums.part(g, sum_bits)}},
               "Offers before it.");
  });
  whole = m.wire("whole", groups, "groups that are taken whole");
  m.comb("Compare with what is wanted.", [&] {
    m.loop("g", groups, [&](const Expr& g) {
      m.set(whole.at(g),
            rtl::any(offer.part(g, offer_bits)) &
                (sums.part(g, sum_bits) + rtl::zext(offer.part(g, offer_bits), sum_bits) < wanted));
    });
  });
}

void SplitPlaces::last_group() {
  m.section("The group that supplies the rest.");
  const Expr supplied = m.wire("supplied", sum_bits, "slots from groups taken whole");
  m.instance(weight_module(), "supply", {{"groups", whole}, {"offer", offer}, {"sum", supplied}},
             "Sum of the offers.");
  const Expr rest = m.let("rest", wanted - supplied, "slots still wanted");
  const Expr able = m.wire("able", groups, "groups that can supply them");
  const int key_bits = offer_bits + 1;
  const Expr keys = m.wire("cold_keys", groups * key_bits, "sort keys of the groups");
  m.comb("By the line's tag, then unused slots.", [&] {
    m.loop("g", groups, [&](const Expr& g) {
      m.set(able.at(g),
            ~whole.at(g) & rtl::any(rest) & (rtl::zext(offer.part(g, offer_bits), sum_bits) >= rest));
      m.set(keys.part(g, key_bits), rtl::cat({home_groups.at(g), cold.part(g, offer_bits)}));
    });
  });
  const Expr before = groups_before(keys, "cold");
  last = m.wire("last", groups, "the group that supplies the rest");
  m.comb("The first of them.", [&] {
    m.loop("g", groups,
           [&](const Expr& g) { m.set(last.at(g), able.at(g) & ~rtl::any(able & before.part(g, groups))); });
  });
}

void SplitPlaces::order_of_chosen() {
  m.section("The order of the chosen slots.");
  const Expr taken = spread("taken", m.let("taken_groups", whole | last, "groups that supply slots"),
                            "slots of the groups that supply slots");
  given = m.let("given", offered & taken, "slots that they supply");
  const Expr none = m.let("given_free", given & ~valid, "slots that hold nothing");
  const Expr unused = m.let("given_unused", given & valid & ~used, "slots not recently used");
  const Expr worn = m.let("given_used", given & valid & used, "the others");
  const Expr earlier = m.let("before_given", rule1 | empty, "slots without a victim");
  const Expr low = table(
      m, "low_slots", slots, slots, [](int row, int column) { return column < row; },
      "for each slot, the slots below it");
  const Expr own = table(
      m, "own_groups", slots, slots,
      [this](int row, int column) { return column / per_group == row / per_group; },
      "for each slot, the slots of its group");
  const Expr by_slot = m.wire("slot_groups", slots * groups, "for each slot, the groups before its group");
  const Expr others =
      m.wire("other_slots", slots * slots, "for each slot, the slots of the groups before its group");
  m.comb("Groups taken whole come before the last one.", [&] {
    m.loop("g", groups, [&](const Expr& g) {
      m.set(by_slot.part(g, per_group * groups),
            replicate(per_group, whole & (ahead_groups.part(g, groups) | replicate(groups, last.at(g)))));
    });
    m.loop("slot_group", slots * groups,
           [&](const Expr& i) { m.set(others.part(i, per_group), replicate(per_group, by_slot.at(i))); });
  });
  ahead = m.wire("ahead", slots * slots, "for each slot, the slots that are chosen before it");
  m.comb("In a group first what holds nothing, then what was not used.", [&] {
    m.loop("s", slots, [&](const Expr& s) {
      const auto if_in = [&](const Expr& who) { return replicate(slots, who.at(s)); };
      const Expr lower = low.part(s, slots), group = own.part(s, slots);
      m.set(ahead.part(s, slots),
            (if_in(rule1) & rule1 & lower) | (if_in(empty) & (rule1 | (empty & lower))) |
                (if_in(given) & (earlier | (given & others.part(s, slots)))) |
                (group & ((if_in(none) & none & lower) | (if_in(unused) & (none | (unused & lower))) |
                          (if_in(worn) & (none | unused | (worn & lower))))));
    });
  });
}

void SplitPlaces::rank_by_group() {
  m.section("The rank of each chosen slot: how many come before it.");
  rtl::Module one(m.name() + "_rank", "The rank of a chosen slot.");
  const Expr before = one.input("ahead", slots, "chosen slots before it");
  const Expr may = one.input("may", 1, "the slot is chosen");
  const Expr turn_out = one.output("turn", chunks, "the number, one-hot, or 0");
  const Expr number = one.wire("number", chunks, "how many come before it");
  one.instance(unary_counter(one.name() + "_count", slots, chunks), "counter",
               {{"bits", before}, {"number", number}}, "Chosen slots before the slot.");
  one.assign(turn_out, unary_turn(number, chunks) & replicate(chunks, may));
  const Expr chosen = m.let("chosen", rule1 | empty | given, "slots that may be chosen");
  m.repeat("slot_rank", slots, "A slot each.", [&](const Expr& s) {
    m.instance(one, "rank",
               {{"ahead", ahead.part(s, slots)}, {"may", chosen.at(s)}, {"turn", turn.part(s, chunks)}},
               "The rank of the slot.");
  });
}

// The number of bits that are set.
rtl::Module SplitPlaces::counter_module(int n, const std::string& stem, int number_bits) const {
  rtl::Module c(m.name() + stem, fmt::format("How many of {} bits are set.", n));
  const Expr bits = c.input("bits", n, "the bits to be counted");
  const Expr out = c.output("number", number_bits, "how many are set");
  std::vector<Expr> terms;
  for (int i = 0; i < n; ++i) terms.push_back(bits.bit(i));
  c.assign(out, sum_of(c, "sum", terms, number_bits));
  return c;
}

}  // namespace hw
