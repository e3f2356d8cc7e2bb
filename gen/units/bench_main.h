// The main of a co-simulation program around a cycle bench of verif/lockstep.
#pragma once
#include <cstdint>
#include <string>

namespace gen {

// `bench` of `header` runs with parameters `params` of type hw::`params_type`; `ports` defines a struct Ports
// that the bench takes too, or is empty; `probes` are statements that add inner nets to `waves`.
std::string bench_main(const std::string& header, const std::string& bench, const std::string& params_type,
                       const std::string& params, std::int64_t default_cycles, const std::string& probes,
                       const std::string& ports = "");

}  // namespace gen
