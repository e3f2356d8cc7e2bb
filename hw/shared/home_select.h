// The home of a line, one of the cores, and its L2 slice (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/prim/constant_modulus.h"
#include "hw/shared/route_params.h"

namespace hw {

// Input `address`, a byte address; outputs `home` and, of several slices, `slice`.
rtl::Module home_select(const RouteParams& p, const std::string& name);

// Adds table `name` of numbers of `bits` bits to `m`, of several with the choice of number `n`.
rtl::Expr entry_of(rtl::Module& m, const std::string& name, const std::vector<int>& numbers, int bits,
                   const std::optional<rtl::Expr>& n, const std::string& doc);

// Adds named values that begin with `name` to `m`: the node of thing number `n`, of a core or a slice; and
// that of the slice of an address, which reaches from bit 0 of a byte address on.
rtl::Expr node_of(rtl::Module& m, const std::string& name, const RouteParams& p,
                  const std::vector<int>& nodes, const std::optional<rtl::Expr>& n, const std::string& doc);
rtl::Expr slice_node(rtl::Module& m, const std::string& name, const RouteParams& p, const Number& address);

}  // namespace hw
