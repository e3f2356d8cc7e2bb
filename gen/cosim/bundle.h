// One co-simulation program for many set-index units, so that a sample of hundreds costs a handful of builds.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gen/cosim/program.h"
#include "hw/index/index_params.h"

namespace gen {

struct BundleUnit {
  std::string name;        // of its module
  hw::IndexParams params;  // of the reference model
  std::string verilog;     // usually that of the same parameters; a test may break it
};

// The units' block addresses are the low bits of one of `address_bits` - 5 bits.
ProgramSource index_bundle(const std::string& name, const std::vector<BundleUnit>& units, int address_bits);

}  // namespace gen
