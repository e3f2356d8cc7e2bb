#include "gen/area/synthesis.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>

#include "gen/area/tool_reports.h"
#include "gen/disk_space.h"
#include "gen/paths.h"
#include "gen/process.h"
#include "gen/status_line.h"

namespace gen {
namespace {

namespace fs = std::filesystem;

std::string script(const char* name, const std::map<std::string, std::string>& values) {
  return fill_in(read_file(paths::source() / "synth-scripts" / name), values);
}

// fmt::join sets off a false -Wstringop-overflow of GCC 12 at -O3.
std::string spaced(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += line.empty() ? word : " " + word;
  return line;
}

// A tool's own error line, or the end of what it said.
std::string complaint(const std::string& log) {
  const size_t at = log.rfind("ERROR: ");
  if (at == log.npos) return log_tail(log);
  return log.substr(at, std::min(log.find('\n', at), log.size()) - at);
}

void run_tool(const AreaRequest& request, const std::vector<std::string>& argv, const fs::path& folder,
              std::string_view last_words = "") {
  const Finished done = run({.argv = argv, .environment = {{"TMPDIR", folder.string()}}, .folder = folder});
  if (!done.ok() || done.output.find(last_words) == done.output.npos)
    throw ToolError(
        fmt::format("{}: {}: {}{}", argv[0], request.name, complaint(done.output), no_space_left({folder})));
}

// Yosys maps flops to a library, not latches.
std::string latch_map(const AreaRequest& request, const Liberty& liberty) {
  if (!liberty.cells.latch)
    throw ToolError(fmt::format(
        "{}: {}: has no latch of an enable, a data input and an output; take flops in the place of "
        "latches",
        request.name, liberty.origin));
  const LatchCell& cell = *liberty.cells.latch;
  std::string text;
  for (const auto& [type, enable] : {std::pair{"P", "E"}, {"N", "~E"}})
    text += fmt::format(
        "module \\$_DLATCH_{}_ (input E, input D, output Q);\n"
        "  {} _TECHMAP_REPLACE_ (.{}({}), .{}(D), .{}(Q));\nendmodule\n",
        type, cell.name, cell.enable, enable, cell.data, cell.output);
  return text;
}

// Pattern of ports, access, setup and clock pin of each kind of RAM; what none of the patterns names is a
// wrapper.
std::string ram_list(const AreaRequest& request) {
  std::string list;
  for (const RamTimes& ram : request.ram_times)
    list += fmt::format("*.{}_.* {} {} {} ", ram.module, ram.access_ns, ram.setup_ns, ram.clock);
  return list + fmt::format("*.* {} 0 {}", request.ram_ns, request.ram_clock);
}

// Latches and cells that the library has no counterpart for keep yosys' own names.
void count_states(const AreaRequest& request, const Liberty& liberty, AreaResult& result) {
  for (const auto& [type, count] : result.cells) {
    if (liberty.cells.flops.contains(type)) result.flops += count;
    const bool own_latch = type.starts_with("$_DLATCH") || type.starts_with("$_SR_");
    if (own_latch || liberty.cells.latches.contains(type)) result.latches += count;
    if (type.starts_with("$") && !own_latch)
      throw ToolError(fmt::format("yosys: {}: the library has no cell for {}", request.name, type));
  }
}

// The figures of each module that stands by itself; the sum over all instances is the caller's.
void count_modules(const std::string& stat, const Liberty& liberty, AreaResult& result) {
  for (const auto& [name, text] : stat_modules(stat)) {
    ModuleFigure& figure = result.modules[name];
    figure.area = parse_stat_area(text);
    for (const auto& [type, count] : parse_stat_cells(text))
      if (liberty.cells.flops.contains(type)) figure.flops += count;
  }
}

// The pins of black boxes become ports of the netlist that is timed: none of them has a timing model.
std::string timed_ports(const AreaRequest& request) {
  std::string commands;
  if (!request.black_boxes.empty()) {
    commands = "expose -evert";
    for (const std::string& box : request.black_boxes) commands += " t:" + box;
    commands += '\n';
  }
  // Ports stay as they are: write_verilog looks at each net for each port.
  return commands + "splitnets";
}

// The Liberty file under the name that the scripts have for it.
void link_library(const Liberty& liberty, const TempDir& folder) {
  std::error_code error;
  fs::create_symlink(liberty.file, folder / "liberty.lib", error);
  if (error) throw FileError(fmt::format("cannot write {}: {}", folder.path().string(), error.message()));
}

void map_to_cells(const AreaRequest& request, const Liberty& liberty, const fs::path& folder,
                  const std::string& ports, AreaResult& result) {
  std::vector<std::string> sources, defines;
  for (const VerilogSource& source : request.sources) {
    sources.push_back(fmt::format("{}.v", sources.size()));
    write_file_atomically(folder / sources.back(), source.text);
  }
  for (const auto& [name, value] : request.defines) defines.push_back(fmt::format("-D{}={}", name, value));
  std::string boxes, keep, latches, flat;
  if (!request.black_boxes.empty()) boxes = "blackbox " + spaced(request.black_boxes);
  if (request.has_latches) latches = "techmap -map latches.v";
  const std::vector<std::string>& apart = request.keep.empty() ? request.first : request.keep;
  if (!apart.empty()) keep = "setattr -mod -set keep_hierarchy 1 " + spaced(apart);
  if (request.keep.empty() && !apart.empty())
    flat = "setattr -mod -unset keep_hierarchy " + spaced(apart) +
           "\nflatten\ntee -q -o stat.txt stat -liberty liberty.lib\n";
  write_file_atomically(folder / "area.ys", script("area.ys", {{"DEFINES", spaced(defines)},
                                                               {"SOURCES", spaced(sources)},
                                                               {"BLACK_BOXES", boxes},
                                                               {"KEEP", keep},
                                                               {"LATCHES", latches},
                                                               {"PORTS", flat + ports},
                                                               {"TOP", request.top}}));
  if (request.has_latches) write_file_atomically(folder / "latches.v", latch_map(request, liberty));
  const std::string load = fmt::format("{:.4g}", liberty.load_ff);
  write_file_atomically(folder / "abc.constr",
                        script("abc.constr", {{"DRIVER", liberty.cells.inverter}, {"LOAD_FF", load}}));
  run_tool(request, {"yosys", "-Q", "-T", "area.ys"}, folder);
  const std::string stat = read_file(folder / "stat.txt");
  if (request.keep.empty()) {
    result.cells = parse_stat_cells(stat);
    result.area = parse_stat_area(stat);
  } else {
    count_modules(stat, liberty, result);
  }
  result.gate_equivalents = result.area / liberty.nand2_area();
  result.gate_depth = parse_ltp_depth(read_file(folder / "depth.txt"));
  count_states(request, liberty, result);
}

void time_paths(const AreaRequest& request, const Liberty& liberty, const fs::path& folder,
                AreaResult& result) {
  write_file_atomically(folder / "timing.tcl",
                        script("timing.tcl", {{"TOP", request.top},
                                              {"CLOCKS", spaced(request.clocks)},
                                              {"RESETS", spaced(request.resets)},
                                              {"PERIOD", fmt::format("{}", request.clock_ns)},
                                              {"RAMS", ram_list(request)},
                                              {"LOAD_FF", fmt::format("{:.4g}", liberty.load_ff)},
                                              {"DRIVER", liberty.cells.inverter}}));
  write_file_atomically(folder / "netlist.v", readable_netlist(read_file(folder / "netlist.v")));
  run_tool(request, {"sta", "-no_init", "-no_splash", "-exit", "timing.tcl"}, folder, "timing done");
  const TimingPath path = parse_timing(read_file(folder / "timing.txt"));
  if (!path.found) return;
  result.slack_ns = path.slack_ns;
  result.path_ns = request.clock_ns - path.slack_ns;
  result.path_start = path.start;
  result.path_end = path.end;
}

}  // namespace

std::vector<VerilogSource> read_sources(const std::vector<fs::path>& files) {
  std::vector<VerilogSource> sources;
  for (const fs::path& file : files) sources.push_back({file.string(), read_file(file)});
  return sources;
}

int AreaResult::cell_count() const {
  return std::accumulate(cells.begin(), cells.end(), 0,
                         [](int sum, const auto& cell) { return sum + cell.second; });
}

AreaResult synthesize(const AreaRequest& request, const Liberty& liberty, const SynthesisWatch& watch) {
  for (const char* tool : {"yosys", "sta"}) find_tool(tool);  // both, before either works for nothing
  const TempDir folder("area");
  link_library(liberty, folder);
  AreaResult result;
  if (watch) watch("yosys maps it to cells");
  map_to_cells(request, liberty, folder.path(), timed_ports(request), result);
  if ((result.latches != 0 && !request.has_latches) || !request.keep.empty()) return result;
  if (watch) watch("OpenSTA times its paths");
  time_paths(request, liberty, folder.path(), result);
  return result;
}

std::string mapped_netlist(const AreaRequest& request, const Liberty& liberty) {
  const TempDir folder("netlist");
  link_library(liberty, folder);
  std::string commands;
  if (!request.keep.empty())
    commands = "setattr -mod -unset keep_hierarchy " + spaced(request.keep) + "\nflatten\n";
  AreaResult result;
  map_to_cells(request, liberty, folder.path(), commands + "write_json netlist.json", result);
  if (result.latches != 0 && !request.has_latches)
    throw ToolError(fmt::format("{}: the netlist has {} latches", request.name, result.latches));
  return read_file(folder / "netlist.json");
}

std::vector<AreaResult> synthesize_all(const std::vector<AreaRequest>& requests, const Liberty& liberty,
                                       unsigned jobs) {
  std::vector<AreaResult> results(requests.size());
  StatusLine status("area");
  std::atomic<size_t> next{0}, done{0};
  std::mutex mutex;  // guards what follows
  std::exception_ptr failure;

  const auto work = [&] {
    for (size_t i; (i = next++) < requests.size();) try {
        results[i] = synthesize(requests[i], liberty, [&](const std::string& step) {
          status.at(fmt::format("{} of {} synthesized, {}: {}", done.load(), requests.size(),
                                requests[i].name, step));
        });
        ++done;
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = requests.size();
      }
  };
  if (jobs == 0) jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> crew;
  for (size_t i = 1; i < std::min<size_t>(jobs, requests.size()); ++i) crew.emplace_back(work);
  work();
  crew.clear();  // joins
  if (failure) std::rethrow_exception(failure);
  return results;
}

}  // namespace gen
