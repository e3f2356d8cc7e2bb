// Which slice and which node an address belongs to, and what a node's cache sees of it (DC-L1 thesis, chapter
// 5; docs/dc-l1-timing.md).
#pragma once
#include <string>

#include "hw/prim/constant_modulus.h"
#include "hw/topology/home_params.h"

namespace hw {

constexpr bool has_nodes(TopologyKind kind) {
  return kind == TopologyKind::private_nodes || kind == TopologyKind::shared_nodes ||
         kind == TopologyKind::clustered;
}
constexpr bool has_noc1(TopologyKind kind) { return kind != TopologyKind::baseline; }

// Crossbars of requests; those of replies mirror them.
struct CrossbarSizes {
  int count = 0, inputs = 0, outputs = 0;
};

struct HomeMap {
  CrossbarSizes noc1, noc2;
  int homes = 1;                      // M: nodes among which an address chooses
  int slices_a_home = 1;              // O
  bool by_address = false;            // the home is (A >> 8) mod M, not a part of the slice
  int field_low = 0, field_bits = 0;  // address bits that are the home; none where it is no bit field
};

// Throws ParamError when the sizes do not fit together.
void check(const TopologyShape& s);
void check(const HomeParams& p);

HomeMap home_map(const TopologyShape& s);

// The parts of an address, added to `m` as named values that begin with `name`; `address` reaches from bit 0
// of a byte address on. Empty where nothing is to be chosen.
rtl::Expr slice_of(rtl::Module& m, const std::string& name, const TopologyShape& s, const Number& address);
rtl::Expr home_of(rtl::Module& m, const std::string& name, const TopologyShape& s, const Number& address);
// The output of the address' NoC#2 crossbar.
rtl::Expr output_of(rtl::Module& m, const std::string& name, const TopologyShape& s, const Number& address);

// All of it as a combinational unit.
rtl::Module home_selection(const HomeParams& p, const std::string& name);

}  // namespace hw
