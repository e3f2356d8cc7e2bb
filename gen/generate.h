// `l1forge gen`: writes a unit's Verilog, filelist, manifest and flow files into a folder, all of them or
// none.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "gen/config/config.h"
#include "gen/unit.h"

namespace gen {

// Relative name -> text of each file of a generated folder.
using FileSet = std::map<std::string, std::string>;

// TOP.f, TOP.json, TOP.core and one .v a module; with `orfs` also the OpenROAD-flow-scripts files.
FileSet generated_files(const Config& config, bool orfs = false);

// Replaces the unit that an earlier call wrote there; refuses a folder with Verilog that l1forge did not
// write. Throws FileError; nothing is left of a failed call.
void write_folder(const std::filesystem::path& folder, const FileSet& files, const std::string& top);

}  // namespace gen
