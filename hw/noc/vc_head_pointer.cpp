#include "hw/noc/vc_head_pointer.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>

#include "hw/noc/round_robin.h"
#include "hw/noc/vc_head_search.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr, rtl::lit;

void VcHeadPointer::add(rtl::Module& m, const CrossbarParams& p) {
  const HeadPointer bits = head_pointer(p);
  const auto add = [&](const char* name, const char* pin, int width, const char* doc) {
    if (width == 0) return;
    const Expr q = m.reg(fmt::format("{}_q", name), width, 0, doc);
    parts_.push_back({pin, q, m.wire(fmt::format("{}_next", name), width, "pointer after this cycle")});
  };
  add("head_inputs", "after", bits.inputs, "inputs behind that of the last head that left");
  add("head_input", "own", bits.input, "input of the last head that left, one-hot");
  add("head_vcs", "behind", bits.vcs, "VCs behind its own, from VC 1 on");
}

std::optional<VcHeadPointer::Part> VcHeadPointer::part(const std::string& pin) const {
  const auto found = std::ranges::find(parts_, pin, &Part::pin);
  return found == parts_.end() ? std::optional<Part>() : *found;
}

void VcHeadPointer::observe(rtl::Module& m, const CrossbarParams& p) const {
  if (parts_.empty()) return;
  const int input_vcs = p.inputs * p.vcs, bits = rtl::clog2(static_cast<std::uint64_t>(input_vcs) + 1);
  const auto after = part("after"), own = part("own"), behind = part("behind");
  const Expr next = after ? pointer_position(after->value, p.inputs, p.vcs, bits) : lit(bits, 0);
  Expr position = next;
  if (behind) {
    Expr here = pointer_position(behind->value, p.vcs, 1, bits);
    if (own)
      here = rtl::mux(one_alone(own->value), scaled_number(own->value, p.vcs, bits) + here,
                      lit(bits, static_cast<std::uint64_t>(input_vcs)));
    position = rtl::mux(rtl::any(behind->value), here, next);
  }
  m.observe("head_pointer", position);
}

}  // namespace hw
