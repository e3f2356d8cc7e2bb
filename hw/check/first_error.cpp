#include "hw/check/first_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hw/check/check_ranges.h"
#include "hw/require.h"

namespace hw {

using rtl::Expr, rtl::lit, rtl::mux;

void check(const CheckParams& p) {
  require_in(CheckRanges::timeout, "check.timeout", p.timeout, "use 0 for no limit");
  require(p.ports || p.timeout == 0, "check.timeout", p.timeout, "needs the outputs of the checks",
          "use check.ports = true, or 0");
}

void check_ids(const CheckParams& p, int core_id_bits) {
  check(p);
  require(
      !p.ports || core_id_bits <= most_checked_id_bits, "core.id_bits", core_id_bits,
      fmt::format("must be at most {} with check.ports, which has a flop for each id", most_checked_id_bits),
      "use 8, or check.ports = false");
}

Expr none(const Expr& bits) { return bits.width() == 1 ? ~bits : ~rtl::any(bits); }

void keep_first_error(rtl::Module& m, const std::vector<BrokenRule>& rules, const Expr& code) {
  static constexpr std::array names{"NO_ERROR",      "RESPONSE_UNASKED", "RESPONSE_MASK", "RESPONSE_LATE",
                                    "WRITE_UNASKED", "READ_UNASKED",     "READ_LAST",     "CREDIT_EXCESS",
                                    "QUEUE_FULL",    "PACKET_BROKEN"};
  const auto of = [&](ProtocolError error) {
    return m.constant(names[static_cast<std::size_t>(error)], protocol_code_bits, code_of(error));
  };
  m.section("The first error stays.");
  const Expr error = m.reg("code_q", protocol_code_bits, 0, "rule that was broken first; 0 for none");
  Expr found = of(ProtocolError::none);
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule)
    if (rule->when) found = mux(*rule->when, of(rule->error), found);
  m.clocked("Keep the first.", [&] { m.when(~rtl::any(error), [&] { m.set(error, found); }); });
  m.assign(code, error);
}

std::optional<Expr> late_request(rtl::Module& m, int timeout, int id_bits,
                                 const std::function<Expr(const Expr& id)>& in_flight) {
  if (!timeout) return {};
  m.section("A request without a response.");
  const auto cycles = static_cast<std::uint64_t>(timeout);
  const int bits = std::max(1, rtl::clog2(cycles));
  const Expr suspect = m.reg("suspect_q", id_bits, 0, "watched id");
  const Expr waited = m.reg("waited_q", bits, 0, "cycles in which its request was in flight");
  const Expr waits = m.let("waits", in_flight(suspect), "the watched request is in flight");
  const Expr late = m.let("late", waits & (waited == lit(bits, cycles - 1)), "for too long");
  m.clocked("Look at the next id once there is no request of this one.", [&] {
    m.when(~waits, [&] {
       m.set(suspect, suspect + lit(id_bits, 1));
       m.set(waited, lit(bits, 0));
     }).otherwise([&] { m.when(~late, [&] { m.set(waited, waited + lit(bits, 1)); }); });
  });
  return late;
}

void add_protocol_ports(rtl::Module& m, const Expr& code) {
  m.assign(m.output("protocol_error", 1, "a neighbour has broken a rule since reset"), rtl::any(code));
  m.assign(m.output("protocol_error_code", protocol_code_bits, "rule that was broken first; 0 for none"),
           code);
}

}  // namespace hw
