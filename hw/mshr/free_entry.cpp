#include "hw/mshr/free_entry.h"

#include <fmt/format.h>

#include "hw/mshr/next_entry.h"
#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr, rtl::replicate;

// Groups first, so that no path goes through all entries.
rtl::Module free_entry_search(const std::string& name, int entries) {
  rtl::Module m(name, fmt::format("The lowest of {} entr{} of an MSHR file that is free.", entries,
                                  entries == 1 ? "y" : "ies"));
  const int group = search_group(entries), groups = (entries + group - 1) / group, wide = groups * group;
  const Expr free = m.input("free", entries, "entries not in use");
  const Expr bits = m.output("lowest_free", entries, "the lowest of them, one-hot"),
             firsts = m.output("free_firsts", entries, "the lowest of each group of entries"),
             two = m.output("two_free", 1, "two entries are free");
  std::optional<Expr> number;
  if (entries > 1) number = m.output("free_number", bits_to_number(entries), "number of the lowest");
  const Expr all =
      wide == entries ? free : m.let("free_groups", rtl::zext(free, wide), "entries in full groups");
  const Expr below = below_in_groups(m, "below_free", all, group, "a free entry stands below in its group");
  const Expr first = m.let("group_firsts", all & ~below, "the lowest of each group");
  m.assign(firsts, wide == entries ? first : first.slice(entries - 1, 0));
  const Expr some = m.wire("free_in_group", groups, "groups with a free entry");
  m.comb("Look into each group.", [&] {
    m.loop("member", groups, [&](const Expr& g) { m.set(some.at(g), rtl::any(all.part(g, group))); });
  });
  const Expr lowest = groups == 1 ? some : lowest_of(m, "lowest_group", some, "the lowest of them");
  const Expr two_in_group = rtl::any(all & below);
  m.assign(two, groups == 1 ? two_in_group : two_in_group | rtl::any(some & ~lowest));
  const Expr out = m.wire("lowest", wide, "the lowest entry in full groups");
  m.comb("The lowest entry of the lowest group.", [&] {
    m.loop("of", groups, [&](const Expr& g) {
      m.set(out.part(g, group), first.part(g, group) & replicate(group, lowest.at(g)));
    });
  });
  if (wide > entries) m.unused("unused_free", out.slice(wide - 1, entries), "there are no such entries");
  m.assign(bits, wide == entries ? out : out.slice(entries - 1, 0));
  if (number) m.assign(*number, number_of(m, "lowest_number", bits, "number of the lowest"));
  return m;
}

}  // namespace

FreeEntry free_entry(rtl::Module& m, const std::string& name, const Expr& free, const Expr& lowest,
                     const Expr& firsts) {
  const int entries = free.width();
  FreeEntry found{.two = m.wire("two_free", 1, "two entries are free")};
  std::vector<std::pair<std::string, Expr>> pins{
      {"free", free}, {"lowest_free", lowest}, {"free_firsts", firsts}, {"two_free", found.two}};
  if (entries > 1) {
    found.number = m.wire("free_number", bits_to_number(entries), "number of the entry for a new line");
    pins.emplace_back("free_number", *found.number);
  }
  m.instance(free_entry_search(name, entries), "free_search", pins, "The lowest free entry.");
  return found;
}

}  // namespace hw
