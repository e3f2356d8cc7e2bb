// The manifest TOP.json, the filelist TOP.f and the FuseSoC core file of a generated unit.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/unit/unit.h"

namespace gen {

nlohmann::ordered_json manifest_entry(const StorageArray& array);
nlohmann::ordered_json manifest_entry(const StorageAccount& account);

// `files` are the Verilog files, relative to the folder that holds the manifest, children before parents.
nlohmann::ordered_json manifest(const Config& config, const Unit& unit,
                                const std::vector<std::string>& files);

std::string filelist(const std::vector<std::string>& files);

// FuseSoC core description (CAPI 2) with a lint target. `shared` names the core of files that others use,
// too, or is empty.
std::string fusesoc_core(const Config& config, const Unit& unit, const std::vector<std::string>& files,
                         const std::string& shared = "");

// The core of what several units share, under its whole name.
std::string shared_core(const std::string& name, const std::vector<std::string>& files);

// Package description for Bender.
std::string bender_package(const std::string& name, const std::vector<std::string>& files);

}  // namespace gen
