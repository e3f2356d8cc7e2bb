#include "hw/topology/closed_port.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr;

Expr zero(int width) {
  return rtl::wide_lit(width, std::vector<std::uint64_t>(static_cast<std::size_t>(width + 63) / 64));
}

Pins nobody_enters(rtl::Module& m, const Link& like, int port, const std::string& name) {
  const std::string in = fmt::format("in{}_", port), wires = fmt::format("{}_{}", name, in);
  Pins pins;
  for (const auto& [field, e] : like.pins("", true, false))
    if (!field.starts_with("_credit")) pins.emplace_back(in + field.substr(1), zero(e.width()));
  std::vector<Expr> credit{m.wire(wires + "credit_valid", 1, "nobody's credit")};
  pins.emplace_back(in + "credit_valid", credit[0]);
  if (like.has("credit_vc")) {
    credit.push_back(m.wire(wires + "credit_vc", like["credit_vc"].width(), "VC whose slot is free again"));
    pins.emplace_back(in + "credit_vc", credit[1]);
  }
  m.unused("unused_" + wires + "credit", rtl::cat(credit), "nothing enters here");
  return pins;
}

Pins nobody_takes(rtl::Module& m, const Link& out, int port, const std::string& name) {
  const std::string prefix = fmt::format("out{}", port);
  const Pins pins = out.pins(prefix, true, false);
  std::vector<Expr> unread;
  for (const auto& [pin, e] : pins) {
    if (pin.starts_with(prefix + "_credit"))
      m.assign(e, zero(e.width()));
    else
      unread.push_back(e);
  }
  m.unused(fmt::format("unused_{}_{}", name, prefix), rtl::cat(unread), "nothing leaves here");
  return pins;
}

}  // namespace hw
