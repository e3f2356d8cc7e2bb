#include "hw/shared/home_select.h"

#include <fmt/format.h>
#include <optional>

#include <bit>

#include "hw/prim/constant_modulus.h"
#include "hw/prim/one_hot.h"
#include "hw/prim/table.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

constexpr int interleave_bits = 8;  // slices change every 256 bytes

// The bits above the set number a core; numbers of none are those of the first cores again.
Expr folded(rtl::Module& m, const Number& tag, int cores) {
  const int bits = bits_to_number(cores);
  const Expr number = m.let("number", tag.slice(bits - 1, 0), "the lowest bits of the tag");
  if (std::has_single_bit(static_cast<unsigned>(cores))) return number;
  const Expr all = lit(bits, static_cast<unsigned>(cores));
  return rtl::mux(number < all, number, number - all);
}

Expr slice_of(rtl::Module& m, const std::string& name, const RouteParams& p, const Number& address) {
  const Number number{address.signal, address.low + interleave_bits, p.address_bits - interleave_bits};
  return remainder_of(m, name + "_number", number, p.slices);
}

}  // namespace

rtl::Module home_select(const RouteParams& p, const std::string& name) {
  rtl::Module m(name, fmt::format("Home of a line among {} cores, and its slice of {} (DC-L1 thesis, chapter "
                                  "4).",
                                  p.cores, p.slices));
  const Expr address = m.input("address", p.address_bits, "byte address");
  m.unused("unused_address", address, "the bits that choose neither");
  const Expr home = m.output("home", bits_to_number(p.cores), "core whose L1 may hold the line for others");
  const int below_tag = bits_to_number(p.line_bytes) + bits_to_number(p.sets);
  const Number tag{address, below_tag, p.address_bits - below_tag};
  m.assign(home, p.home == HomeKind::tag_mod ? remainder_of(m, "home_number", tag, p.cores)
                                             : folded(m, tag, p.cores));
  if (p.slices == 1) return m;
  const Expr slice = m.output("slice", bits_to_number(p.slices), "L2 slice of the line");
  m.assign(slice, slice_of(m, "slice", p, {address, 0, p.address_bits}));
  return m;
}

Expr entry_of(rtl::Module& m, const std::string& name, const std::vector<int>& numbers, int bits,
              const std::optional<Expr>& n, const std::string& doc) {
  bool in_order = n.has_value();
  for (std::size_t t = 0; t < numbers.size(); ++t) in_order = in_order && numbers[t] == static_cast<int>(t);
  if (in_order) return n->width() < bits ? rtl::zext(*n, bits) : *n;
  const auto bit = [&](int row, int column) {
    return (numbers[static_cast<std::size_t>(row)] >> column & 1) != 0;
  };
  const Expr entries = table(m, name, static_cast<int>(numbers.size()), bits, bit, doc);
  return n ? entries.part_below(*n, bits) : entries;
}

Expr node_of(rtl::Module& m, const std::string& name, const RouteParams& p, const std::vector<int>& nodes,
             const std::optional<Expr>& n, const std::string& doc) {
  return entry_of(m, name + "_places", nodes, bits_to_number(p.width * p.height), n, doc);
}

Expr slice_node(rtl::Module& m, const std::string& name, const RouteParams& p, const Number& address) {
  std::optional<Expr> slice;
  if (p.slices > 1) slice = m.let(name + "_slice", slice_of(m, name, p, address), "slice of the line");
  return node_of(m, name, p, {p.memory_nodes.begin(), p.memory_nodes.end()}, slice, "nodes of the slices");
}

}  // namespace hw
