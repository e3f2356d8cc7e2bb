#include "hw/prim/one_hot.h"

#include <fmt/format.h>

#include <algorithm>

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit;

namespace {

constexpr int few = 8;  // bits whose lowest is found in one statement

// The positions of n that have bit k in their number.
Expr with_bit(int n, int k) {
  std::vector<std::uint64_t> with((static_cast<std::size_t>(n) + 63) / 64);
  for (int i = 0; i < n; ++i)
    if (i >> k & 1) with[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << i % 64;
  return rtl::wide_lit(n, with);
}

// In steps of doubled reach: a borrow through `bits & -bits` would take a gate a bit.
rtl::Module lowest_module(int width) {
  rtl::Module m(fmt::format("lowest_of_{}", width),
                fmt::format("The lowest of {} bits that is set, alone; in steps of doubled reach, since a "
                            "borrow through bits & -bits would take a gate a bit.",
                            width));
  const Expr bits = m.input("bits", width, "any of them may be set");
  const Expr lowest = m.output("lowest", width, "the lowest that is set, one-hot, or 0");
  const int n = width - 1;  // nobody stands above the last bit
  Expr reach = bits;
  for (int by = 1; by < n; by *= 2)
    reach = m.let(fmt::format("set_within_{}", 2 * by),
                  reach.slice(n - 1, 0) | cat({reach.slice(n - 1 - by, 0), lit(by, 0)}),
                  fmt::format("a bit is set here or up to {} below", 2 * by - 1));
  m.assign(lowest, bits & ~cat({reach.slice(n - 1, 0), lit(1, 0)}));
  return m;
}

// Each bit of the number: some position that has it is set.
rtl::Module number_module(int width) {
  rtl::Module m(fmt::format("number_of_{}", width),
                fmt::format("The number of the one of {} bits that is set, or 0.", width));
  const Expr bits = m.input("bits", width, "one-hot, or 0");
  const Expr number = m.output("number", bits_to_number(width), "number of that bit");
  for (int k = 0; k < bits_to_number(width); ++k)
    m.assign(number.bit(k), rtl::any(bits & with_bit(width, k)));
  return m;
}

// For each bit, whether one is set below it in its group; in steps of doubled reach as well.
rtl::Module below_module(int width, int group) {
  rtl::Module m(
      fmt::format("below_in_groups_{}_of_{}", width, group),
      fmt::format("For each of {} bits in groups of {}, whether one below it in its group is set; in "
                  "steps of doubled reach.",
                  width, group));
  const Expr bits = m.input("bits", width, "any of them may be set");
  const Expr below = m.output("below", width, "positions above a set bit of their group");
  const auto up = [&](const Expr& x, int by) {
    const std::uint64_t kept = ((std::uint64_t{1} << group) - 1) >> by << by;
    return cat({x.slice(width - 1 - by, 0), lit(by, 0)}) & rtl::replicate(width / group, lit(group, kept));
  };
  Expr reach = bits;
  for (int by = 1; by < group - 1; by *= 2)
    reach = m.let(fmt::format("set_within_{}", 2 * by), reach | up(reach, by),
                  fmt::format("a bit is set here or up to {} below in its group", 2 * by - 1));
  m.unused("unused_top", reach.bit(width - 1), "there is nothing above the last position");
  m.assign(below, up(reach, 1));
  return m;
}

constexpr const char* to_one_hot = "Binary to one-hot.";

// Compared with each number rather than shifted: that is one gate deep, and simulates only when asked.
void compared(rtl::Module& m, const Expr& bits, const Expr& number, const std::string& name) {
  m.loop(name + "_at", bits.width(),
         [&](const Expr& i) { m.set(bits.at(i), number == i.slice(number.width() - 1, 0)); });
}

}  // namespace

Expr join_known(const std::vector<Expr>& parts) {
  std::vector<Expr> known;
  std::ranges::copy_if(parts, std::back_inserter(known), [](const Expr& e) { return e.known(); });
  return known.empty() ? Expr{} : rtl::cat(known);
}

Expr number_of(const Expr& one_hot) {
  const int n = one_hot.width();
  std::vector<Expr> bits;  // most significant first
  for (int k = bits_to_number(n) - 1; k >= 0; --k) bits.push_back(rtl::any(one_hot & with_bit(n, k)));
  return join_known(bits);
}

Expr number_of(rtl::Module& m, const std::string& name, const Expr& one_hot, const std::string& doc) {
  const Expr number = m.wire(name, bits_to_number(one_hot.width()), doc);
  m.instance(number_module(one_hot.width()), name + "_encoder", {{"bits", one_hot}, {"number", number}},
             "Converts one-hot to binary.");
  return number;
}

Expr one_hot_of(rtl::Module& m, const std::string& name, const Expr& number, int n, const std::string& doc) {
  if (n == 1) return m.let(name, lit(1, 1), doc);
  const Expr bits = m.wire(name, n, doc);
  m.comb(to_one_hot, [&] { compared(m, bits, number, name); });
  return bits;
}

Expr one_hot_of(rtl::Module& m, const std::string& name, const Expr& when, const Expr& number, int n,
                const std::string& doc) {
  if (n == 1) return m.let(name, when, doc);
  const Expr bits = m.wire(name, n, doc);
  m.comb(to_one_hot, [&] {
    m.set(bits, lit(n, 0));
    m.when(when, [&] { compared(m, bits, number, name); });
  });
  return bits;
}

Expr lowest_of(rtl::Module& m, const std::string& name, const Expr& bits, const std::string& doc) {
  if (bits.width() == 1) return m.let(name, bits, doc);
  if (bits.width() <= few) {
    std::vector<Expr> below;  // for each bit, whether one below it is set
    for (int i = bits.width() - 1; i > 1; --i) below.push_back(rtl::any(bits.slice(i - 1, 0)));
    below.insert(below.end(), {bits.bit(0), lit(1, 0)});
    return m.let(name, bits & ~cat(below), doc);
  }
  const Expr lowest = m.wire(name, bits.width(), doc);
  m.instance(lowest_module(bits.width()), name + "_search", {{"bits", bits}, {"lowest", lowest}},
             "The lowest bit that is set.");
  return lowest;
}

Expr below_in_groups(rtl::Module& m, const std::string& name, const Expr& bits, int group,
                     const std::string& doc) {
  if (group == 1) return m.let(name, lit(bits.width(), 0), doc);
  const Expr below = m.wire(name, bits.width(), doc);
  m.instance(below_module(bits.width(), group), name + "_search", {{"bits", bits}, {"below", below}},
             "Whether a lower bit of the group is set.");
  return below;
}

Expr numbered(const Expr& vector, const Expr& number, int part_width) {
  return number.known() ? vector.part_below(number, part_width) : vector;
}

Expr ones_of(rtl::Module& m, const std::string& name, const Expr& bits, const std::string& doc) {
  const int n = bits.width(), width = rtl::clog2(static_cast<std::uint64_t>(n) + 1);
  if (n == 1) return m.let(name, bits, doc);
  const Expr sum = m.wire(name, width, doc);
  m.comb("Count the bits that are set.", [&] {
    m.set(sum, lit(width, 0));
    m.loop(name + "_bit", n, [&](const Expr& i) { m.set(sum, sum + rtl::zext(bits.at(i), width)); });
  });
  return sum;
}

rtl::Expr one_alone(const rtl::Expr& bits) {
  return rtl::any(bits) & ~rtl::any(bits & (bits - rtl::lit(bits.width(), 1)));
}

rtl::Expr scaled_number(const rtl::Expr& one_hot, int scale, int width) {
  rtl::Expr number = rtl::lit(width, 0);
  for (int i = 1; i < one_hot.width(); ++i)
    number = number | (rtl::replicate(width, one_hot.bit(i)) &
                       rtl::lit(width, static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(scale)));
  return number;
}

}  // namespace hw
