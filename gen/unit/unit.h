// A configuration elaborated: the top module and the figures that its manifest states.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gen/config/config.h"
#include "hw/rtl/module.h"

namespace gen {

// A memory behind an sram_* wrapper, counted in bits and not in gates.
struct StorageArray {
  std::string name;    // instance below the top: tags.way[0]
  std::string module;  // the wrapper
  int rows = 0, row_bits = 0;
  std::string cell = {};  // the wrapper of all sizes, which is delivered unless a macro is to stand there

  std::int64_t bits() const { return std::int64_t{rows} * row_bits; }
};

// One line of a storage account: entries times the sum of their fields, whether in RAMs or in flops.
struct StorageAccount {
  std::string name;
  std::int64_t entries = 0;
  std::vector<std::pair<std::string, int>> fields = {};  // name, bits
  bool published = false;  // counted so in the papers' overhead figures; else beside them

  std::int64_t bits() const;
};

// Bits of the accounts that the papers count.
std::int64_t published_bits(const std::vector<StorageAccount>& accounts);

// What others report of a comparable unit, for area tables.
struct PublishedFigure {
  std::string name;
  double gate_equivalents = 0, path_ns = 0;
};

struct Unit {
  rtl::Module top;
  int latency = 0;                         // cycles from input to output
  int tag_bits = 0;                        // bits a tag array stores for each line
  std::vector<StorageArray> storage = {};  // elaborate(Config) lists all
  std::vector<StorageAccount> accounts = {};
  std::vector<PublishedFigure> published = {};  // by the recipe of synth-scripts/
  nlohmann::ordered_json facts = {};            // of this kind of unit, for the manifest
};

// Throws ConfigError, with the line in the user's file, when nothing can be built from the configuration.
Unit elaborate(const Config& config);

// The same with `prefix` before the names of its parts, but for RAM wrappers: a macro of one name is one cell
// of a chip. The top has a name of its own.
Unit elaborate_with_prefix(const Config& config, const std::string& prefix);

// True for a wrapper that stands for a RAM macro.
bool is_ram(std::string_view module);
bool is_ram(const rtl::Module& module);

// Every instance of a RAM wrapper below the top, in the order of the Verilog.
std::vector<StorageArray> storage_of(const rtl::Module& top);

}  // namespace gen
