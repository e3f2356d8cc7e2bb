// A technology as a user's TOML file names it: Liberty files of cells, RAM macros, and what stands for arrays
// that no macro serves.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gen/liberty/liberty.h"
#include "gen/tech/macro.h"

namespace gen {

// What stands for an array that no macro serves.
enum class RamFallback {
  outside,  // nothing: it is counted in bits
  flops,
  latches,
  refuse,  // the call ends
};

// Where OpenROAD-flow-scripts finds the technology. Folders may be named by make variables.
struct FlowFolders {
  std::string platform = {};
  std::string lefs = "$(L1FORGE_DIR)macros", libs = lefs, gds = lefs;
  std::optional<MacroSize> halo = {};  // around each macro; none: the platform's
};

struct Technology {
  std::string path = {}, name = {};
  std::vector<std::string> cells = {};  // Liberty files; none: the default library
  std::optional<double> load_ff = {};   // at each output
  std::optional<double> supply = {};    // V
  std::optional<double> clock_ns = {};
  std::vector<Macro> macros = {};
  RamFallback fallback = RamFallback::outside;
  FlowFolders flow = {};

  // Every file that it is read from.
  std::vector<std::string> files() const;
  Liberty liberty() const;
};

// Paths in the file are relative to its folder. Throws ConfigError with the line of what is wrong, or
// ToolError and FileError for a Liberty file that cannot be used.
Technology read_technology(const std::string& path);

}  // namespace gen
