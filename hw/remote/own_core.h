// The number of the core beside which a unit stands, and what a unit makes of it: of a unit by itself it is a
// constant, where all cores have the same unit an input says it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/rtl/module.h"
#include "hw/rtl/optional.h"

namespace hw {

// In the place of a core's number in parameters: the input `core` says it.
inline constexpr int any_core = -1;

class OwnCore {
 public:
  // Adds the input to `m` where there is one.
  OwnCore(rtl::Module& m, int core, int cores);

  bool is_input() const { return input_.has_value(); }
  // Its number in so many bits, enough for all cores.
  rtl::Expr number(int bits) const;
  // Adds it to the pins of an inner unit that has the input, too.
  void pass_on(std::vector<std::pair<std::string, rtl::Expr>>& pins) const;

  // Sets of cores, by number: all, and the others than this one, ascending.
  rtl::Expr without_own(const rtl::Expr& all);
  rtl::Expr with_own_out(const rtl::Expr& others);
  // The cores behind this one.
  rtl::Expr behind();
  // The core at this distance behind this one, around.
  rtl::Expr next(int places);

 private:
  // Adds wire `name` of n bits: bit k says whether core k stands on this side of the core.
  rtl::Expr side(const std::string& name, int n, bool behind, const std::string& doc);
  rtl::Expr below();

  rtl::Module& m_;
  const int core_, cores_, bits_;
  std::optional<rtl::Expr> input_, below_;
};

}  // namespace hw
