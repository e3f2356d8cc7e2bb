#include "hw/prim/one_hot.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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

// `bits` shifted up by 2^step, where `step` is the variable of a loop.
Expr moved_up(const Expr& bits, const Expr& step) {
  const auto shifted = [&](const Expr& left, const Expr& by) {
    std::shared_ptr<const rtl::Sizes> sizes;
    if (!left.size().is_number()) sizes = std::make_shared<const rtl::Sizes>(rtl::Sizes{left.size()});
    return Expr(std::make_shared<const rtl::Node>(rtl::Node{.kind = rtl::Node::Kind::binary,
                                                            .width = left.width(),
                                                            .text = "<<",
                                                            .args = {left, by},
                                                            .scope = step.node().scope,
                                                            .sizes = sizes}));
  };
  return shifted(bits, shifted(lit(32, 1), step));
}

// In steps of doubled reach: a borrow through `bits & -bits` would take a gate a bit.
rtl::Module lowest_module(int positions) {
  rtl::Module m(fmt::format("lowest_of_{}", positions),
                "The lowest of WIDTH bits that is set, alone; in steps of doubled reach, since a borrow "
                "through bits & -bits would take a gate a bit.");
  m.cell("lowest_of");
  const rtl::Size width = m.parameter("WIDTH", positions, 8, "at least 2");
  const Expr bits = m.input("bits", width, "any of them may be set");
  const Expr lowest = m.output("lowest", width, "the lowest that is set, one-hot, or 0");
  const Expr reach = m.wire("reach", width, "a bit is set here or below");
  m.comb("Twice as far in each step.", [&] {
    m.set(reach, bits);
    m.loop("step", address_bits(width), [&](const Expr& k) { m.set(reach, reach | moved_up(reach, k)); });
  });
  m.assign(lowest, bits & ~cat({reach.slice(width - 2, 0), lit(1, 0)}));
  m.unused("unused_top", reach.bit(width - 1), "there is nothing above the last position");
  return m;
}

// In steps of doubled reach: those counted here and those counted that far below are others.
rtl::Module at_least_module(int positions, int count) {
  const char* const word = count == 2 ? "two" : "three";
  rtl::Module m(fmt::format("at_least_{}_of_{}", word, positions),
                fmt::format("At least {} of WIDTH bits are set; in steps of doubled reach.", word));
  m.cell(fmt::format("at_least_{}", word));
  const rtl::Size width = m.parameter("WIDTH", positions, 8, "at least 2");
  const Expr bits = m.input("bits", width, "any of them may be set");
  const Expr found = m.output("found", 1, fmt::format("at least {} are set", word));
  std::vector<Expr> counted;  // by how many
  for (const char* const many : {"one", "two", "three"})
    if (counted.size() < static_cast<std::size_t>(count))
      counted.push_back(m.wire(many, width, fmt::format("{} or more within reach", many)));
  m.comb("Twice as far in each step; the largest number first, from the smaller ones of the step before.",
         [&] {
           m.set(counted[0], bits);
           for (const Expr& more : std::span(counted).subspan(1))
             m.set(more, rtl::replicate(width, lit(1, 0)));
           m.loop("step", address_bits(width), [&](const Expr& k) {
             const auto far = [&](std::size_t many) { return moved_up(counted[many - 1], k); };
             if (count == 3)
               m.set(counted[2], counted[2] | far(3) | (counted[1] & far(1)) | (counted[0] & far(2)));
             m.set(counted[1], counted[1] | far(2) | (counted[0] & far(1)));
             m.set(counted[0], counted[0] | far(1));
           });
         });
  m.assign(found, counted.back().bit(width - 1));
  return m;
}

// Bit number `k` of the variable `i`, where both are of loops.
Expr bit_of(const Expr& i, const Expr& k) {
  return Expr(std::make_shared<const rtl::Node>(
      rtl::Node{.kind = rtl::Node::Kind::part, .width = 1, .args = {i, k}, .scope = i.node().scope}));
}

// Each bit of the number: some position that has it is set.
rtl::Module number_module(int positions) {
  rtl::Module m(fmt::format("number_of_{}", positions),
                "The number of the one of WIDTH bits that is set, or 0.");
  m.cell("number_of");
  const rtl::Size width = m.parameter("WIDTH", positions, 8, "at least 2");
  const Expr bits = m.input("bits", width, "one-hot, or 0");
  const Expr number = m.output("number", address_bits(width), "number of that bit");
  const Expr having = m.wire("having", width, "set bits whose number has bit k");
  m.comb("Each bit of the number: some position that has it is set.", [&] {
    m.loop("k", number.size(), [&](const Expr& k) {
      m.loop("i", width, [&](const Expr& i) { m.set(having.at(i), bits.at(i) & bit_of(i, k)); });
      m.set(number.at(k), rtl::any(having));
    });
  });
  return m;
}

// For each bit, whether one is set below it in its group; in steps of doubled reach as well.
rtl::Module below_module(int positions, int group) {
  rtl::Module m(
      fmt::format("below_in_groups_{}_of_{}", positions, group),
      "For each bit of GROUPS groups of WIDTH, whether one below it in its group is set; in steps of "
      "doubled reach.");
  m.cell("below_in_groups");
  const rtl::Size groups = m.parameter("GROUPS", positions / group, 2, "groups side by side");
  const rtl::Size width = m.parameter("WIDTH", group, 4, "bits of a group, at least 2");
  const Expr bits = m.input("bits", groups * width, "any of them may be set");
  const Expr below = m.output("below", groups * width, "positions above a set bit of their group");
  const Expr reach = m.wire("reach", groups * width, "a bit is set here or below in its group");
  m.comb("Twice as far in each step.", [&] {
    m.set(reach, bits);
    m.loop("step", address_bits(width), [&](const Expr& k) {
      m.set(reach, reach | (moved_up(reach, k) & rtl::replicate(groups, moved_up(rtl::ones(width), k))));
    });
  });
  const Expr above_first = cat({rtl::ones(width - 1), lit(1, 0)});
  m.assign(below, cat({reach.slice(groups * width - 2, 0), lit(1, 0)}) & rtl::replicate(groups, above_first));
  m.unused("unused_top", reach.bit(groups * width - 1), "there is nothing above the last position");
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

Expr at_least(rtl::Module& m, const std::string& name, int count, const Expr& bits, const std::string& doc) {
  const Expr found = m.wire(name, 1, doc);
  m.instance(at_least_module(bits.width(), count), name + "_search", {{"bits", bits}, {"found", found}},
             "Counts no further than it needs.");
  return found;
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
