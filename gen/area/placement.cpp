#include "gen/area/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <regex>

#include "gen/area/fpga.h"
#include "gen/area/port_registers.h"
#include "gen/area/report.h"
#include "gen/area/request.h"
#include "gen/area/storage_report.h"
#include "gen/config/error.h"
#include "gen/config/text.h"
#include "gen/disk_space.h"
#include "gen/in_parallel.h"
#include "gen/process.h"
#include "gen/status_line.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

constexpr const char* fetched_version = "0.11.1";  // as forge calls it

// The largest device of a family that has no transceivers, in its largest package.
struct FpgaDevice {
  std::string family, name, ram_cell;
  std::vector<std::string> options;
};

const std::vector<FpgaDevice>& fpga_devices() {
  static const std::vector<FpgaDevice> all = {
      {"ecp5",
       "LFE5U-85F, CABGA756, speed grade 6",
       "DP16KD",
       {"--85k", "--package", "CABGA756", "--speed", "6", "--lpf-allow-unconstrained"}},
      {"ice40",
       "iCE40HX8K, CT256",
       "ICESTORM_RAM",
       {"--hx8k", "--package", "ct256", "--pcf-allow-unconstrained"}}};
  return all;
}

std::string tool_name(const std::string& family) { return "nextpnr-" + family; }

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

// The one of PATH, else the fetched one.
fs::path find_nextpnr(const std::string& family) {
  const std::string name = tool_name(family);
  try {
    return find_tool(name);
  } catch (const ToolError&) {  // not on PATH
  }
  const fs::path fetched = cache_folder() / fmt::format("{}-{}", name, fetched_version) / "bin" / name;
  if (is_there(fetched)) return fetched;
  throw ToolError(fmt::format("no {} on PATH: ./forge area NAME --fpga {} --place fetches it", name, family));
}

// "nextpnr-0.11.1".
std::string version_of(const fs::path& program) {
  const Finished done = run_checked({.argv = {program.string(), "--version"}});
  std::smatch found;
  if (!std::regex_search(done.output, found, std::regex(R"(Version ([^\s)]+))")))
    throw ToolError(fmt::format("{}: prints no version", program.string()));
  return found[1];
}

// A port, register or wire of the unit, without what the tools and port_registers() add to its name.
std::string name_within_unit(const std::string& name) {
  static const std::regex around("^unit\\.|^captured_|_(TRELLIS_|LUT4_|PFUMX_|L6MUX21_|CCU2C_|SB_).*$");
  return std::regex_replace(name, around, "");
}

// The slowest path within the clock's domain, into `run`.
void read_path(const nlohmann::json& report, const std::string& clock, PlacedRun& run) {
  const std::string edge = "posedge " + clock;
  for (const auto& path : report.value("critical_paths", nlohmann::json::array())) {
    if (path.at("from") != edge || path.at("to") != edge || path.at("path").empty()) continue;
    for (const auto& step : path.at("path")) {
      const double delay = step.at("delay");
      run.path_ns += delay;
      if (step.at("type") != "routing") continue;
      run.routing_ns += delay;
      if (run.from.empty()) run.from = name_within_unit(step.at("net"));
    }
    run.to = name_within_unit(path.at("path").back().at("to").at("cell"));
    return;
  }
}

// "ICESTORM_LC 8309 of 7680".
std::string text_of(const std::map<std::string, CellUse>& cells) {
  std::vector<std::string> words;
  for (const auto& [type, use] : cells)
    words.push_back(fmt::format("{} {} of {}", type, use.used, use.available));
  return joined(words, ", ");
}

// The first line in which nextpnr says why it ends.
std::string error_line(const std::string& log) {
  std::smatch found;
  return std::regex_search(log, found, std::regex("ERROR: ([^\n]*)")) ? found[1].str() : log_tail(log);
}

PlacedRun place_once(const fs::path& program, const FpgaDevice& device, const fs::path& folder,
                     const std::string& unit, int bits, std::size_t seed) {
  // Relative names: the fetched nextpnr has a /tmp of its own.
  const std::string report = fmt::format("report{}.json", seed), log = fmt::format("log{}.txt", seed);
  Command command{.argv = {program.string(), "--json", "netlist.json", "--report", report, "--seed",
                           fmt::format("{}", seed), "--timing-allow-fail"},
                  .environment = {{"TMPDIR", folder.string()}},
                  .folder = folder,
                  .output_file = folder / log};
  command.argv.insert(command.argv.end(), device.options.begin(), device.options.end());
  const Finished done = run(command);
  if (done.ok()) return read_placed_run(read_file(folder / report));
  const std::string text = read_file(folder / log);
  if (const auto overfull = overfull_cells(text); !overfull.empty())
    throw ToolError(
        fmt::format("{} does not fit in {}: {}, with a flip-flop at each of its {} port bits; "
                    "make it smaller by -s",
                    unit, device.name, text_of(overfull), bits));
  throw ToolError(
      fmt::format("{}: {}: {}{}", tool_name(device.family), unit, error_line(text), no_space_left({folder})));
}

const FpgaDevice& device_of(const std::string& family) {
  const auto device = std::ranges::find(fpga_devices(), family, &FpgaDevice::family);
  if (device == fpga_devices().end())
    throw ConfigError("--place", fmt::format("nextpnr is run for ecp5 and ice40, not for {}", family));
  return *device;
}

