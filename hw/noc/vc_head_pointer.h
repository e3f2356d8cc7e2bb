// The pointer of an output over the heads in front of all input VCs, in the parts that a search takes
// (hw/noc/vc_head_search.h): registers and what they show of the state.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

class VcHeadPointer {
 public:
  // A part, and the pin of the search that takes it. Unknown where it has no bits.
  struct Part {
    std::string pin;
    rtl::Expr value, next;
  };

  // Adds the registers, and wires for what they become.
  void add(rtl::Module& m, const CrossbarParams& p);
  const std::vector<Part>& parts() const { return parts_; }
  // The part of this pin; none where it has no bits.
  std::optional<Part> part(const std::string& pin) const;
  // Shows the pointer by its number; that of the input VCs where its bits say nothing.
  void observe(rtl::Module& m, const CrossbarParams& p) const;

 private:
  std::vector<Part> parts_;
};

}  // namespace hw
