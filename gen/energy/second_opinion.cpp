#include "gen/energy/second_opinion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "gen/area/tool_reports.h"
#include "gen/liberty/liberty_reader.h"
#include "gen/liberty/liberty_text.h"
#include "gen/paths.h"
#include "gen/process.h"

namespace gen {
namespace {

std::string net_text(int net) {
  return net == net_zero ? "1'b0" : net == net_one ? "1'b1" : fmt::format("n{}", net);
}

// As it stood in the file. Without a colon and a group, `key (value)`.
std::string statement(const LibertyItem& item) {
  if (item.is_group) return fmt::format(" {}({}) {{{}}}\n", item.key, item.value, item.body);
  if (item.has_colon) return fmt::format(" {} : {};\n", item.key, item.value);
  return fmt::format(" {}({});\n", item.key, item.value);
}

bool is_ram(const Netlist& netlist, std::size_t cell) {
  for (const NetlistRam& ram : netlist.rams)
    if (ram.cell == static_cast<int>(cell)) return true;
  return false;
}

// Activity can be given to ports alone. So each output of a cell gets a pin that is its function, joined to a
// port with the toggles of its net; the arc from it is there for OpenSTA to follow, and takes no time.
std::string annotated_pin(const std::string& output) { return "annotated_" + output; }

std::string annotated_output(const std::string& output) {
  return fmt::format(
      "function : \"{0}\";\n timing() {{ related_pin : \"{0}\"; timing_sense : non_unate;\n"
      " cell_rise(scalar) {{ values(\"0\"); }} cell_fall(scalar) {{ values(\"0\"); }}\n"
      " rise_transition(scalar) {{ values(\"0\"); }} fall_transition(scalar) {{ values(\"0\"); }} }}\n",
      annotated_pin(output));
}

// A pin of its own says how often an energy counts. OpenSTA would take the pins of a condition as independent
// of each other, and all pins that move an output as equally often.
std::string use_pin(const std::string& pin, std::size_t table, bool rises) {
  return fmt::format("used_{}_{}_{}", pin, table, rises ? "rise" : "fall");
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" ,\"", at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(" ,\"", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// A copy of the energies for each pin that they are related to, apart by direction, as PowerPin::power has
// them from `table` on.
std::string annotated_power(const LibertyItem& power, const std::string& pin, std::size_t& table) {
  std::vector<std::string> related;
  std::string of_direction[2];  // falls, rises
  for (const LibertyItem& item : liberty_items(power.body)) {
    if (item.key == "related_pin") related = words_of(std::string(item.value));
    for (const bool rises : {false, true}) {
      const char* own = rises ? "rise_power" : "fall_power";
      if (!item.is_group || (item.key != own && item.key != "power")) continue;
      of_direction[rises] = fmt::format("{}({}) {{{}}}", own, item.value, item.body);
    }
  }
  if (related.empty()) related.push_back("");
  std::string text;
  for (const std::string& from : related) {
    for (const bool rises : {false, true})
      if (!of_direction[rises].empty())
        text += fmt::format(" internal_power() {{ {}when : \"{}\"; {} }}\n",
                            from.empty() ? "" : fmt::format("related_pin : \"{}\"; ", from),
                            use_pin(pin, table, rises), of_direction[rises]);
    ++table;
  }
  return text;
}

std::string annotated_cell(const LibertyItem& cell) {
  std::string text, pins;
  const auto add_input = [&](const std::string& name) {
    pins += fmt::format(" pin({}) {{ direction : input; capacitance : 0; }}\n", name);
  };
  for (const LibertyItem& item : liberty_items(cell.body)) {
    if (item.key != "pin" || !item.is_group) {
      text += statement(item);
      continue;
    }
    for (const std::string& name : words_of(std::string(item.value))) {
      std::string body;
      std::size_t tables = 0;
      bool output = false;
      for (const LibertyItem& inner : liberty_items(item.body)) {
        output |= inner.key == "function";
        if (inner.key == "internal_power")
          body += annotated_power(inner, name, tables);
        else if (inner.key != "function")
          body += statement(inner);
      }
      for (std::size_t table = 0; table < tables; ++table)
        for (const bool rises : {false, true}) add_input(use_pin(name, table, rises));
      if (output) add_input(annotated_pin(name));
      text += fmt::format(" pin({}) {{\n{}{} }}\n", name, body, output ? annotated_output(name) : "");
    }
  }
  return fmt::format("cell({}) {{\n{}{}}}\n", cell.value, text, pins);
}

// Loads of wires, which this count leaves out, and the voltage, which it takes from `nom_voltage`. OpenSTA
// of 2019 does not read names of conditions that begin with a digit.
bool is_left_out(const LibertyItem& item) {
  return item.key.starts_with("wire_load") || item.key.starts_with("default_wire_load") ||
         item.key == "operating_conditions" || item.key == "default_operating_conditions";
}

// The library with these cells alone, each with pins for its activity.
std::string annotated_library(const std::string& text, const std::set<std::string>& cells) {
  std::string annotated;
  for (const LibertyItem& library : liberty_items(text)) {
    if (library.key != "library" || !library.is_group) continue;
    const std::vector<LibertyItem> items = liberty_items(library.body);
    const auto volts = std::ranges::find(items, "nom_voltage", &LibertyItem::key);
    annotated = fmt::format(
        "library({}) {{\n operating_conditions(nominal) {{ process : 1; temperature : 25; voltage : {}; }}\n"
        " default_operating_conditions : nominal;\n",
        library.value, volts == items.end() ? "1" : std::string(volts->value));
    for (const LibertyItem& item : items)
      if (item.key != "cell" || !item.is_group)
        annotated += is_left_out(item) ? "" : statement(item);
      else if (cells.contains(liberty_word(item.value)))
        annotated += annotated_cell(item);
  }
  return annotated + "}\n";
}

// Nets, cells and ports by number; RAMs are outside, behind ports.
class Texts {
 public:
  Texts(const Netlist& netlist, const EnergyMeter& meter, double load_ff) : netlist_(netlist), meter_(meter) {
    for (std::size_t c = 0; c < netlist.cells.size(); ++c)
      if (!is_ram(netlist, c)) add_cell(c);
    for (const NetlistPort& port : netlist.ports)
      for (const int net : port.nets)
        if (port.is_input)
          add_input(net);
        else
          add_output(net, load_ff);
    for (const NetlistRam& ram : netlist.rams) add_ram(ram, load_ff);
    for (const int net : used_)
      if (!driven_.contains(net)) add_input(net);
  }

  std::string verilog() const {
    return fmt::format("module unit ({});\n{}{}{}endmodule\n", ports_, declarations_, wires_, body_);
  }
  const std::string& loads() const { return loads_; }
  const std::string& activity() const { return activity_; }

 private:
  double toggles(int net) const { return double(meter_.toggles()[place(net)]) / double(meter_.cycles()); }
  double duty(int net) const { return double(meter_.high()[place(net)]) / double(meter_.cycles()); }

  std::string activity_of(const std::string& port, int net) const {
    return fmt::format("{} {:.6g} {:.6g}\n", port, toggles(net), duty(net));
  }

  void add_cell(std::size_t c) {
    const NetlistCell& cell = netlist_.cells[c];
    std::string pins;
    for (std::size_t p = 0; p < cell.nets.size(); ++p) {
      const int net = cell.nets[p];
      if (net < 0) continue;
      const PowerPin& pin = cell.kind->pins[p];
      pins += fmt::format("{}.{}({})", pins.empty() ? "" : ", ", pin.name, net_text(net));
      if (net > net_one) used_.insert(net);
      for (std::size_t table = 0; table < pin.power.size(); ++table)
        for (const bool rises : {false, true})
          pins += fmt::format(", .{}({})", use_pin(pin.name, table, rises), use_port(c, p, table, rises));
      if (pin.is_input) continue;
      driven_.insert(net);
      wires_ += fmt::format("  wire n{};\n", net);
      const std::string annotated = fmt::format("t{}", net);
      add_port(annotated, "input");
      pins += fmt::format(", .{}({})", annotated_pin(pin.name), annotated);
      activity_ += activity_of(annotated, net);
    }
    body_ += fmt::format("  {} c{} ({});\n", cell.kind->name, c, pins);
  }
  // A port for each share of a pin's toggles, high for that share of the time.
  std::string use_port(std::size_t c, std::size_t p, std::size_t table, bool rises) {
    const auto all = double(meter_.toggles()[place(netlist_.cells[c].nets[p])]);
    const double used = meter_.uses(static_cast<int>(c), static_cast<int>(p), table, rises);
    const std::string share = fmt::format("{:.5g}", all > 0 ? used / all : 0);
    const auto [at, is_new] = use_ports_.try_emplace(share, fmt::format("u{}", use_ports_.size()));
    if (is_new) {
      add_port(at->second, "input");
      activity_ += fmt::format("{} 0 {}\n", at->second, share);
    }
    return at->second;
  }
  void add_port(const std::string& name, const char* direction) {
    ports_ += (ports_.empty() ? "" : ", ") + name;
    declarations_ += fmt::format("  {} {};\n", direction, name);
  }
  void add_input(int net) {
    if (net <= net_one || !driven_.insert(net).second) return;
    add_port(net_text(net), "input");
    activity_ += activity_of(net_text(net), net);
  }
  void add_output(int net, double load_ff) {
    const std::string name = fmt::format("o{}", outputs_++);
    add_port(name, "output");
    body_ += fmt::format("  assign {} = {};\n", name, net_text(net));
    if (net > net_one) used_.insert(net);
    loads_ += fmt::format("{} {:.6g}\n", name, load_ff);
  }
  void add_ram(const NetlistRam& ram, double load_ff) {
    if (ram.cell < 0) {
      for (const auto& [pin, nets] : ram.pins)
        for (const int net : nets)
          if (driven_.contains(net)) add_output(net, load_ff);
      return;
    }
    const NetlistCell& cell = netlist_.cells[place(ram.cell)];
    for (std::size_t p = 0; p < cell.nets.size(); ++p)
      if (cell.kind->pins[p].is_input && driven_.contains(cell.nets[p]))
        add_output(cell.nets[p], (cell.kind->pins[p].rise_ff + cell.kind->pins[p].fall_ff) / 2);
  }

  const Netlist& netlist_;
  const EnergyMeter& meter_;
  std::set<int> used_, driven_;
  std::map<std::string, std::string> use_ports_;  // by share
  int outputs_ = 0;
  std::string ports_, declarations_, wires_, body_, loads_, activity_;
};

}  // namespace

CellPower parse_power(const std::string& report) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string name;
    CellPower power;
    double total = 0;
    if (!(words >> name) || name != "Total") continue;
    if (!(words >> power.internal >> power.switching >> power.leakage >> total)) continue;
    for (double* watts : {&power.internal, &power.switching, &power.leakage}) *watts *= 1000;
    return power;
  }
  throw ToolError("sta: its report of power has no line of totals");
}

CellPower second_opinion(const Netlist& netlist, const EnergyMeter& meter, const Liberty& liberty,
                         const std::string& clock, double clock_ns) {
  const TempDir folder("power");
  std::set<std::string> cells = {liberty.cells.inverter};
  for (const NetlistCell& cell : netlist.cells) cells.insert(cell.kind->name);
  write_file_atomically(folder / "annotated.lib", annotated_library(read_file(liberty.file), cells));
  const Texts texts(netlist, meter, liberty.load_ff);
  const NetlistPort* clock_port = netlist.port(clock);
  write_file_atomically(folder / "power.v", texts.verilog());
  write_file_atomically(folder / "loads.txt", texts.loads());
  write_file_atomically(folder / "activity.txt", texts.activity());
  write_file_atomically(folder / "power.tcl",
                        fill_in(read_file(paths::source() / "synth-scripts" / "power.tcl"),
                                {{"CLOCK", clock_port == nullptr ? "" : net_text(clock_port->nets[0])},
                                 {"PERIOD", fmt::format("{}", clock_ns)},
                                 {"DRIVER", liberty.cells.inverter}}));
  const Finished done = run({.argv = {"sta", "-no_init", "-no_splash", "-exit", "power.tcl"},
                             .environment = {{"TMPDIR", folder.path().string()}},
                             .folder = folder.path()});
  if (!done.ok() || done.output.find("power done") == done.output.npos)
    throw ToolError(fmt::format("sta: {}", log_tail(done.output)));
  return parse_power(read_file(folder / "power.txt"));
}

}  // namespace gen
