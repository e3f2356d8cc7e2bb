#include "hw/tags/split_places.h"

#include <fmt/format.h>

#include "hw/tags/split_places_builder.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::replicate;

// Sums of neighbours, then of neighbours' sums.
Expr sum_of(rtl::Module& m, const std::string& name, std::vector<Expr> terms, int bits) {
  for (int level = 1; terms.size() > 1; ++level) {
    std::vector<Expr> next;
    for (std::size_t i = 0; i + 1 < terms.size(); i += 2) {
      const int width = std::min(bits, std::max(terms[i].width(), terms[i + 1].width()) + 1);
      next.push_back(m.let(fmt::format("{}_{}_{}", name, level, i / 2),
                           rtl::zext(terms[i], width) + rtl::zext(terms[i + 1], width), "part of a sum"));
    }
    if (terms.size() % 2) next.push_back(terms.back());
    terms = next;
  }
  return rtl::zext(terms[0], bits);
}

SplitPlaces::SplitPlaces(const TagParams& p, const std::string& name)
    : slots(slots_of(p)),
      groups(p.split.groups),
      per_group(slots / groups),
      chunks(chunks_of_line(p)),
      start_bits(bits_to_number(slots)),
      tally_count(std::min(chunks, per_group)),
      own_count(std::max(1, std::min(chunks, per_group - 1))),
      other_count(std::max(1, std::min(chunks, slots - per_group))),
      m(name,
        fmt::format("Slots for up to {} missed chunk{} in a set of {} slots, in groups of {} (TSC paper, "
                    "section 3).",
                    chunks, chunks == 1 ? "" : "s", slots, per_group)) {}

rtl::Module SplitPlaces::run(SplitVictim victim) {
  ports(victim);
  groups_of_set();
  turn = m.wire("turn", slots * chunks, "for each slot its rank among the chosen ones, one-hot, or 0");
  if (victim == SplitVictim::chunk)
    rank_by_chunk();
  else
    order_by_group();
  choose();
  enough_places();
  return m;
}

void SplitPlaces::ports(SplitVictim victim) {
  valid = m.input("slot_valid", slots, "slots that hold data");
  busy = m.input("slot_busy", slots, "slots that are waited for");
  used = m.input("slot_used", slots, "slots used since all were");
  kept = m.input("slot_kept", slots, "slots of chunks that the load finds");
  same_tag = m.input("same_tag", groups, "groups with the load's shared tag");
  missed = m.input("missed", chunks, "chunks that need a slot");
  if (victim == SplitVictim::chunk)
    start = m.input("start", start_bits, "slot where the search for victims begins");
  places = m.output("places", chunks * slots, "slot of each missed chunk, one-hot");
  enough = m.output("enough", 1, "each missed chunk has a slot");
}

Expr SplitPlaces::in_groups(const std::string& name, const Expr& slot_set, const std::string& doc) {
  const Expr bits = m.wire(name, groups, doc);
  m.comb("A group has the bit of any of its slots.", [&] {
    m.loop(name + "_group", groups,
           [&](const Expr& g) { m.set(bits.at(g), rtl::any(slot_set.part(g, per_group))); });
  });
  return bits;
}

Expr SplitPlaces::spread(const std::string& name, const Expr& group_set, const std::string& doc) {
  if (per_group == 1) return m.let(name, group_set, doc);
  const Expr bits = m.wire(name, slots, doc);
  m.comb("A slot has the bit of its group.", [&] {
    m.loop(name + "_group", groups,
           [&](const Expr& g) { m.set(bits.part(g, per_group), replicate(per_group, group_set.at(g))); });
  });
  return bits;
}

// A group with another tag may go unless one of its slots is busy.
void SplitPlaces::groups_of_set() {
  m.section("Free slots, and slots that may go.");
  const Expr occupied = m.let("occupied", valid | busy, "slots that hold or await data");
  const Expr filled = in_groups("group_filled", occupied, "groups with such a slot");
  const Expr waits = in_groups("group_busy", busy, "groups with a busy slot");
  home_groups = m.let("home_groups", filled & same_tag, "groups with the line's shared tag");
  const Expr free_groups = m.let("free_groups", ~filled, "groups that hold nothing");
  const Expr foreign_groups =
      m.let("foreign_groups", filled & ~(same_tag | waits), "groups that may take the line's tag");
  home = spread("home", home_groups, "slots of groups with the line's shared tag");
  foreign = spread("foreign", foreign_groups, "slots of groups that may take it");
  empty = spread("empty", free_groups, "slots of groups that hold nothing");
}

// Each candidate is taken if enough are wanted, in any order.
void SplitPlaces::enough_places() {
  m.section("Whether there are enough.");
  const Expr may = m.let("may", (home & ~(busy | kept)) | empty | foreign, "slots that may be chosen");
  const Expr have = m.wire("have", chunks, "how many those are");
  m.instance(unary_counter(m.name() + "_have", slots, chunks), "places_there",
             {{"bits", may}, {"number", have}}, "Slots that may be chosen.");
  const Expr want = m.wire("want", chunks, "how many are wanted");
  m.instance(unary_counter(m.name() + "_want", chunks, chunks), "places_wanted",
             {{"bits", missed}, {"number", want}}, "Chunks that need one.");
  m.assign(enough, ~rtl::any(want & ~have));
}

// The lowest missed chunk takes the first slot.
void SplitPlaces::choose() {
  m.section("A slot for each missed chunk.");
  const Expr low = table(
      m, "low_chunks", chunks, chunks, [](int row, int column) { return column < row; },
      "for each chunk, the chunks below it");
  const rtl::Module pick = pick_module();
  m.repeat("chunk", chunks, "A chunk each.", [&](const Expr& c) {
    m.instance(pick, "pick",
               {{"want", missed.at(c)},
                {"ahead", missed & low.part(c, chunks)},
                {"turn", turn},
                {"place", places.part(c, slots)}},
               "The slot of the chunk.");
  });
}

rtl::Module SplitPlaces::pick_module() const {
  rtl::Module k(m.name() + "_pick", fmt::format("The slot of a chunk among {} slots.", slots));
  const Expr want = k.input("want", 1, "a slot is wanted");
  const Expr before = k.input("ahead", chunks, "chunks that take one before it");
  const Expr turns = k.input("turn", slots * chunks, "rank of each chosen slot, one-hot, or 0");
  const Expr place = k.output("place", slots, "the slot, one-hot, or 0");
  const Expr number = k.wire("number", chunks, "how many take one before it");
  k.instance(unary_counter(k.name() + "_number", chunks, chunks), "chunks_before",
             {{"bits", before}, {"number", number}}, "Chunks that take a slot before this one.");
  const Expr mine =
      k.let("mine", unary_turn(number, chunks) & replicate(chunks, want), "the rank of the slot");
  k.comb("Compare the numbers.", [&] {
    k.loop("s", slots, [&](const Expr& s) { k.set(place.at(s), rtl::any(turns.part(s, chunks) & mine)); });
  });
  return k;
}

rtl::Module split_places(const TagParams& p, const std::string& name) {
  return SplitPlaces(p, name).run(p.split.victim);
}

}  // namespace hw
