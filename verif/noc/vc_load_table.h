// Throughput of crossbars under uniform random single flits, measured on their Verilog, as the tables of
// docs/results/vc-crossbar.md.
#pragma once
#include <string>
#include <vector>

#include "verif/noc/vc_load.h"

namespace verif {

inline constexpr int most_iterations = 4;

// Of one shape, by iterations - 1, in flits an output and cycle.
struct Throughput {
  double random[most_iterations], destination[most_iterations], queues[most_iterations];
};

inline Throughput throughput(hw::CrossbarParams p) {
  static const std::vector<LoadCase> cases{
      {"random", false, false}, {"destination", true, false}, {"queues", true, true}};
  Throughput t{};
  p.flit_bytes = 1;
  for (int k = 0; k < most_iterations; ++k) {
    p.iterations = k + 1;
    const auto measured = measure(p, cases);
    t.random[k] = measured.at("random").throughput;
    t.destination[k] = measured.at("destination").throughput;
    t.queues[k] = measured.at("queues").throughput;
  }
  return t;
}

inline std::string by_iterations(const double (&figures)[most_iterations]) {
  std::string text;
  for (const double f : figures) text += fmt::format("{}{:.3f}", text.empty() ? "" : " / ", f);
  return text;
}

// One VC leaves no choice of it, and a queue a VC is then one queue.
inline std::string table_row(const hw::CrossbarParams& p, const Throughput& t) {
  const bool one = p.vcs == 1;
  return fmt::format("| {}x{} | {} | {} | {} | {} |\n", p.inputs, p.outputs, p.vcs, by_iterations(t.random),
                     one ? "the same" : by_iterations(t.destination),
                     one ? "the same" : by_iterations(t.queues));
}

}  // namespace verif
