#include "hw/topology/closed_port.h"

#include <fmt/format.h>

namespace hw {

using rtl::Expr;

Expr zero(int width) {
  return rtl::wide_lit(width, std::vector<std::uint64_t>(static_cast<std::size_t>(width + 63) / 64));
}

namespace {

// Runs of nets that fit in a statement.
std::vector<std::vector<Expr>> runs_of(const std::vector<Expr>& nets) {
  constexpr std::size_t most = 200;  // letters
  std::vector<std::vector<Expr>> runs;
  std::size_t letters = most + 1;
  for (const Expr& net : nets) {
    const std::size_t more = rtl::verilog(net).size() + 2;
    if (letters + more > most) runs.emplace_back(), letters = 0;
    runs.back().push_back(net);
    letters += more;
  }
  return runs;
}

// Drives what goes back to senders, or all else, and names the rest as unread.
void tie_off(rtl::Module& m, const Link& link, const std::string& name, bool back, const char* why) {
  std::vector<Expr> driven, unread;
  for (const auto& [field, e] : link.pins("", true, true))
    ((field == "_grant" || field.starts_with("_credit")) == back ? driven : unread).push_back(e);
  for (const auto& run : runs_of(driven)) {
    const Expr nets = rtl::cat(run);
    m.assign(nets, zero(nets.width()));
  }
  const auto runs = runs_of(unread);
  for (std::size_t n = 0; n < runs.size(); ++n)
    m.unused(fmt::format("unused_{}{}", name, runs.size() > 1 ? fmt::format("_{}", n) : ""),
             rtl::cat(runs[n]), why);
}

}  // namespace

void nobody_sends(rtl::Module& m, const Link& link, const std::string& name) {
  tie_off(m, link, name, false, "nothing enters here");
}

void nobody_takes(rtl::Module& m, const Link& link, const std::string& name) {
  tie_off(m, link, name, true, "nothing leaves here");
}

}  // namespace hw
