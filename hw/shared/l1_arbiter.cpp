#include "hw/shared/l1_arbiter.h"

#include <fmt/format.h>

#include <optional>

#include "hw/require.h"
#include "hw/shared/shared_ranges.h"

namespace hw {

using rtl::Expr, rtl::lit;

void check(const L1ArbiterParams& p) {
  require_in(SharedRanges::remote_wait_limit, "shared.remote_wait_limit", p.remote_wait_limit,
             "use 64, or 0 to let the core's own always go first");
}

rtl::Module l1_arbiter(const L1ArbiterParams& p, const std::string& name) {
  check(p);
  rtl::Module m(name,
                "Chooses the next request of a shared L1, of its core or another (DC-L1 thesis, chapter 4).");
  const Expr local_valid = m.input("local_valid", 1, "the core has a request");
  const Expr local_failed =
      m.input("local_failed", 1, "a request of the core ended in a reservation fail in the cycle before");
  const Expr served_valid = m.input("served_valid", 1, "another core's request waits");
  const bool ages = p.remote_wait_limit > 0;
  std::optional<Expr> ready;
  if (ages) ready = m.input("ready", 1, "the L1 takes what it is given");
  const Expr serves = m.output("serves", 1, "the other core's request is given to the L1");
  Expr first = ~local_valid | local_failed;
  if (!ready) {
    m.assign(serves, served_valid & first);
    return m;
  }
  const int bits = rtl::clog2(static_cast<unsigned>(p.remote_wait_limit) + 1);
  const Expr waited = m.reg("waited_q", bits, 0, "cycles that the other core's request has waited");
  const Expr limit = m.constant("WAIT_LIMIT", bits, static_cast<unsigned>(p.remote_wait_limit));
  const Expr old = m.let("old", waited == limit, "the other core's request has waited as long as it may");
  m.assign(serves, served_valid & (first | old));
  m.clocked("Count its cycles, up to the limit.", [&] {
    m.when(~served_valid | (serves & *ready), [&] { m.set(waited, lit(bits, 0)); }).otherwise([&] {
      m.when(~old, [&] { m.set(waited, waited + lit(bits, 1)); });
    });
  });
  m.observe("waited", waited);
  return m;
}

}  // namespace hw
