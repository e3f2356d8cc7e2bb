// Throughput and latency of a mesh against its load as a picture, with the bounds of X-Y routing.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "gen/charts/curves.h"
#include "verif/noc/mesh_load.h"

namespace verif {

using ThesisMesh = MeshLoad<hw::MeshRouterParams{}>;

struct MeshCurve {
  MeshPattern pattern;
  const char* name;
  double most;  // load up to which it is measured
};
inline constexpr MeshCurve mesh_curves[] = {{MeshPattern::uniform, "uniform", 0.90},
                                            {MeshPattern::transpose, "transpose", 0.40},
                                            {MeshPattern::hot_spot, "hot spot", 0.24}};

inline std::string mesh_load_curves(int cycles) {
  std::vector<gen::Curve> throughput, latency;
  for (const MeshCurve& curve : mesh_curves) {
    const double bound = ThesisMesh::bound(curve.pattern);
    gen::Curve delivered{fmt::format("{}: hottest link full at {:.3f}", curve.name, bound), {}, bound};
    gen::Curve taken = delivered;
    for (int k = 1; k <= 18; ++k) {
      const double rate = curve.most * k / 18;
      const auto got = ThesisMesh::run(curve.pattern, rate, cycles);
      delivered.points.push_back({rate, got.throughput});
      taken.points.push_back({rate, got.latency});
      if (got.latency > 400) break;
    }
    throughput.push_back(delivered);
    latency.push_back(taken);
  }
  const std::string offered = "offered load (flits a node and cycle)";
  return gen::picture_of(
      {gen::curve_chart("6 x 6 mesh: throughput", {offered, "delivered (flits a node and cycle)", 1, 0.8},
                        throughput),
       gen::curve_chart("6 x 6 mesh: mean latency", {offered, "latency (cycles)", 1, 80}, latency)});
}

}  // namespace verif
