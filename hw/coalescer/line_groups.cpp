#include "hw/coalescer/line_groups.h"

#include <fmt/format.h>

#include "hw/coalescer/lane_fields.h"

namespace hw {

using rtl::Expr, rtl::mux;

namespace {

rtl::Module first_of_line(const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, fmt::format("The lowest of {} lanes whose line is one lane's.", w.lanes));
  const Expr line = m.input("line", w.line, "line of the lane");
  const Expr lines = m.input("lines", w.lanes * w.line, "lines of all lanes");
  const Expr active = m.input("active", w.lanes, "active lanes");
  const Expr first = m.output("first", w.lane, "number of the lowest active lane of that line");
  const Expr same = m.wire("same", w.lanes, "active lanes of that line");
  m.comb("Compares the line with every lane's in one cycle.", [&] {
    m.loop("other", w.lanes,
           [&](const Expr& o) { m.set(same.at(o), active.at(o) & (lines.part(o, w.line) == line)); });
  });
  const Expr lowest = lowest_of(m, "lowest", same, "the lowest of those lanes");
  m.assign(first, number_of(lowest));
  return m;
}

}  // namespace

rtl::Module line_groups(const CoalescerParams& p, const std::string& name) {
  const CoalescerWidths w(p);
  rtl::Module m(name,
                "Groups the lanes of each line. The number of groups must be known before the first "
                "request leaves, so all pairs of lanes are compared in one cycle.");
  const Expr active = m.input("active", w.lanes, "active lanes");
  const Expr lines = m.input("lines", w.lanes * w.line, "line of each lane");
  const Expr alone = m.input("alone", 1, "each lane is a group of its own");
  const Expr first =
      m.output("first", w.lanes * w.lane, "number of the lowest active lane of each lane's group");
  const Expr leads = m.output("leads", w.lanes, "active lanes that are the lowest of their groups");
  const Expr found =
      m.wire("found", w.lanes * w.lane, "number of the lowest active lane of each lane's line");
  const rtl::Module one = first_of_line(w, name + "_lane");
  m.repeat("lane", w.lanes, "A lane each.", [&](const Expr& l) {
    m.instance(one, "against_others",
               {{"line", lines.part(l, w.line)},
                {"lines", lines},
                {"active", active},
                {"first", found.part(l, w.lane)}},
               "Against all others.");
  });
  m.comb("Lanes that lead a group.", [&] {
    m.loop("l", w.lanes, [&](const Expr& l) {
      const Expr own = l.slice(w.lane - 1, 0);
      m.set(first.part(l, w.lane), mux(alone, own, found.part(l, w.lane)));
      m.set(leads.at(l), active.at(l) & (alone | (found.part(l, w.lane) == own)));
    });
  });
  return m;
}

}  // namespace hw
