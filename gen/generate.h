// `l1forge gen`: writes a unit's Verilog, filelist, manifest and flow files into a folder, all of them or
// none.
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/tech/technology.h"
#include "gen/unit/unit.h"

namespace gen {

// Relative name -> text of each file of a generated folder.
using FileSet = std::map<std::string, std::string>;

struct GenerateOptions {
  bool orfs = false;                          // the OpenROAD-flow-scripts files too
  bool bench = false;                         // a self-checking Verilog bench too
  bool bender = false;                        // a Bender.yml too
  bool black_boxes = false;                   // RAM wrappers without a body: macros replace them
  std::optional<Technology> technology = {};  // wrappers instantiate its macros
  std::string prefix = {};                    // of the names of parts; RAM wrappers keep theirs
};

// TOP.f, TOP.json, TOP.core and one .v a module.
FileSet generated_files(const Config& config, const GenerateOptions& options = {});

// Those of several units for one design. A module that several have is there once; shared.core has such
// modules for FuseSoC, units.vc lists every .v once. Throws ConfigError where two units are of one name, or
// have modules of one name that differ.
FileSet generated_files(const std::vector<Config>& configs, const GenerateOptions& options);

// Replaces the unit that an earlier call wrote there. Refuses to overwrite anything else, and a folder below
// which there is Verilog of others; files of the earlier call that were edited since go by `force` alone.
// Throws FileError; nothing is left of a failed call.
void write_folder(const std::filesystem::path& folder, const FileSet& files, bool force = false);

}  // namespace gen
