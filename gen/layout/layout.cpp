#include "gen/layout/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/area/request.h"
#include "gen/area/storage_report.h"
#include "gen/area/synthesis.h"
#include "gen/config/error.h"
#include "gen/energy/netlist.h"
#include "gen/layout/blif.h"
#include "gen/marked_file.h"
#include "gen/process.h"
#include "gen/status_line.h"
#include "gen/unit/unit.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const fs::path technology = "/usr/share/qflow/tech/osu018";
const fs::path scripts = "/usr/lib/qflow/scripts";

// All before any of them works for nothing.
void check_tools() {
  for (const char* tool : {"yosys", "graywolf", "qrouter", "magic", "tclsh"}) find_tool(tool);
  std::error_code error;
  for (const fs::path& file : {technology / "osu018_stdcells.lef", scripts / "blif2cel.tcl"})
    if (!fs::exists(file, error))
      throw ToolError(
          fmt::format("{}: not found; install it by: apt-get install qflow-tech-osu018", file.string()));
}

void refuse_big(const Config& config) {
  const std::string rest =
      "layout is of units of gates and flops alone; gen --flow orfs --tech FILE writes the "
      "folder of a flow for it";
  if (config.params.holds<hw::TopologyParams>())
    throw ConfigError("layout", fmt::format("{} is a topology of many caches: {}", config.top, rest));
  const Unit unit = elaborate(config);
  if (!unit.storage.empty())
    throw ConfigError("layout", fmt::format("{} has {} RAMs: {}", config.top, unit.storage.size(), rest));
}

// The steps in a folder of their own, each with the end of its log where it fails.
class Layout {
 public:
  explicit Layout(const Config& config) : top_(config.top), status_("layout of " + config.top) {
    report_.top = top_;
  }

  LayoutResult run(const Config& config) {
    const Blif blif = netlist(config);
    report_.cells = blif.cells;
    report_.tied_outputs = blif.tied_outputs;
    if (blif.cells > most_layout_cells)
      throw ConfigError("layout",
                        fmt::format("{} has {} cells, more than the {} that graywolf and qrouter take in "
                                    "an hour: gen --flow orfs writes the folder of a flow for it",
                                    top_, blif.cells, most_layout_cells));
    if (blif.cells == 0) throw ConfigError("layout", fmt::format("{} has no cell", top_));
    write(top_ + ".blif", blif.text);
    place();
    route();
    const std::string def = read_file(folder_ / (top_ + "_route.def"));
    status_.at("magic checks wires");
    report_.drc_errors = wire_errors(def, top_);
    const std::string svg = picture(def);
    return {report_, def, svg, blif.text};
  }

 private:
  Blif netlist(const Config& config) {
    status_.at("yosys maps it to cells");
    const Unit unit = elaborate(config);
    const auto json = mapped_netlist(area_request(top_, unit.top, 0), default_liberty());
    return blif_of(netlist_module(json, top_), top_);
  }

  void write(const std::string& name, const std::string& text) {
    write_file_atomically(folder_ / name, text);
  }

  // A step whose file is missing did not work, also where its exit status is 0.
  Finished step(const std::string& what, std::vector<std::string> argv, const std::string& leaves) {
    status_.at(what);
    Finished done = gen::run({.argv = std::move(argv), .folder = folder_.path()});
    std::error_code error;
    if (!done.ok() || (!leaves.empty() && !fs::exists(folder_ / leaves, error)))
      throw ToolError(fmt::format("layout: {}: {}: {}", top_, what, log_tail(done.output)));
    return done;
  }
  void script(const std::string& name, std::vector<std::string> arguments, const std::string& leaves) {
    arguments.insert(arguments.begin(), {"tclsh", (scripts / name).string()});
    step(name, std::move(arguments), leaves);
  }

