#include "gen/datasheet/datasheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/datasheet/measured.h"
#include "gen/datasheet/sections.h"
#include "gen/files.h"
#include "gen/html.h"
#include "gen/marked_file.h"
#include "gen/shell_line.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

std::int64_t ram_bits_of(const Unit& unit) {
  std::int64_t bits = 0;
  for (const StorageArray& array : unit.storage) bits += array.bits();
  return bits;
}

}  // namespace

std::string page_name(const Config& config) { return config.top + ".html"; }

Datasheet datasheet_from(const Config& config, const Unit& unit, const Measured& results,
                         const Origin& origin) {
  const Sheet sheet{config, unit, results};
  const std::string body = about_section(sheet) + ports_section(sheet) + latency_section(sheet) +
                           mshrs_section(sheet) + kernels_section(sheet) + storage_section(sheet) +
                           gates_section(sheet) + energy_section(sheet) + verification_section(sheet) +
                           claims_section(sheet) + use_section(sheet) + constraints_section(sheet) +
                           parameters_section(sheet);
  const auto& coverage = results.cosim["coverage"];
  return {.page = html_page(config.top, body, origin),
          .latency = unit.latency,
          .goals = coverage["goals"].get<int>(),
          .goals_reached = coverage["reached"].get<int>(),
          .ram_bits = ram_bits_of(unit),
          .gate_equivalents = gates_of(results),
          .path_ns = path_of(results),
          .passed = results.cosim["mismatches"].empty()};
}

Datasheet datasheet_of(const Config& config, const std::string& version, const std::string& technology) {
  const Unit unit = elaborate(config);
  const std::string tech = technology.empty() ? "" : " --tech " + shell_word(technology);
  return datasheet_from(config, unit, measured(config, unit, technology),
                        {fmt::format("l1forge datasheet {}{} -o DIR", call_of(config), tech), version});
}

int datasheet(const std::vector<Config>& configs, const fs::path& folder, const std::string& version,
              const std::string& technology) {
  make_output_folder(folder);
  for (const Config& config : configs) {
    check_own_file(folder / page_name(config));
    check_writable(folder / page_name(config));
    elaborate(config);  // an error of the last one is reported before the first one's minutes
  }
  int status = 0;
  for (const Config& config : configs) {
    const Datasheet sheet = datasheet_of(config, version, technology);
    const fs::path file = folder / page_name(config);
    write_file_atomically(file, marked(sheet.page, file));
    fmt::print("{}\n", file.string());
    std::fflush(stdout);
    if (sheet.passed) continue;
    fmt::print(stderr, "l1forge: {}: the co-simulation found a mismatch\n", config.top);
    status = 1;
  }
  return status;
}

}  // namespace gen
