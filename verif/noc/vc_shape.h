// The shape of a crossbar with virtual channels, as a bench draws or names it.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

namespace verif {

struct CrossbarShape {
  int inputs, outputs, vcs, depth, iterations, bytes, side;

  std::vector<std::string> settings() const {
    return {fmt::format("crossbar.inputs={}", inputs),
            fmt::format("crossbar.outputs={}", outputs),
            fmt::format("crossbar.vcs={}", vcs),
            fmt::format("crossbar.vc_depth={}", depth),
            fmt::format("crossbar.iterations={}", iterations),
            fmt::format("crossbar.flit_bytes={}", bytes),
            fmt::format("crossbar.side_bits={}", side)};
  }
};

}  // namespace verif
