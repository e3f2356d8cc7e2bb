// The main of a co-simulation program: a bench of cosim around one set of parameters.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "hw/rtl/module.h"

namespace gen {

// A constant expression for parameters `hw::<type>`: their bytes, so that no list of members has to be kept.
template <class P>
std::string cpp_params(std::string_view type, P params) {
  static_assert(std::is_trivially_copyable_v<P>);
  __builtin_clear_padding(&params);  // the same text for the same values
  const auto bytes = std::bit_cast<std::array<unsigned char, sizeof(P)>>(params);
  return fmt::format("std::bit_cast<hw::{}>(std::array<unsigned char, {}>{{{}}})", type, bytes.size(),
                     fmt::join(bytes, ","));
}

struct CosimMain {
  std::string header;       // below cosim
  std::string params_type;  // in namespace hw
  std::string params;       // of cpp_params()
  std::string report;       // expression of a CosimReport, over `o`, `params`, `add_probes`, `add_state`
  std::string declarations = {};         // of the bench's namespace
  bool compares_state = false;           // that the unit shows, beside its ports
  std::vector<std::string> upsets = {};  // instances in whose RAMs the bench flips bits
  // Verilated beside the unit under these names of their classes; names of their parts begin with theirs.
  std::vector<std::pair<std::string, rtl::Module>> beside = {};
};

// `probes` are statements that add inner nets to `waves`, `state` the statements of gen/cosim/probe.h for
// the shown state.
std::string main_text(const CosimMain& main, const std::string& probes, const std::string& state = {});

// A cycle bench (cosim/harness/cycle_cosim.h); `ports` is a struct Ports where the bench takes one.
template <class P>
CosimMain cycle_bench(const std::string& header, const std::string& bench, const std::string& params_type,
                      const P& params, std::int64_t default_cycles, const std::string& ports = {},
                      bool compares_state = false, bool flips_rams = false) {
  return {
      .header = header,
      .params_type = params_type,
      .params = cpp_params(params_type, params),
      .report = fmt::format("verif::CycleCosim<Vdut, verif::{}<Vdut, params{}>>(o, {}, add_probes{}).run()",
                            bench, ports.empty() ? "" : ", Ports", default_cycles,
                            compares_state || flips_rams ? ", add_state" : ""),
      .declarations = ports,
      .compares_state = compares_state};
}

}  // namespace gen
