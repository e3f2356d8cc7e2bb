#include "hw/monitors/blpp.h"

#include "hw/monitors/blpp_ranges.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit;

constexpr const char* events[] = {"a1", "m1", "a2", "m2", "flits"};
constexpr const char* event_docs[] = {
    "loads of GPU-node pages that reach an L1 without a reservation fail", "misses of these loads",
    "loads of GPU-node pages that reach an L2 bank without a reservation fail", "misses of those loads",
    "flits of 32 bytes at all memory ports and at the link to the CPU node"};

}  // namespace

void check(const BlppParams& p) {
  require_in(BlppRanges::ratio, "blpp.ratio", p.ratio, "use 1, every page local");
  require_in(BlppRanges::period, "blpp.period", p.period, "use 65536");
  require_in(BlppRanges::bandwidth, "blpp.gpu_bandwidth", p.gpu_bandwidth, "use 200, the thesis'");
  require_in(BlppRanges::bandwidth, "blpp.cpu_bandwidth", p.cpu_bandwidth, "use 80, the thesis'");
  require_in(BlppRanges::ratio_tenths, "blpp.ratio_tenths", p.ratio_tenths, "use 18, the thesis'");
  require_in(BlppRanges::bytes_per_cycle, "blpp.bytes_per_cycle", p.bytes_per_cycle, "use 200, the thesis'");
  for (const auto& [key, latency] : {std::pair{"blpp.l1_latency", p.l1_latency},
                                     {"blpp.l2_latency", p.l2_latency},
                                     {"blpp.gpu_memory_latency", p.gpu_memory_latency},
                                     {"blpp.cpu_memory_latency", p.cpu_memory_latency},
                                     {"blpp.link_latency", p.link_latency}})
    require_in(BlppRanges::latency, key, latency, "use that of the GPU in core cycles");
}

rtl::Module blpp(const BlppParams& p, const std::string& name) {
  check(p);
  const bool fixed = p.mode == BlppMode::fixed;
  rtl::Module m(name,
                fmt::format("Bandwidth- and latency-aware page placement, {} (ACI thesis, section 5).",
                            fixed ? "by a fixed ratio" : fmt::format("decided every {} cycles", p.period)));
  std::vector<Expr> in;
  for (std::size_t i = 0; i < std::size(events); ++i)
    in.push_back(m.input(events[i], blpp_event_bits, event_docs[i]));
  const Expr request = m.input("request", 1, "a page is touched for the first time");
  const Expr gpu_full = m.input("gpu_full", 1, "the GPU node has no free page");
  const Expr cpu_full = m.input("cpu_full", 1, "the CPU node has no free page");
  const Expr p_out = m.output("p", 17, "part of the pages that goes to the GPU node, in 65,536ths");
  const Expr place_cpu = m.output("place_cpu", 1, "the page goes to the CPU node");

  if (fixed) {
    m.section("The ratio is fixed.");
    m.unused("unused_events", rtl::cat(in), "nothing is measured");
    m.assign(p_out, lit(17, fixed_part(p)));
  } else {
    m.section("The events of a period, and the decision at its end.");
    const Expr last = m.wire("last", 1, "the period's last cycle");
    std::vector<std::pair<std::string, Expr>> counted, weighed{{"start", last}};
    for (std::size_t i = 0; i < std::size(events); ++i) {
      const bool flits = i + 1 == std::size(events);
      const std::string port = flits ? "over" : fmt::format("{}_sum", events[i]);
      const Expr sum =
          m.wire(port, flits ? 1 : blpp_sum_bits,
                 flits ? "the period has had more flits than the limit" : "of the period, with this cycle's");
      counted.emplace_back(events[i], in[i]);
      counted.emplace_back(port, sum);
      weighed.emplace_back(port, sum);
    }
    counted.emplace_back("last", last);
    weighed.emplace_back("p", p_out);
    m.instance(blpp_counters(p, name + "_counters"), "counters", counted, "Sums of a period.");
    m.instance(blpp_evaluate(p, name + "_evaluate"), "evaluate", weighed, "Tests of latency and traffic.");
  }
  m.section("Placement.");
  m.instance(blpp_place(p, name + "_place"), "place",
             {{"request", request},
              {"gpu_full", gpu_full},
              {"cpu_full", cpu_full},
              {"p", p_out},
              {"place_cpu", place_cpu}},
             "Draws a node for each page.");
  return m;
}

}  // namespace hw
