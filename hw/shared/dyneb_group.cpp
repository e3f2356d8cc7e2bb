#include "hw/shared/dyneb_group.h"

namespace hw {

using rtl::Expr, rtl::lit;

rtl::Module dyneb_group(const DynebParams& p, const std::string& name) {
  const int bits = dyneb_count_bits, own_bits = dyneb_own_bits(p);
  rtl::Module m(name, "Counters of one group of sets while DynEB samples (DC-L1 thesis, chapter 4).");
  const Expr clear = m.input("clear", 1, "begin again");
  const Expr counts = m.input("counts", 1, "this cycle's events count");
  const Expr own = m.input("own", 1, "the access is the core's own");
  struct Counter {
    std::string stem, event, port, doc;
  };
  const Counter counters[] = {{"accesses", "access", "accesses", "loads that entered this cache"},
                              {"misses", "miss", "misses", "loads that missed"},
                              {"slice_replies", "slice_reply", "slice_replies", "replies from slices"},
                              {"home_replies", "home_reply", "home_replies", "replies from homes"}};
  std::vector<Expr> events, values, outputs;
  for (const Counter& c : counters) events.push_back(m.input(c.event, 1, "one more of the " + c.doc));
  for (const Counter& c : counters) outputs.push_back(m.output(c.port, bits, c.doc));
  const Expr full = m.output("full", 1, "a counter is all ones");
  const Expr sampled = m.output("sampled", 1, "there were enough own accesses");
  for (const Counter& c : counters) values.push_back(m.reg(c.stem + "_q", bits, 0, c.doc));
  const Expr own_q = m.reg("own_q", own_bits, 0, "own accesses, up to the limit");

  Expr some = rtl::all(values[0]);
  for (std::size_t k = 1; k < values.size(); ++k) some = some | rtl::all(values[k]);
  m.assign(full, some);
  m.assign(sampled,
           own_q == m.constant("SAMPLE_ACCESSES", own_bits, static_cast<std::uint64_t>(p.sample_accesses)));
  for (std::size_t k = 0; k < values.size(); ++k) m.assign(outputs[k], values[k]);
  m.clocked("Count.", [&] {
    for (std::size_t k = 0; k < values.size(); ++k)
      m.when(clear, [&] { m.set(values[k], lit(bits, 0)); }).otherwise([&] {
        m.when(counts & events[k], [&] { m.set(values[k], values[k] + lit(bits, 1)); });
      });
    m.when(clear, [&] { m.set(own_q, lit(own_bits, 0)); }).otherwise([&] {
      m.when(counts & events[0] & own & ~sampled, [&] { m.set(own_q, own_q + lit(own_bits, 1)); });
    });
  });
  for (std::size_t k = 0; k < values.size(); ++k) m.observe(counters[k].stem, values[k]);
  m.observe("own", own_q);
  return m;
}

}  // namespace hw
