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

SplitPlaces::SplitPlaces(const L1dParams& p, const std::string& name)
    : slots(slots_of(p)),
      groups(p.split.groups),
      per_group(slots / groups),
      chunks(chunks_of_line(p)),
      rank_bits(bits_to_number(slots)),
      m(name,
        fmt::format("Places of up to {} missed chunk{} in a set of {} slots, in groups of {} (TSC paper, "
                    "section 3).",
                    chunks, chunks == 1 ? "" : "s", slots, per_group)) {}

rtl::Module SplitPlaces::run(SplitVictim victim) {
  ports(victim);
  groups_of_set();
  if (victim == SplitVictim::chunk)
    order_by_chunk();
  else
    order_by_group();
  ranks();
  choose();
  return m;
}

void SplitPlaces::ports(SplitVictim victim) {
  valid = m.input("slot_valid", slots, "slots that hold data");
  busy = m.input("slot_busy", slots, "slots that are waited for");
  used = m.input("slot_used", slots, "slots used since all were");
  kept = m.input("slot_kept", slots, "slots of chunks that the load finds");
  same_tag = m.input("same_tag", groups, "groups with the load's shared tag");
  missed = m.input("missed", chunks, "chunks that need a place");
  if (victim == SplitVictim::chunk)
    start = m.input("start", rank_bits, "slot where the search for victims begins");
  places = m.output("places", chunks * slots, "slot of each missed chunk, one-hot");
  enough = m.output("enough", 1, "each missed chunk has a place");
}

Expr SplitPlaces::in_groups(const std::string& name, const Expr& slot_set, const std::string& doc) {
  const Expr bits = m.wire(name, groups, doc);
  m.comb(fmt::format("Groups of {}.", name), [&] {
    m.loop(name + "_group", groups,
           [&](const Expr& g) { m.set(bits.at(g), rtl::any(slot_set.part(g, per_group))); });
  });
  return bits;
}

Expr SplitPlaces::spread(const std::string& name, const Expr& group_set, const std::string& doc) {
  if (per_group == 1) return m.let(name, group_set, doc);
  const Expr bits = m.wire(name, slots, doc);
  m.comb(fmt::format("Slots of {}.", name), [&] {
    m.loop(name + "_group", groups,
           [&](const Expr& g) { m.set(bits.part(g, per_group), replicate(per_group, group_set.at(g))); });
  });
  return bits;
}

Expr SplitPlaces::table(const std::string& name, int rows, int width, bool (*bit)(int, int, int), int step,
                        const std::string& doc) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(rows * width + 63) / 64);
  for (int i = 0; i < rows * width; ++i)
    if (bit(i / width, i % width, step))
      words[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
  return m.let(name, rtl::wide_lit(rows * width, words), doc);
}

// Rules 1 and 2, and who may be a victim. A group with another tag may go unless one of its slots is busy.
void SplitPlaces::groups_of_set() {
  m.section("Free slots, and slots that may go.");
  const Expr occupied = m.let("occupied", valid | busy, "slots that hold or await data");
  const Expr filled = in_groups("group_filled", occupied, "groups with such a slot");
  const Expr waits = in_groups("group_busy", busy, "groups with a busy slot");
  home_groups = m.let("home_groups", filled & same_tag, "groups with the line's shared tag");
  free_groups = m.let("free_groups", ~filled, "groups that hold nothing");
  foreign_groups =
      m.let("foreign_groups", filled & ~(same_tag | waits), "groups that may take the line's tag");
  home = spread("home", home_groups, "slots of groups with the line's shared tag");
  foreign = spread("foreign", foreign_groups, "slots of groups that may take it");
  const Expr empty = spread("empty", free_groups, "slots of groups that hold nothing");
  classes.push_back(m.let("rule1", home & ~occupied, "free slots of groups with the line's tag"));
  classes.push_back(empty);
  victims = m.let("victims", valid & ~(busy | kept) & (home | foreign), "slots whose chunks may go");
}

// How many slots come before each slot in the order of the places.
void SplitPlaces::ranks() {
  m.section("The number of each place: how many come before it.");
  const rtl::Module counter = counter_module(slots, "_count", rank_bits);
  rank = m.wire("rank", slots * rank_bits, "places before each");
  m.repeat("slot_rank", slots, "A slot each.", [&](const Expr& s) {
    m.instance(counter, "counter", {{"bits", ahead.part(s, slots)}, {"number", rank.part(s, rank_bits)}},
               "Places before it.");
  });
  chosen = m.wire("chosen", slots, "slots that may become places");
  Expr all = classes[0];
  for (std::size_t c = 1; c < classes.size(); ++c) all = all | classes[c];
  m.assign(chosen, all);
}

rtl::Module SplitPlaces::counter_module(int n, const std::string& stem, int number_bits) const {
  rtl::Module c(m.name() + stem, fmt::format("How many of {} bits are set.", n));
  const Expr bits = c.input("bits", n, "what is counted");
  const Expr out = c.output("number", number_bits, "how many are set");
  std::vector<Expr> terms;
  for (int i = 0; i < n; ++i) terms.push_back(bits.bit(i));
  c.assign(out, sum_of(c, "sum", terms, number_bits));
  return c;
}

// The lowest missed chunk takes the first place.
void SplitPlaces::choose() {
  m.section("A place for each missed chunk.");
  const Expr number = m.wire("missed_before", chunks * rank_bits, "missed chunks below each");
  m.assign(number.slice(rank_bits - 1, 0), lit(rank_bits, 0));
  std::vector<Expr> terms;
  for (int c = 1; c < chunks; ++c) {
    terms.push_back(missed.bit(c - 1));
    m.assign(number.slice((c + 1) * rank_bits - 1, c * rank_bits),
             sum_of(m, fmt::format("missed_below{}", c), terms, rank_bits));
  }
  const Expr found = m.wire("has_place", chunks, "chunks with a place");
  const rtl::Module pick = pick_module();
  m.repeat("chunk", chunks, "A chunk each.", [&](const Expr& c) {
    m.instance(pick, "pick",
               {{"want", missed.at(c)},
                {"number", number.part(c, rank_bits)},
                {"rank", rank},
                {"chosen", chosen},
                {"place", places.part(c, slots)},
                {"found", found.at(c)}},
               "Its place.");
  });
  m.assign(enough, ~rtl::any(missed & ~found));
}

rtl::Module SplitPlaces::pick_module() const {
  rtl::Module k(m.name() + "_pick", fmt::format("The place of a given number among {} slots.", slots));
  const Expr want = k.input("want", 1, "a place is wanted");
  const Expr number = k.input("number", rank_bits, "its number");
  const Expr ranks = k.input("rank", slots * rank_bits, "number of each slot");
  const Expr may = k.input("chosen", slots, "slots that may become places");
  const Expr place = k.output("place", slots, "the place, one-hot, or 0");
  const Expr found = k.output("found", 1, "there is one");
  const Expr at = k.wire("at", slots, "slots of that number");
  k.comb("Compare the numbers.", [&] {
    k.loop("s", slots, [&](const Expr& s) { k.set(at.at(s), ranks.part(s, rank_bits) == number); });
  });
  const Expr mine = k.let("mine", at & may & replicate(slots, want), "the one that may");
  k.assign(place, mine);
  k.assign(found, rtl::any(mine));
  return k;
}

rtl::Module split_places(const L1dParams& p, const std::string& name) {
  return SplitPlaces(p, name).run(p.split.victim);
}

}  // namespace hw
