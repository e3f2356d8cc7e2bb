#include "hw/tags/decoupled_way.h"

#include <fmt/format.h>

#include "hw/tags/exchange.h"

namespace hw {

using rtl::Expr, rtl::mux, rtl::replicate;

rtl::Module age_order(int n, int bits, const std::string& name) {
  rtl::Module m(name, fmt::format("Finds the ones of {} entries that are older than another.", n));
  const Expr age = m.input("age", bits, "age of that one");
  const Expr ages = m.input("ages", n * bits, "ages of the entries");
  const Expr older = m.output("older", n, "entries that are older");
  m.comb("Compare the ages.",
         [&] { m.loop("entry", n, [&](const Expr& e) { m.set(older.at(e), age < ages.part(e, bits)); }); });
  return m;
}

Expr older_than_each(rtl::Module& m, const std::string& name, const rtl::Module& order, const Expr& ages,
                     int n, const std::string& doc) {
  const int bits = ages.width() / n;
  const Expr older = m.wire(name, n * n, doc);
  m.repeat(name + "_of", n, "An entry each.", [&](const Expr& e) {
    m.instance(order, "order", {{"age", ages.part(e, bits)}, {"ages", ages}, {"older", older.part(e, n)}},
               "Entries that are older than this one.");
  });
  return older;
}

Expr oldest_of(rtl::Module& m, const std::string& name, const Expr& bits, const Expr& older,
               const std::string& doc) {
  const int n = bits.width();
  if (n == 1) return m.let(name, bits, doc);
  const Expr oldest = m.wire(name, n, doc);
  m.comb("No other candidate is older.", [&] {
    m.loop(name + "_entry", n,
           [&](const Expr& e) { m.set(oldest.at(e), bits.at(e) & ~rtl::any(bits & older.part(e, n))); });
  });
  return oldest;
}

namespace {

// What one line has of its way's positions.
rtl::Module line_module(const TagParams& p, const std::string& name) {
  const int chunks = chunks_of_line(p), bits = selector_bits(p);
  rtl::Module m(name, "Positions of a way that belong to the line of one tag.");
  Expr owns = rtl::ones(chunks), number, selectors;
  if (bits) {
    number = m.input("number", bits, "number of the tag in the way");
    selectors = m.input("selectors", chunks * bits, "number of the tag that each position belongs to");
  }
  const Expr valid = m.input("valid", chunks, "positions whose chunks may be found");
  const Expr busy = m.input("busy", chunks, "positions on their way or waited for");
  const Expr mask = m.input("mask", chunks, "chunks of the request");
  const Expr owns_out = m.output("owns", chunks, "positions that belong to the line, if they are in use");
  const Expr holds_out = m.output("holds", chunks, "positions with a chunk to be found");
  const Expr covers_out = m.output("covers", 1, "all chunks of the request are among them");
  const Expr filled_out = m.output("filled", 1, "there are some");
  const Expr used_out = m.output("used", 1, "the tag stands for a line: it has a position in use");
  const Expr waits_out = m.output("waits", 1, "one of its positions is on its way or waited for");
  const Expr hurt_out = m.output("hurt", 1, "the line has a chunk where the request has one");
  if (bits)
    m.comb("Compare the selectors.", [&] {
      m.loop("chunk", chunks,
             [&](const Expr& c) { m.set(owns_out.at(c), selectors.part(c, bits) == number); });
    });
  else
    m.assign(owns_out, owns);
  m.assign(holds_out, owns_out & valid);
  m.assign(covers_out, ~rtl::any(mask & ~holds_out));
  m.assign(filled_out, rtl::any(holds_out));
  m.assign(waits_out, rtl::any(owns_out & busy));
  m.assign(used_out, filled_out | waits_out);
  m.assign(hurt_out, rtl::any(holds_out & mask));
  return m;
}

}  // namespace

rtl::Module decoupled_way(const TagParams& p, const std::string& name) {
  const int chunks = chunks_of_line(p), tags = p.decoupled.tags_per_way, bits = selector_bits(p);
  rtl::Module m(name, fmt::format("The {} of a way, and which positions each of them has.",
                                  tags == 1 ? "line" : fmt::format("{} lines", tags)));
  Expr selectors;
  if (bits)
    selectors = m.input("selectors", chunks * bits, "number of the tag that each position belongs to");
  const Expr valid = m.input("valid", chunks, "positions whose chunks may be found");
  const Expr busy = m.input("busy", chunks, "positions on their way or waited for");
  const Expr mask = m.input("mask", chunks, "chunks of the request");
  const Expr owns = m.output("owns", tags * chunks, "positions of each line, if they are in use");
  const Expr holds = m.output("holds", tags * chunks, "positions with a chunk to be found");
  const Expr covers = m.output("covers", tags, "lines that have all chunks of the request");
  const Expr filled = m.output("filled", tags, "lines that have a chunk");
  const Expr used = m.output("used", tags, "tags that stand for a line");
  const Expr waits = m.output("waits", tags, "lines with a position on its way or waited for");
  const Expr hurt = m.output("hurt", tags, "lines with a chunk where the request has one");
  const Expr blocked = m.output("blocked", 1, "a position for the request may not be overwritten");
  Expr numbers;
  if (bits) {
    std::uint64_t value = 0;
    for (int j = 0; j < tags; ++j) value |= static_cast<std::uint64_t>(j) << (j * bits);
    numbers = m.let("numbers", rtl::lit(tags * bits, value), "the tags' numbers one after the other");
  }
  const rtl::Module line = line_module(p, name + "_line");
  m.repeat("line", tags, "A line each.", [&](const Expr& j) {
    Pins pins;
    if (bits) pins = {{"number", numbers.part(j, bits)}, {"selectors", selectors}};
    pins.insert(pins.end(), {{"valid", valid},
                             {"busy", busy},
                             {"mask", mask},
                             {"owns", owns.part(j, chunks)},
                             {"holds", holds.part(j, chunks)},
                             {"covers", covers.at(j)},
                             {"filled", filled.at(j)},
                             {"used", used.at(j)},
                             {"waits", waits.at(j)},
                             {"hurt", hurt.at(j)}});
    m.instance(line, "places", pins, "Positions of the line.");
  });
  m.assign(blocked, rtl::any(busy & mask));
  return m;
}

rtl::Module decoupled_places(const TagParams& p, const std::string& name) {
  const int chunks = chunks_of_line(p), tags = p.decoupled.tags_per_way;
  rtl::Module m(name, "Positions of some lines of a way.");
  const Expr owns = m.input("owns", tags * chunks, "positions of each line");
  const Expr lines = m.input("lines", tags, "the lines that are meant");
  const Expr places = m.output("places", chunks, "positions of those chunks");
  m.comb("Positions of each line.", [&] {
    m.set(places, rtl::lit(chunks, 0));
    m.loop("line", tags, [&](const Expr& j) {
      m.set(places, places | (owns.part(j, chunks) & replicate(chunks, lines.at(j))));
    });
  });
  return m;
}

rtl::Module decoupled_losers(const TagParams& p, const std::string& name) {
  const int chunks = chunks_of_line(p), tags = p.decoupled.tags_per_way;
  rtl::Module m(name, "Lines of a way that keep none of their positions.");
  const Expr owns = m.input("owns", tags * chunks, "positions of each line");
  const Expr used = m.input("used", tags, "tags that stand for a line");
  const Expr kept = m.input("kept", chunks, "positions in use that nobody loses");
  const Expr gone = m.output("gone", tags, "lines that go");
  m.comb("Whether one of its positions is kept.", [&] {
    m.loop("line", tags,
           [&](const Expr& j) { m.set(gone.at(j), used.at(j) & ~rtl::any(owns.part(j, chunks) & kept)); });
  });
  return m;
}

// A line with a busy position is not offered: its entry is known by an MSHR entry.
rtl::Module decoupled_offer(const TagParams& p, const std::string& name) {
  const int tags = p.decoupled.tags_per_way, bits = bits_to_number(decoupled_entries(p));
  rtl::Module m(name, "Offer of a way to a new line, and its cost for the lines that are there.");
  const Expr used = m.input("used", tags, "tags that stand for a line");
  const Expr waits = m.input("waits", tags, "lines with a position on its way or waited for");
  const Expr hurt = m.input("hurt", tags, "lines with a chunk where the new line has one");
  const Expr blocked = m.input("blocked", 1, "a position for the new line may not be overwritten");
  Expr ages, older;
  if (tags > 1) ages = m.input("ages", tags * bits, "ages of the tags");
  const Expr offered = m.output("offered", tags, "the tag for the new line, one-hot");
  const Expr some = m.output("some", 1, "the way has a tag to offer, and the positions");
  const Expr free = m.output("free", 1, "and nobody loses anything by it");
  const Expr youngest = m.output("youngest", tags, "else the loser used last, one-hot");
  const Expr idle = m.let("idle", ~used, "tags without a line");
  const Expr lowest = lowest_of(m, "lowest", idle, "the lowest tag without a line");
  const Expr settled = m.let("settled", used & ~waits, "lines that may be replaced");
  if (tags > 1)
    older = older_than_each(m, "older", age_order(tags, bits, name + "_order"), ages, tags,
                            "for each tag the older ones of the way");
  const Expr oldest = oldest_of(m, "oldest", settled, older, "the line used longest ago");
  m.assign(offered, mux(rtl::any(idle), lowest, oldest));
  m.assign(some, ~blocked & ~rtl::all(waits));
  const Expr losers = m.let("losers", hurt | (offered & used), "lines that lose chunks");
  m.assign(free, some & ~rtl::any(losers));
  if (tags == 1) {
    m.assign(youngest, losers & some);
    return m;
  }
  const Expr younger = m.wire("younger", tags * tags, "for each tag the younger ones of the way");
  for (int j = 0; j < tags; ++j)
    for (int l = 0; l < tags; ++l) m.assign(younger.bit(j * tags + l), older.bit(l * tags + j));
  const Expr last = oldest_of(m, "last_used", losers, younger, "the loser used last");
  m.assign(youngest, last & replicate(tags, some));
  return m;
}

}  // namespace hw
