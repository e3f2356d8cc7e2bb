// BUCL's decision on a load as a module by itself, with what a cache says around it as inputs.
#pragma once
#include "hw/policy/bucl.h"

namespace verif {

// Loads of so many sources; with several the request's id has one bit more than names them.
inline rtl::Module bucl_decision(int sources) {
  using rtl::Expr;
  rtl::Module m("decision", "BUCL's decision on a load.");
  const auto in = [&](const char* name, int width) { return m.input(name, width, "as the cache says"); };
  const Expr first = in("first", 1), degree = in("degree", 6), fails = in("fails", 1),
             not_full = in("not_full", 1);
  const hw::ControlSignals controls{.signals = {{"tucd", in("tucd", 5)},
                                                {"hit_rate_low", in("hit_rate_low", 1)},
                                                {"buffer_free", in("buffer_free", 1)}}};
  const Expr before = m.output("is_unseen", 1, "without a lookup"),
             after = m.output("is_stalled", 1, "after it"),
             accepted = m.output("accepted", 1, "the request leaves");
  hw::Bucl policy({.sub_partitions = 1}, sources, controls);
  hw::ProbeStage probe;
  probe.request.beside = {{"degree", degree}, {"first", first}};
  if (sources > 1) {
    probe.request.id = in("id", 1 + rtl::clog2(static_cast<unsigned>(sources)));
    m.unused("unused_id", probe.request.id.bit(0), "the source's own");
  }
  const Expr passes = policy.before_lookup(m, probe.request).when();
  const Expr stalled = fails & ~passes & policy.instead_of_fail(m, probe);
  m.assign(before, passes);
  m.assign(after, stalled & not_full);
  probe.commit.load_fires =
      m.let("leaves", rtl::mux(passes, not_full, ~fails | (stalled & not_full)), "it leaves");
  m.assign(accepted, probe.commit.load_fires);
  policy.follow(m, probe, {});
  return m;
}

}  // namespace verif
