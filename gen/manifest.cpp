#include "gen/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gen/ports.h"
#include "gen/version.h"

namespace gen {

nlohmann::ordered_json manifest_entry(const StorageArray& array) {
  return {{"name", array.name},
          {"module", array.module},
          {"rows", array.rows},
          {"row_bits", array.row_bits},
          {"bits", array.bits()}};
}

nlohmann::ordered_json manifest_entry(const StorageAccount& account) {
  nlohmann::ordered_json fields = nlohmann::ordered_json::object();
  for (const auto& [name, bits] : account.fields) fields[name] = bits;
  return {{"name", account.name},
          {"entries", account.entries},
          {"fields", fields},
          {"bits", account.bits()},
          {"published", account.published}};
}

nlohmann::ordered_json manifest(const Config& config, const Unit& unit,
                                const std::vector<std::string>& files) {
  nlohmann::ordered_json ports = nlohmann::ordered_json::array();
  for (const Port& p : ports_of(unit.top))
    ports.push_back({{"name", p.name}, {"direction", p.direction}, {"width", p.width}, {"doc", p.doc}});
  nlohmann::ordered_json storage = nlohmann::ordered_json::array();
  std::int64_t bits = 0;
  for (const StorageArray& a : unit.storage) {
    storage.push_back(manifest_entry(a));
    const bool is_file = std::ranges::find(files, a.module + ".v") != files.end();
    if (!is_file && !a.cell.empty()) storage.back()["module"] = a.cell;
    bits += a.bits();
  }
  nlohmann::ordered_json json = {
      {"generator", "l1forge"},        {"version", version}, {"top", config.top}, {"preset", config.preset},
      {"parameters", config.resolved}, {"ports", ports},     {"files", files},    {"storage", storage},
      {"storage_bits", bits}};
  for (const StorageAccount& a : unit.accounts) json["accounts"].push_back(manifest_entry(a));
  if (!unit.accounts.empty()) json["published_bits"] = published_bits(unit.accounts);
  json["latency"] = unit.latency;
  json["tag_bits"] = unit.tag_bits;
  json["facts"] = unit.facts;
  return json;
}

std::string filelist(const std::vector<std::string>& files) {
  return fmt::format("{}\n", fmt::join(files, "\n"));
}

std::string bender_package(const std::string& name, const std::vector<std::string>& files) {
  return fmt::format("package:\n  name: {}\n\nsources:\n  - {}\n", name, fmt::join(files, "\n  - "));
}

namespace {

// From the first line to the end of the file set.
std::string core_of(const std::string& name, const std::string& description,
                    const std::vector<std::string>& files, const std::string& depends) {
  return fmt::format(
      "CAPI=2:\nname: {}\ndescription: \"{}\"\n\nfilesets:\n  rtl:\n    files:\n      - {}\n"
      "    file_type: verilogSource-2005\n{}",
      name, description, fmt::join(files, "\n      - "),
      depends.empty() ? "" : fmt::format("    depend:\n      - {}\n", depends));
}

}  // namespace

std::string fusesoc_core(const Config& config, const Unit& unit, const std::vector<std::string>& files,
                         const std::string& shared) {
  return core_of(fmt::format("l1forge:{}:{}:{}", config.preset, config.top, version), unit.top.doc(), files,
                 shared) +
         fmt::format(
             "\ntargets:\n  default: &default\n    filesets: [rtl]\n    toplevel: {}\n"
             "  lint:\n    <<: *default\n    default_tool: verilator\n    tools:\n      verilator:\n"
             "        mode: lint-only\n        verilator_options: [-Wall]\n",
             config.top);
}

std::string shared_core(const std::string& name, const std::vector<std::string>& files) {
  return core_of(name, "Modules that several units instantiate.", files, "") +
         "\ntargets:\n  default:\n    filesets: [rtl]\n";
}

}  // namespace gen
