#include "hw/check/error_collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "hw/check/check_params.h"
#include "hw/check/first_error.h"
#include "hw/prim/one_hot.h"
#include "hw/rtl/module_data.h"

namespace hw {

using rtl::Expr, rtl::lit;

int checks_in(const rtl::Module& m) {
  const rtl::Signal* const port = m.data().signal(protocol_codes);
  return port ? port->width / protocol_code_bits : 0;
}

rtl::Module error_collector(int checks) {
  constexpr int rules = 1 << protocol_code_bits;
  rtl::Module m(fmt::format("error_collector_{}", checks),
                "The first broken rule of several checks (this generator's checks).");
  m.cell("error_collector");
  const rtl::Size number = m.parameter("CHECKS", checks, 2, "checks");
  const Expr codes = m.input("codes", number * protocol_code_bits, "broken rule of each check; 0 for none");
  const Expr broken = m.reg("broken_q", rules, 0, "rules that were broken in the first cycle with an error");
  m.clocked("Keep those of the first cycle.", [&] {
    m.when(none(broken), [&] {
      m.loop("each", number, [&](const Expr& check) {
        const Expr code = codes.part(check, protocol_code_bits);
        m.when(rtl::any(code), [&] { m.set(broken.at(code), lit(1, 1)); });
      });
    });
  });
  add_protocol_ports(m, number_of(lowest_of(m, "lowest", broken, "the rule with the lowest code")));
  return m;
}

void collect_errors(rtl::Module& m, const std::vector<Expr>& codes) {
  std::vector<Expr> parts = codes;
  std::ranges::reverse(parts);
  const Expr all = rtl::cat(parts);
  m.section("The first broken rule.");
  const Expr error = m.output("protocol_error", 1, "a neighbour has broken a rule since reset");
  const Expr code =
      m.output("protocol_error_code", protocol_code_bits, "rule that was broken first; 0 for none");
  m.instance(error_collector(all.width() / protocol_code_bits), "errors",
             {{"codes", all}, {"protocol_error", error}, {"protocol_error_code", code}}, "Of all checks.");
}

}  // namespace hw
