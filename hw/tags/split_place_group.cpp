// A group of slots by itself, with victims by chunk. What its slots are if it has the line's tag, and if it
// has another one, is worked out beside whether it does (TSC paper, section 3).
#include <fmt/format.h>
#include <optional>

#include "hw/tags/split_places_builder.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

constexpr int part_count = 4, first_part = place_classes - part_count;

}  // namespace

PlaceGroup::PlaceGroup(const std::string& name, int per_group, int own, int tally)
    : k(per_group),
      own_count(own),
      tally_count(tally),
      m(name, fmt::format("Choice of slots in a group of {} slot{}.", k, k == 1 ? "" : "s")) {}

rtl::Module PlaceGroup::run() {
  ports();
  parts_of_search();
  with_line_tag();
  with_other_tag();
  classes();
  before_each();
  return m;
}

void PlaceGroup::ports() {
  valid = m.input("slot_valid", k, "slots that hold data");
  busy = m.input("slot_busy", k, "slots that are waited for");
  used = m.input("slot_used", k, "slots used since all were");
  kept = m.input("slot_kept", k, "slots of chunks that the load finds");
  behind = m.input("from_start", k, "slots at and above the start of the search");
  same_tag = m.input("same_tag", 1, "the group has the load's shared tag");
  classes_out = m.output("classes", k * place_classes, "class of each slot, one-hot, or 0");
  within_out = m.output("in_group", k * own_count, "chosen slots before each in the group");
  tally_out = m.output("tally", place_classes * tally_count, "chosen slots up to each class");
}

void PlaceGroup::parts_of_search() {
  const Expr occupied = m.let("occupied", valid | busy, "slots that hold or await data");
  const Expr filled = m.let("filled", rtl::any(occupied), "there is such a slot");
  free = m.let("free", ~occupied, "the others");
  home = m.let("home", filled & same_tag, "the group has the line's shared tag");
  empty = m.let("empty", ~filled, "the group holds nothing");
  foreign = m.let("foreign", filled & ~(same_tag | rtl::any(busy)), "the group may take the line's tag");
  parts = {m.let("part0", valid & ~used & behind, "from the start on, not used"),
           m.let("part1", valid & ~used & ~behind, "below the start, not used"),
           m.let("part2", valid & used & behind, "from the start on, used"),
           m.let("part3", valid & used & ~behind, "below the start, used")};
}

void PlaceGroup::with_line_tag() {
  m.section("With the line's tag: free slots, then slots that are neither waited for nor kept.");
  const Expr spare = m.let("spare", ~(busy | kept), "slots whose chunks may go");
  own = {free, lit(k, 0)};
  reach = {free, free};
  for (int part = 0; part < part_count; ++part) {
    own.push_back(m.let(fmt::format("victims{}", part), parts[part] & spare, "victims of the part"));
    reach.push_back(
        m.let(fmt::format("reach{}", part), reach.back() | own.back(), "the slots with all before them"));
  }
}

// All that it holds are victims, and it holds something.
void PlaceGroup::with_other_tag() {
  m.section("With another tag: the part in which its first victim is met, which opens it whole.");
  first = met = {m.let("met0", rtl::any(parts[0]), "a victim is met in the first part")};
  Expr may = parts[0];
  for (int part = 1; part < part_count; ++part) {
    const Expr here = part + 1 < part_count ? rtl::any(parts[part]) : lit(1, 1);
    first.push_back(
        m.let(fmt::format("first{}", part), here & ~met.back(), "the first victim is met in this part"));
    may = may | (parts[part] & replicate(k, first.back()));
    if (part + 1 < part_count)
      met.push_back(m.let(fmt::format("met{}", part), here | met.back(), "or in one before"));
  }
  met.push_back(lit(1, 1));
  const Expr opening = lowest_of(
      m, "opening", m.let("may_open", may, "victims of the group in the opening part"), "the lowest of them");
  opens = m.let("opens", opening & replicate(k, foreign), "the slot that opens it, if it may be opened");
}

void PlaceGroup::classes() {
  m.section("The class of each slot.");
  std::vector<Expr> of_class;
  for (int c = 0; c < place_classes; ++c) {
    Expr slots = own[c] & replicate(k, home);
    if (c == 1) slots = replicate(k, empty);
    if (c >= first_part) slots = slots | replicate(k, foreign & first[c - first_part]);
    of_class.push_back(m.let(fmt::format("class{}", c), slots, fmt::format("slots of class {}", c)));
  }
  m.comb("Class of each slot.", [&] {
    m.loop("s", k, [&](const Expr& s) {
      std::vector<Expr> bits;
      for (int c = place_classes - 1; c >= 0; --c) bits.push_back(of_class[c].at(s));
      m.set(classes_out.part(s, place_classes), rtl::cat(bits));
    });
  });
  const rtl::Module counter = unary_counter(m.name() + "_tally", k, tally_count);
  Expr number;
  for (int c = 0; c < place_classes; ++c) {
    if (c != 1) {
      number = m.wire(fmt::format("number{}", c), tally_count, fmt::format("slots up to class {}", c));
      m.instance(counter, fmt::format("counter{}", c), {{"bits", reach[c]}, {"number", number}},
                 "With the line's tag.");
    }
    std::optional<Expr> all;  // other tags' slots
    if (c >= first_part)
      all = empty | (foreign & met[c - first_part]);
    else if (c == 1)
      all = empty;
    const Expr some = number & replicate(tally_count, home);
    m.assign(tally_out.slice((c + 1) * tally_count - 1, c * tally_count),
             all ? some | replicate(tally_count, *all) : some);
  }
}

// The slot that opens it comes first in it; else the order is ascending in a class.
void PlaceGroup::before_each() {
  m.section("Chosen slots before each slot.");
  const auto below = [](int row, int column) { return column < row; };
  const auto above = [](int row, int column) { return column > row; };
  const Expr low = table(m, "low_slots", k, k, below, "for each slot, the slots below it");
  const Expr high = table(m, "high_slots", k, k, above, "for each slot, the slots above it");
  const Expr lower = table(m, "low_number", k, own_count, below, "for each slot, how many those are");
  const Expr next = table(
      m, "next_number", k, own_count, [](int row, int column) { return column <= row; }, "one more");
  const Expr rows = m.wire("rows", k * k, "for each slot, the chosen slots before it, with the line's tag");
  m.comb("Earlier classes, and lower slots of its own.", [&] {
    m.loop("slot", k, [&](const Expr& s) {
      const Expr down = low.part(s, k), up = high.part(s, k);
      const Expr row = rows.part(s, k);
      m.set(row, replicate(k, free.at(s)) & free & down);
      for (int c = first_part; c < place_classes; ++c)
        m.set(row, row | (replicate(k, own[c].at(s)) & ((reach[c] & down) | (reach[c - 1] & up))));
    });
  });
  const Expr numbers = m.wire("numbers", k * own_count, "how many those are");
  const rtl::Module counter = unary_counter(m.name() + "_count", k, own_count);
  m.repeat("at", k, "A slot each.", [&](const Expr& s) {
    m.instance(counter, "counter", {{"bits", rows.part(s, k)}, {"number", numbers.part(s, own_count)}},
               "Chosen slots before the slot.");
  });
  m.comb("Without the line's tag the group is taken whole.", [&] {
    m.loop("place", k, [&](const Expr& s) {
      const Expr after =
          mux(rtl::any(opens & high.part(s, k)), next.part(s, own_count), lower.part(s, own_count));
      m.set(within_out.part(s, own_count),
            mux(home, numbers.part(s, own_count), after & ~replicate(own_count, opens.at(s))));
    });
  });
}

}  // namespace hw
