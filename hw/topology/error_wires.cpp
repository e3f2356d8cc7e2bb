#include "hw/topology/error_wires.h"

#include "hw/check/check_params.h"
#include "hw/check/error_collector.h"
#include "hw/check/first_error.h"

namespace hw {

using rtl::Expr;

ErrorWires::ErrorWires(rtl::Module& m, const std::string& name, int count, bool checks) {
  if (!checks) return;
  errors_ = m.wire(name + "_errors", count, "a neighbour of a crossbar has broken a rule");
  m.unused("unused_" + name + "_errors", *errors_, "the codes say it too");
  codes_ = m.wire(name + "_codes", count * protocol_code_bits, "rule that was broken first; 0 for none");
}

Pins ErrorWires::pins() const {
  return pins([](const Expr& vector, int) { return vector; });
}

Pins ErrorWires::pins(const Expr& loop) const {
  return pins([&](const Expr& vector, int width) { return vector.part(loop, width); });
}

Pins ErrorWires::pins(const Link::Choice& one) const {
  if (!codes_) return {};
  return {{"protocol_error", one(*errors_, 1)}, {"protocol_error_code", one(*codes_, protocol_code_bits)}};
}

std::optional<Expr> stray_code(rtl::Module& m, const std::vector<Expr>& leave) {
  if (leave.empty()) return {};
  const Expr code = m.wire("stray_code", protocol_code_bits, "rule that was broken first; 0 for none");
  const Expr stray = m.let("stray", rtl::any(rtl::cat(leave)), "a flit is for nobody");
  keep_first_error(m, {{stray, ProtocolError::packet_broken}}, code);
  return code;
}

void pass_codes(rtl::Module& m, const std::vector<std::optional<Expr>>& codes) {
  std::vector<Expr> known;
  for (auto code = codes.rbegin(); code != codes.rend(); ++code)
    if (*code) known.push_back(**code);
  if (known.empty()) return;
  const Expr all = rtl::cat(known);
  m.assign(m.output(protocol_codes, all.width(), "rule that each crossbar found broken first; 0 for none"),
           all);
}

}  // namespace hw