  void place() {
    const std::string lef = (technology / "osu018_stdcells.lef").string();
    script("blif2cel.tcl", {"--blif", top_ + ".blif", "--lef", lef, "--cel", top_ + ".cel"}, top_ + ".cel");
    write(top_ + ".par", read_file(technology / "osu018.par"));
    write(top_ + ".cfg", "read_lef " + lef + "\n");
    step("qrouter reads the layers", {"qrouter", "-nog", "-i", top_ + ".info", "-c", top_ + ".cfg"},
         top_ + ".info");
    report_.place_seconds = step("graywolf places cells", {"graywolf", "-n", top_}, top_ + ".pin").seconds;
    script("place2def.tcl", {top_, "FILL"}, top_ + ".def");
    script("addspacers.tcl", {"-stripe", "2.0", "50.0", "PG", top_, lef, "FILL"}, top_ + "_filled.def");
    fs::rename(folder_ / (top_ + "_filled.def"), folder_ / (top_ + ".def"));
    script("arrangepins.tcl", {top_}, top_ + "_mod.def");
    fs::rename(folder_ / (top_ + "_mod.def"), folder_ / (top_ + ".def"));
  }

  void route() {
    std::error_code error;
    const fs::path stripes = folder_ / (top_ + ".obsx");  // where none may be routed
    write(top_ + ".cfg",
          fmt::format("verbose 1\nread_lef {}\nvia stack 1\nvdd vdd\ngnd gnd\n{}read_def {}.def\n"
                      "qrouter::standard_route {}_route.def false\nquit\n",
                      (technology / "osu018_stdcells.lef").string(),
                      fs::exists(stripes, error) ? read_file(stripes) : "", top_, top_));
    const Finished done =
        step("qrouter routes nets", {"qrouter", "-nog", "-s", top_ + ".cfg"}, top_ + "_route.def");
    report_.route_seconds = done.seconds;
    const std::string last = done.output.substr(std::min(done.output.rfind("Final: "), done.output.size()));
    if (last.find("No failed routes!") != std::string::npos) return;
    const std::string words = "Failed net routes: ";
    const std::size_t at = last.find(words);
    if (at == std::string::npos)
      throw ToolError(fmt::format("layout: {}: qrouter does not say how many nets it routed", top_));
    report_.failed_nets = std::stoi(last.substr(at + words.size()));
  }

  std::string picture(const std::string& def) {
    const DefLayout layout = parse_def(def);
    const auto sizes = lef_sizes(read_file(technology / "osu018_stdcells.lef"));
    report_.width_um = layout.right - layout.left;
    report_.height_um = layout.top - layout.bottom;
    double left = layout.right, bottom = layout.top, right = layout.left, top = layout.bottom;
    for (const DefCell& cell : layout.cells) {
      const auto size = sizes.find(cell.type);
      if (size == sizes.end())
        throw ToolError(fmt::format("layout: {}: the LEF has no cell {}", top_, cell.type));
      if (cell.type == "FILL")
        ++report_.fillers;
      else
        report_.cell_um2 += size->second.width * size->second.height;
      left = std::min(left, cell.x);
      bottom = std::min(bottom, cell.y);
      right = std::max(right, cell.x + size->second.width);
      top = std::max(top, cell.y + size->second.height);
    }
    report_.core_um2 = (right - left) * (top - bottom);
    report_.nets = layout.nets;
    report_.vias = layout.vias;
    for (const DefWire& wire : layout.wires) report_.wire_um[wire.layer] += wire.length();
    return layout_svg(
        layout, sizes,
        fmt::format("{}: {:.1f} x {:.1f} um, {} cells in rows, {:.0f} um of wires", top_, report_.width_um,
                    report_.height_um, report_.cells, report_.total_wire_um()));
  }

  const std::string top_;
  StatusLine status_;
  const TempDir folder_{"layout"};
  LayoutReport report_;
};

}  // namespace

double LayoutReport::total_wire_um() const {
  double sum = 0;
  for (const auto& [layer, length] : wire_um) sum += length;
  return sum;
}

LayoutResult layout_of(const Config& config) {
  check_tools();
  refuse_big(config);
  return Layout(config).run(config);
}