Spread clocks(const Placement& placement) {
  std::vector<double> mhz;
  for (const PlacedRun& run : placement.seeds) mhz.push_back(run.mhz);
  return spread_of(mhz);
}

// The seed with the median clock; of two, the slower one.
const PlacedRun& typical(const Placement& placement) {
  std::vector<const PlacedRun*> sorted;
  for (const PlacedRun& run : placement.seeds) sorted.push_back(&run);
  std::ranges::stable_sort(sorted, {}, &PlacedRun::mhz);
  return *sorted.at((sorted.size() - 1) / 2);
}

}  // namespace

void check_placement(const std::string& family) {
  device_of(family);
  find_nextpnr(family);
}

Placement place(const Unit& unit, const std::string& family, int seeds) {
  const FpgaDevice& device = device_of(family);
  const fs::path program = find_nextpnr(family);
  AreaRequest request = area_request(unit.top.name(), unit.top, 0);
  request.sources.push_back({"port_registers.v", port_registers(unit.top)});
  Placement placement{.device = device.name,
                      .tool = version_of(program),
                      .ram_cell = device.ram_cell,
                      .port_bits = port_bits(unit.top)};
  StatusLine status(fmt::format("{} in {}", unit.top.name(), family));
  status.at("yosys flattens it");
  const TempDir folder("place");
  run_fpga_script(folder.path(), "place.ys", family, port_registers_name, request);
  placement.seeds.resize(static_cast<std::size_t>(seeds));
  std::atomic<int> placed = 0;
  status.at(fmt::format("nextpnr, 0 of {} placed and routed", seeds));
  in_parallel(placement.seeds.size(), [&](std::size_t n) {
    placement.seeds[n] =
        place_once(program, device, folder.path(), unit.top.name(), placement.port_bits, n + 1);
    status.at(fmt::format("nextpnr, {} of {} placed and routed", ++placed, seeds));
  });
  return placement;
}

PlacedRun read_placed_run(std::string_view report) {
  try {
    const nlohmann::json json = nlohmann::json::parse(report);
    const auto& clocks = json.at("fmax");
    if (clocks.size() != 1)
      throw ToolError(fmt::format("nextpnr: the report has {} clocks in place of one", clocks.size()));
    PlacedRun run{.mhz = clocks.front().at("achieved")};
    read_path(json, clocks.begin().key(), run);
    for (const auto& [type, use] : json.at("utilization").items())
      if (use.at("used") > 0) run.cells[type] = {use.at("used"), use.at("available")};
    return run;
  } catch (const nlohmann::json::exception& e) {
    throw ToolError(fmt::format("nextpnr: its report cannot be read: {}", e.what()));
  }
}

std::map<std::string, CellUse> overfull_cells(std::string_view log) {
  static const std::regex row(R"(Info:\s+(\w+):\s+(\d+)/\s*(\d+)\s+\d+%)");
  std::map<std::string, CellUse> cells;
  const std::string text(log);
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    const CellUse use{std::stoi((*at)[2]), std::stoi((*at)[3])};
    if (use.used > use.available) cells[(*at)[1]] = use;
  }
  return cells;
}

std::string placement_table(const Placement& placement) {
  const Spread mhz = clocks(placement);
  const PlacedRun& run = typical(placement);
  std::vector<std::vector<std::string>> rows = {{"placed cells", "used", "of"}};
  for (const auto& [type, use] : run.cells)
    rows.push_back({type, fmt::format("{}", use.used), fmt::format("{}", use.available)});
  const std::string range =
      placement.seeds.size() == 1
          ? ""
          : fmt::format(", median of {} seeds, {:.1f}..{:.1f} MHz", placement.seeds.size(), mhz.min, mhz.max);
  std::string text = fmt::format(
      "{}clock: {:.1f} MHz, {:.2f} ns{}, after placement and routing by {}\n"
      "device: {}, with a flip-flop at each of {} port bits\n",
      aligned(rows), mhz.median, 1000 / mhz.median, range, placement.tool, placement.device,
      placement.port_bits);
  if (!run.to.empty())
    text += fmt::format("longest path: {} to {}, {:.2f} ns, {:.2f} ns of it in wires\n", run.from, run.to,
                        run.path_ns, run.routing_ns);
  return text;
}

nlohmann::ordered_json placement_json(const Placement& placement) {
  const Spread mhz = clocks(placement);
  const PlacedRun& run = typical(placement);
  nlohmann::ordered_json cells = nlohmann::ordered_json::object();
  for (const auto& [type, use] : run.cells) cells[type] = {{"used", use.used}, {"available", use.available}};
  nlohmann::ordered_json seeds = nlohmann::ordered_json::array();
  for (const PlacedRun& one : placement.seeds) seeds.push_back(one.mhz);
  const auto ram = run.cells.find(placement.ram_cell);
  return {{"device", placement.device},
          {"tool", placement.tool},
          {"mhz", {{"median", mhz.median}, {"min", mhz.min}, {"max", mhz.max}}},
          {"ns", 1000 / mhz.median},
          {"mhz_by_seed", seeds},
          {"block_rams", ram == run.cells.end() ? 0 : ram->second.used},
          {"port_bits", placement.port_bits},
          {"longest_path",
           {{"from", run.from}, {"to", run.to}, {"ns", run.path_ns}, {"routing_ns", run.routing_ns}}},
          {"used_cells", cells}};
}

}  // namespace gen
