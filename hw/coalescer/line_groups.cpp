#include "hw/coalescer/line_groups.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "hw/coalescer/lane_fields.h"

namespace hw {

using rtl::any, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

rtl::Module lanes_above(const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name,
                fmt::format("Of {} lanes those above one lane that have its line or its word.", w.lanes));
  const Expr own = m.input("own", w.lane, "number of the lane");
  const Expr present = m.input("present", 1, "the lane may share a request");
  const Expr line = m.input("line", w.line, "line of the lane");
  const Expr word = m.input("word", w.word, "word of the lane in its line");
  const Expr active = m.input("active", w.lanes, "active lanes");
  const Expr lines = m.input("lines", w.lanes * w.line, "lines of all lanes");
  const Expr words = m.input("words", w.lanes * w.word, "words of all lanes");
  const Expr joins = m.output("joins", w.lanes, "active lanes above it of its line");
  const Expr hides = m.output("hides", w.lanes, "lanes of its word among them");
  m.comb("Compares the lane with every lane in one cycle.", [&] {
    m.loop("other", w.lanes, [&](const Expr& o) {
      const Expr above = own < o.slice(w.lane - 1, 0);
      m.set(joins.at(o), present & active.at(o) & above & (lines.part(o, w.line) == line));
      m.set(hides.at(o), joins.at(o) & (words.part(o, w.word) == word));
    });
  });
  return m;
}

// Instead of the groups themselves, which are known later: no bit of the line differs between active lanes.
Expr one_line(rtl::Module& m, const CoalescerWidths& w, const Expr& active, const Expr& lines) {
  const Expr set = m.wire("line_set", w.line, "bits of the line that are 1 in an active lane"),
             clear = m.wire("line_clear", w.line, "bits of the line that are 0 in an active lane");
  m.comb("Each bit of the line.", [&] {
    m.set(set, lit(w.line, 0));
    m.set(clear, lit(w.line, 0));
    m.loop("l", w.lanes, [&](const Expr& l) {
      const Expr line = lines.part(l, w.line), counts = replicate(w.line, active.at(l));
      m.set(set, set | (line & counts));
      m.set(clear, clear | (~line & counts));
    });
  });
  return ~any(set & clear);
}

}  // namespace

rtl::Module line_groups(const CoalescerParams& p, const std::string& name) {
  const CoalescerWidths w(p);
  rtl::Module m(name,
                "Groups the lanes of each line. The number of groups must be known before the first "
                "request leaves, so all pairs of lanes are compared in one cycle.");
  const Expr active = m.input("active", w.lanes, "active lanes");
  const Expr lines = m.input("lines", w.lanes * w.line, "line of each lane");
  const Expr words = m.input("words", w.lanes * w.word, "word of each lane in its line");
  const Expr alone = m.input("alone", 1, "each lane is a group of its own");
  const Expr joins = m.output("joins", w.lanes * w.lanes, "for each lane, active lanes above it of its line");
  const Expr hides = m.output("hides", w.lanes * w.lanes, "for each lane, the lanes of its word among them");
  const Expr leads = m.output("leads", w.lanes, "active lanes that are the lowest of their groups");
  const Expr single = m.output("single", 1, "there is one group");
  std::vector<int> numbers(static_cast<std::size_t>(w.lanes));
  std::iota(numbers.begin(), numbers.end(), 0);
  const Expr lanes = m.table("LANES", w.lane, numbers, "numbers of the lanes");
  const rtl::Module one = lanes_above(w, name + "_lane");
  m.repeat("lane", w.lanes, "A lane each.", [&](const Expr& l) {
    m.instance(one, "against_others",
               {{"own", lanes.part(l, w.lane)},
                {"present", active.at(l) & ~alone},
                {"line", lines.part(l, w.line)},
                {"word", words.part(l, w.word)},
                {"active", active},
                {"lines", lines},
                {"words", words},
                {"joins", joins.part(l, w.lanes)},
                {"hides", hides.part(l, w.lanes)}},
               "Against all others.");
  });
  const Expr joined = m.wire("joined", w.lanes, "lanes that join a lower one");
  m.comb("Any of the lower lanes.", [&] {
    m.set(joined, lit(w.lanes, 0));
    m.loop("lower", w.lanes, [&](const Expr& l) { m.set(joined, joined | joins.part(l, w.lanes)); });
  });
  m.assign(leads, active & ~joined);
  const Expr several = at_least(m, "several", 2, active, "several lanes are active");
  m.assign(single, mux(alone, ~several, one_line(m, w, active, lines)));
  return m;
}

}  // namespace hw
