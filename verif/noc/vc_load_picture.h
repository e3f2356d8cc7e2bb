// Latency against load of the crossbar's Verilog, as a picture: 8x4, 4 VCs, 1 and 2 iterations, one source
// queue and one a VC.
#pragma once
#include <string>
#include <vector>

#include "gen/charts/curves.h"
#include "verif/noc/vc_load.h"

namespace verif {

inline std::string load_curves() {
  constexpr double most = 40;  // cycles of latency
  std::vector<gen::Curve> curves;
  for (const int iterations : {1, 2})
    for (const bool queues : {false, true}) {
      std::vector<LoadCase> cases;
      for (int percent = 5; percent < 100; percent += 5)
        cases.push_back({fmt::format("load{}", percent), true, queues, percent / 100.0 / 2});
      const auto measured = measure({.flit_bytes = 1, .iterations = iterations}, cases);
      gen::Curve curve{fmt::format("{} iteration{}, {}", iterations, iterations > 1 ? "s" : "",
                                   queues ? "a source queue per VC" : "one source queue"),
                       {}};
      for (const LoadCase& c : cases) {
        const double latency = measured.at(c.name).latency;
        curve.points.push_back({2 * c.rate, latency});
        if (latency >= most) break;
      }
      curves.push_back(curve);
    }
  return gen::picture_of(
      {gen::curve_chart("vc_crossbar 8x4, 4 VCs of 4 flits: mean latency",
                        {"offered load (flits an output and cycle)", "latency (cycles)", 1, most}, curves)});
}

}  // namespace verif