int wire_errors(const std::string& def, const std::string& top) {
  const TempDir folder("drc");
  write_file_atomically(folder / "wires.def", def);
  write_file_atomically(folder / "drc.tcl",
                        fmt::format("drc off\nlef read {}\nload {}\ndef read wires.def\nload {}\ndrc on\n"
                                    "select top cell\nexpand\ndrc check\ndrc catchup\n"
                                    "puts stdout \"drc = [drc list count total]\"\nquit -noprompt\n",
                                    (technology / "osu018_stdcells.lef").string(), top, top));
  const Finished done = run({.argv = {"magic", "-dnull", "-noconsole", "-rcfile",
                                      (technology / "osu018.magicrc").string(), "drc.tcl"},
                             .folder = folder.path()});
  const std::string words = "\ndrc = ";
  const std::size_t at = done.output.rfind(words);
  const std::size_t cells = parse_def(def).cells.size();
  const std::string has_read = fmt::format("Processed {} subcell instances total", cells);
  if (!done.ok() || at == std::string::npos || cells == 0 || done.output.find(has_read) == std::string::npos)
    throw ToolError(fmt::format("layout: {}: magic checked nothing: {}", top, log_tail(done.output)));
  return std::stoi(done.output.substr(at + words.size()));
}

std::string layout_table(const LayoutReport& r) {
  std::vector<std::vector<std::string>> rows = {
      {"figure", "value"},
      {"cells", fmt::format("{}", r.cells)},
      {"cell area", fmt::format("{:.0f} um2", r.cell_um2)},
      {"die", fmt::format("{:.1f} x {:.1f} um", r.width_um, r.height_um)},
      {"utilisation of rows", fmt::format("{:.1f} %", 100 * r.utilisation())},
      {"nets", fmt::format("{}", r.nets)},
      {"wire length", fmt::format("{:.0f} um", r.total_wire_um())}};
  for (const auto& [layer, length] : r.wire_um)
    rows.push_back({"  " + layer, fmt::format("{:.0f} um", length)});
  rows.push_back({"vias", fmt::format("{}", r.vias)});
  rows.push_back({"nets without a route", fmt::format("{}", r.failed_nets)});
  rows.push_back({"errors of wires", fmt::format("{}", r.drc_errors)});
  if (r.tied_outputs > 0)
    rows.push_back({"constant outputs, without a pin", fmt::format("{}", r.tied_outputs)});
  rows.push_back({"graywolf, qrouter", fmt::format("{:.1f} s, {:.1f} s", r.place_seconds, r.route_seconds)});
  return fmt::format("{} in osu018\n{}", r.top, aligned(rows, true));
}

Json layout_json(const LayoutReport& r) {
  return {{"top", r.top},
          {"library", "osu018"},
          {"cells", r.cells},
          {"fillers", r.fillers},
          {"cell_um2", r.cell_um2},
          {"width_um", r.width_um},
          {"height_um", r.height_um},
          {"core_um2", r.core_um2},
          {"utilisation", r.utilisation()},
          {"nets", r.nets},
          {"wire_um", r.total_wire_um()},
          {"wire_um_by_layer", r.wire_um},
          {"vias", r.vias},
          {"failed_nets", r.failed_nets},
          {"drc_errors", r.drc_errors},
          {"tied_outputs", r.tied_outputs},
          {"place_seconds", r.place_seconds},
          {"route_seconds", r.route_seconds}};
}

int layout(const Config& config, const fs::path& folder, const Reports& reports) {
  make_output_folder(folder);
  const fs::path def = folder / (config.top + ".def"), svg = folder / (config.top + ".svg");
  for (const fs::path& file : {def, svg}) {
    check_own_file(file);
    check_writable(file);
  }
  const LayoutResult result = layout_of(config);
  write_file_atomically(def, marked(result.def, def));
  write_file_atomically(svg, marked(result.svg, svg));
  const Json json = layout_json(result.report);
  reports.write(json, {json});
  if (!reports.to_stdout()) fmt::print("{}{}\n{}\n", layout_table(result.report), def.string(), svg.string());
  if (result.report.failed_nets == 0 && result.report.drc_errors == 0) return 0;
  fmt::print(stderr, "l1forge: {}: {} nets without a route, {} errors of wires\n", config.top,
             result.report.failed_nets, result.report.drc_errors);
  return 1;
}

}  // namespace gen
