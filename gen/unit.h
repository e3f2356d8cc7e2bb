// A configuration elaborated: the top module and the figures that its manifest states.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/cosim/probe.h"
#include "hw/rtl/module.h"

namespace gen {

// A memory behind an sram_* wrapper, counted in bits and not in gates.
struct StorageArray {
  std::string name;
  int rows = 0, row_bits = 0;
};

struct Unit {
  rtl::Module top;
  int latency = 0;   // cycles from input to output
  int tag_bits = 0;  // bits a tag array stores for each line
  std::vector<StorageArray> storage = {};
  nlohmann::ordered_json facts = {};  // of this kind of unit, for the manifest
  std::vector<Probe> state = {};      // inner registers that co-simulation compares
};

// Throws ConfigError, with the place in the user's file, when nothing can be built from the configuration.
Unit elaborate(const Config& config);

}  // namespace gen
