#include "hw/topology/home.h"

#include <fmt/format.h>
#include <optional>

#include <bit>

#include "hw/geometry_ranges.h"
#include "hw/require.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology_ranges.h"

namespace hw {
namespace {

using rtl::Expr;

constexpr int interleave_bits = 8;  // slices change every 256 bytes

int log2_of(int n) { return rtl::clog2(static_cast<std::uint64_t>(n)); }

Number above_interleave(const Number& address) {
  return {address.signal, address.low + interleave_bits, address.width - interleave_bits};
}

}  // namespace

void check(const TopologyShape& s) {
  require_in(TopologyRanges::cores, "topology.cores", s.cores, "use 80");
  require_in(TopologyRanges::slices, "topology.slices", s.slices, "use 32");
  kind_of(s.kind).check(s);
}

void check(const HomeParams& p) {
  check(p.shape);
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.address_bits,
             "use 32 unless the GPU's addresses are wider");
}

HomeMap home_map(const TopologyShape& s) { return kind_of(s.kind).homes(s); }

HomeMap with_field(HomeMap map) {
  if (map.homes == 1 || !power_of_two(map.homes)) return map;
  if (!map.by_address && !power_of_two(map.slices)) return map;
  map.field_low = interleave_bits + (map.by_address ? 0 : log2_of(map.slices_a_home));
  map.field_bits = log2_of(map.homes);
  return map;
}

std::optional<Expr> slice_of(rtl::Module& m, const std::string& name, const HomeMap& map,
                             const Number& address) {
  if (map.slices == 1) return {};
  return remainder_of(m, name + "_slice", above_interleave(address), map.slices);
}

std::optional<Expr> home_of(rtl::Module& m, const std::string& name, const HomeMap& map,
                            const Number& address) {
  if (map.homes == 1) return {};
  if (map.field_bits) return address.slice(map.field_low + map.field_bits - 1, map.field_low);
  if (map.by_address) return remainder_of(m, name + "_home", above_interleave(address), map.homes);
  const int low = log2_of(map.slices_a_home);
  if (power_of_two(map.slices_a_home)) {
    const Number number = above_interleave(address);
    return remainder_of(m, name + "_home", {number.signal, number.low + low, number.width - low}, map.homes);
  }
  const Expr slice = m.let(name + "_of_slice", *slice_of(m, name, map, address), "slice");
  return quotient_of(m, name + "_home", {slice, 0, slice.width()}, map.slices, map.slices_a_home);
}

std::optional<Expr> output_of(rtl::Module& m, const std::string& name, const HomeMap& map,
                              const Number& address) {
  if (map.outputs == 1) return {};
  if (map.outputs == map.slices) return slice_of(m, name, map, address);
  // Slices of a home follow each other, so that an output is the slice, and so the address, by their number.
  return remainder_of(m, name + "_output", above_interleave(address), map.outputs);
}

rtl::Module home_selection(const HomeParams& p, const std::string& name) {
  check(p);
  const HomeMap map = home_map(p.shape);
  rtl::Module m(name, fmt::format("Slice and home of an address in a topology of {} slices and {} home{} "
                                  "(DC-L1 thesis, chapter 5).",
                                  p.shape.slices, map.homes, map.homes == 1 ? "" : "s"));
  const Expr address = m.input("address", p.address_bits, "byte address");
  const Number bits{address, 0, p.address_bits};
  const auto give = [&](const char* port, const std::optional<Expr>& value, const std::string& doc) {
    if (value) m.assign(m.output(port, value->width(), doc), *value);
  };
  const int cut = p.squeeze && kind_of(p.shape.kind).caches_in_nodes ? map.field_bits : 0;
  const Expr cache_address =
      m.output("cache_address", p.address_bits - cut, "address in the cache of the node");
  m.assign(cache_address, cut ? rtl::cat({address.slice(p.address_bits - 1, map.field_low + cut),
                                          address.slice(map.field_low - 1, 0)})
                              : address);
  give("slice", slice_of(m, "slice", map, bits), fmt::format("slice, below {}", p.shape.slices));
  give("home", home_of(m, "home", map, bits), fmt::format("home, below {}", map.homes));
  give("output_number", output_of(m, "output", map, bits),
       fmt::format("output of the NoC#2 crossbar, below {}", map.outputs));
  return m;
}

}  // namespace hw
