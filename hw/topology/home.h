// Which slice and which node an address belongs to, and what a node's cache sees of it (DC-L1 thesis, chapter
// 5; docs/contracts/dc-l1.md).
#pragma once
#include <optional>
#include <string>

#include "hw/prim/constant_modulus.h"
#include "hw/topology/home_params.h"

namespace hw {

// How the addresses of a topology choose among its slices and nodes.
struct HomeMap {
  int slices = 1;                     // L
  int homes = 1;                      // M: nodes among which an address chooses
  int slices_a_home = 1;              // O
  bool by_address = false;            // the home is (A >> 8) mod M, not a part of the slice
  int outputs = 1;                    // of a network towards slices: all of them, or those of a home
  int field_low = 0, field_bits = 0;  // address bits that are the home; none where it is no bit field
};

// The same with the field, where homes are one.
HomeMap with_field(HomeMap map);

// Throws ParamError when the sizes do not fit together.
void check(const TopologyShape& s);
void check(const HomeParams& p);

HomeMap home_map(const TopologyShape& s);

// The parts of an address, added to `m` as named values that begin with `name`; `address` reaches from bit 0
// of a byte address on. Empty where nothing is to be chosen.
std::optional<rtl::Expr> slice_of(rtl::Module& m, const std::string& name, const HomeMap& map,
                                  const Number& address);
std::optional<rtl::Expr> home_of(rtl::Module& m, const std::string& name, const HomeMap& map,
                                 const Number& address);
// The output of the address' network towards slices.
std::optional<rtl::Expr> output_of(rtl::Module& m, const std::string& name, const HomeMap& map,
                                   const Number& address);

// All of it as a combinational unit.
rtl::Module home_selection(const HomeParams& p, const std::string& name);

}  // namespace hw
