#include "hw/bus/vortex_adapter_counts.h"

#include <fmt/format.h>

#include <string>

#include "hw/bus/event_counter.h"

namespace hw {

using rtl::Expr, rtl::lit;

CountInputs count_inputs(rtl::Module& m, const VortexAdapterParams& p) {
  if (p.counts == ClientCounts::lookups)
    return {.lookups = LookupInputs{m.input("probe_valid", 1, "the cache has looked a load up"),
                                    m.input("probe_miss", 1, "the load was not found")},
            .events = {}};
  const auto event = [&](const char* name, const char* doc) {
    return m.input(fmt::format("event_{}", name), 1, doc);
  };
  return {
      .lookups = {},
      .events = EventInputs{.loads = event("loads", "a load has left the tag lookup"),
                            .hits = event("hits", "it was a hit"),
                            .stores = event("stores", "a store has left the tag lookup"),
                            .updates = event("store_updates", "it has written into its line"),
                            .no_entry = event("reservation_fail_mshr", "a load waits for an MSHR entry"),
                            .no_target = event("reservation_fail_merge", "a load waits for an MSHR target")}};
}

void add_counts(rtl::Module& m, const VortexAdapterParams& p, const CountInputs& inputs,
                const AdapterStalls& stalls) {
  m.section("Counts.");
  const rtl::Module counter = event_counter(p.count_bits);
  const auto count = [&](const std::string& what, const Expr& seen, const std::string& doc) {
    m.instance(counter, what + "_counter",
               {{"event_seen", seen}, {"count", m.output(what + "_count", p.count_bits, doc)}}, doc + ".");
  };
  if (inputs.lookups) {
    const auto& [looked_up, missed] = *inputs.lookups;
    count("hit", looked_up & ~missed, "loads that the cache found");
    count("miss", looked_up & missed, "loads that the cache did not find");
    count("stall", stalls.front & ~stalls.taken, "cycles in which a request in front waited");
    return;
  }
  const EventInputs& events = inputs.events.value();
  count("read", events.loads, "loads, without those of devices");
  count("write", events.stores, "stores, without those of devices");
  count("read_miss", events.loads & ~events.hits, "loads whose data were not in the cache");
  count("write_miss", events.stores & ~events.updates, "stores whose bytes were not in the cache");
  if (stalls.several)
    count("bank_stall", stalls.taken & *stalls.several, "cycles in which a port waited for another");
  else
    m.assign(m.output("bank_stall_count", p.count_bits, "0: one port waits for no other"),
             lit(p.count_bits, 0));
  count("mshr_stall", events.no_entry | events.no_target, "cycles in which a load waited for the MSHRs");
  count("memory_stall", stalls.memory, "cycles in which memory did not accept a request");
  count("response_stall", stalls.answer, "cycles in which the core did not accept an answer");
}

}  // namespace hw
