#include "gen/energy/energy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "gen/area/storage_report.h"
#include "gen/energy/energy_groups.h"

namespace gen {
namespace {

constexpr double mw_of_nw = 1e-6;

void add(EnergyPart& part, const CellEnergy& cell, double cycles) {
  part.internal_pj += cell.internal_pj;
  part.switching_pj += cell.switching_pj;
  part.leakage_mw += cell.leakage_nw_cycles / cycles * mw_of_nw;
}

std::vector<std::string> row_of(const EnergyReport& report, const std::string& name, double pj,
                                double leakage) {
  return {name, fmt::format("{:.4g}", pj / static_cast<double>(report.window)),
          fmt::format("{:.4g}", report.mw(pj)), fmt::format("{:.4g}", leakage)};
}

nlohmann::ordered_json part_json(const EnergyReport& report, const EnergyPart& part) {
  return {{"name", part.name},
          {"internal_pj", part.internal_pj},
          {"switching_pj", part.switching_pj},
          {"mw", report.mw(part.pj())},
          {"leakage_mw", part.leakage_mw}};
}

// How much more the first is; none where the second is no opinion.
std::optional<double> share(double own, double other) {
  if (other <= 0) return {};
  return own / other - 1;
}
std::string share_text(double own, double other) {
  const auto more = share(own, other);
  return more ? fmt::format("{:+.1f} %", 100 * *more) : "-";
}

// OpenSTA finds no activity in some libraries, and then leakage alone.
bool has_opinion(const EnergyReport& report) {
  return report.opinion.switching > 0 || report.own.switching <= 0;
}

// One array for each module of RAMs, and the cells that are macros.
std::set<int> fill_arrays(const Netlist& netlist, const EnergyMeter& meter, EnergyReport& report) {
  std::set<int> macros;
  for (std::size_t r = 0; r < netlist.rams.size(); ++r) {
    const NetlistRam& ram = netlist.rams[r];
    auto found = std::ranges::find(report.arrays, ram.module, &ArrayEnergy::module);
    if (found == report.arrays.end()) {
      report.arrays.push_back({.module = ram.module});
      found = report.arrays.end() - 1;
    }
    ++found->instances;
    found->reads += meter.reads()[r];
    found->writes += meter.writes()[r];
    if (ram.cell < 0) continue;
    macros.insert(ram.cell);
    if (!found->energy) found->energy = EnergyPart{.name = ram.module};
    add(*found->energy, meter.cells()[static_cast<std::size_t>(ram.cell)],
        static_cast<double>(meter.cycles()));
  }
  return macros;
}

}  // namespace

double EnergyReport::pj() const {
  double sum = 0;
  for (const EnergyPart& kind : kinds) sum += kind.pj();
  for (const ArrayEnergy& array : arrays) sum += array.energy ? array.energy->pj() : 0;
  return sum;
}

double EnergyReport::leakage_mw() const {
  double sum = 0;
  for (const EnergyPart& kind : kinds) sum += kind.leakage_mw;
  for (const ArrayEnergy& array : arrays) sum += array.energy ? array.energy->leakage_mw : 0;
  return sum;
}

void fill_report(const Netlist& netlist, const EnergyMeter& meter, const std::vector<std::string>& instances,
                 const std::string& clock, EnergyReport& report) {
  const auto cycles = static_cast<double>(meter.cycles());
  EnergyPart clocks{.name = "clock"}, flops{.name = "flip-flops"}, gates{.name = "gates"},
      inputs{.name = "inputs"};
  const std::set<int> macros = fill_arrays(netlist, meter, report);
  std::map<std::string, EnergyPart> parts;
  for (std::size_t c = 0; c < netlist.cells.size(); ++c) {
    if (macros.contains(static_cast<int>(c))) continue;
    const NetlistCell& cell = netlist.cells[c];
    CellEnergy energy = meter.cells()[c];
    EnergyPart& part = parts[part_of(cell.name, instances)];
    add(part, energy, cycles);
    report.own.internal += report.mw(energy.internal_pj);
    report.own.switching += report.mw(energy.switching_pj);
    report.own.leakage += energy.leakage_nw_cycles / cycles * mw_of_nw;
    report.internal_tables &= cell.kind->has_power;
    clocks.internal_pj += energy.clock_pj;
    energy.internal_pj -= energy.clock_pj;
    add(cell.kind->state ? flops : gates, energy, cycles);
  }
  const NetlistPort* port = netlist.port(clock);
  for (int net = 2; net < netlist.nets; ++net)
    (port != nullptr && port->nets[0] == net ? clocks : inputs).switching_pj +=
        meter.outside_pj()[static_cast<std::size_t>(net)];
  report.kinds = {clocks, flops, gates, inputs};
  if (instances.empty()) return;
  for (auto& [name, part] : parts) {
    part.name = name.empty() ? report.unit : name;
    report.parts.push_back(part);
  }
  std::ranges::stable_sort(report.parts, [](const auto& a, const auto& b) { return a.pj() > b.pj(); });
}

std::optional<double> opinion_share(const EnergyReport& report) {
  if (!has_opinion(report)) return {};
  return share(report.own.total(), report.opinion.total());
}

std::string energy_table(const EnergyReport& report) {
  std::vector<std::vector<std::string>> rows = {{report.unit, "pJ/cycle", "mW", "leakage mW"}};
  for (const EnergyPart& kind : report.kinds)
    rows.push_back(row_of(report, "  " + kind.name, kind.pj(), kind.leakage_mw));
  for (const ArrayEnergy& array : report.arrays)
    if (array.energy)
      rows.push_back(row_of(report, "  " + array.module, array.energy->pj(), array.energy->leakage_mw));
  rows.push_back(row_of(report, "total", report.pj(), report.leakage_mw()));
  std::string text = aligned(rows);
  if (!report.parts.empty()) {
    rows = {{"part", "pJ/cycle", "mW", "leakage mW"}};
    for (const EnergyPart& part : report.parts)
      rows.push_back(row_of(report, part.name, part.pj(), part.leakage_mw));
    text += "\n" + aligned(rows);
  }
  if (!report.arrays.empty()) {
    rows = {{"array", "count", "reads", "writes", "bits", "pJ an access"}};
    for (const ArrayEnergy& a : report.arrays) {
      const std::int64_t accesses = a.reads + a.writes;
      rows.push_back(
          {a.module, fmt::format("{}", a.instances), fmt::format("{}", a.reads), fmt::format("{}", a.writes),
           fmt::format("{}", a.bits),
           a.energy && accesses > 0 ? fmt::format("{:.4g}", a.energy->pj() / double(accesses)) : "-"});
    }
    text += "\n" + aligned(rows);
  }
  if (!report.transfers.empty()) {
    rows = {{"stream", "transfers", "pJ a transfer"}};
    for (const auto& [stream, count] : report.transfers)
      rows.push_back({stream, fmt::format("{}", count),
                      count > 0 ? fmt::format("{:.4g}", report.pj() / double(count)) : "-"});
    text += "\n" + aligned(rows);
  }
  if (!report.accesses.empty()) {
    rows = {{"access", "pJ", "standard error"}};
    for (const auto& [kind, energy] : report.accesses)
      rows.push_back({kind, energy.known() ? fmt::format("{:.4g}", energy.pj) : "not known",
                      fmt::format("{:.2g}", energy.error_pj)});
    text += fmt::format(
        "\n{}least squares over the window; {:.0f} % of the variance. An energy below four standard errors "
        "is "
        "not known: take a longer window\n",
        aligned(rows), 100 * report.explained);
  }
  rows = {{"cells alone, mW", "internal", "switching", "leakage", "total"}};
  for (const auto& [name, power] : {std::pair{"this count", report.own}, {"OpenSTA", report.opinion}})
    rows.push_back({name, fmt::format("{:.4g}", power.internal), fmt::format("{:.4g}", power.switching),
                    fmt::format("{:.4g}", power.leakage), fmt::format("{:.4g}", power.total())});
  rows.push_back({"difference", share_text(report.own.internal, report.opinion.internal),
                  share_text(report.own.switching, report.opinion.switching),
                  share_text(report.own.leakage, report.opinion.leakage),
                  has_opinion(report) ? share_text(report.own.total(), report.opinion.total()) : "-"});
  text += "\n" + aligned(rows);
  text +=
      fmt::format("\nwindow: {} cycles from cycle {} of {}\n", report.window, report.from, report.stimulus);
  text += fmt::format(
      "clock: {:g} ns, {:g} V; every output as in lock step in each cycle; no glitches, no wires\n",
      report.clock_ns, report.volts);
  text += fmt::format("library: {}\n", report.library);
  if (!has_opinion(report))
    text += "OpenSTA finds no activity with this library: there is no second opinion\n";
  if (!report.internal_tables)
    text += "the library lacks internal power of some cells: their energy is that of their loads alone\n";
  return text;
}

nlohmann::ordered_json energy_json(const EnergyReport& report) {
  using Json = nlohmann::ordered_json;
  const auto power = [](const CellPower& p) {
    return Json{{"internal_mw", p.internal},
                {"switching_mw", p.switching},
                {"leakage_mw", p.leakage},
                {"mw", p.total()}};
  };
  Json json = {{"unit", report.unit},
               {"library", report.library},
               {"volts", report.volts},
               {"clock_ns", report.clock_ns},
               {"stimulus", report.stimulus},
               {"from", report.from},
               {"window", report.window},
               {"pj", {{"cycle", report.pj() / static_cast<double>(report.window)}}},
               {"mw", report.mw(report.pj())},
               {"leakage_mw", report.leakage_mw()},
               {"internal_power", report.internal_tables}};
  for (const auto& [kind, energy] : report.accesses) {
    if (energy.known()) json["pj"][kind] = energy.pj;
    json["pj_error"][kind] = energy.error_pj;
  }
  if (!report.accesses.empty()) json["pj_explained"] = report.explained;
  for (const auto& [kind, shares] : report.shares)
    for (const auto& [part, pj] : shares)
      if (json["pj"].contains(kind)) json["pj_parts"][kind][part] = pj;
  json["kinds"] = json["parts"] = json["arrays"] = Json::array();
  for (const EnergyPart& kind : report.kinds) json["kinds"].push_back(part_json(report, kind));
  for (const EnergyPart& part : report.parts) json["parts"].push_back(part_json(report, part));
  for (const ArrayEnergy& a : report.arrays) {
    Json array = {{"module", a.module},
                  {"count", a.instances},
                  {"reads", a.reads},
                  {"writes", a.writes},
                  {"bits", a.bits}};
    if (a.energy) array.update(part_json(report, *a.energy));
    array.erase("name");
    json["arrays"].push_back(array);
  }
  json["transfers"] = report.transfers;
  json["cells"] = {{"own", power(report.own)}, {"opensta", power(report.opinion)}, {"difference", nullptr}};
  if (const auto more = opinion_share(report)) json["cells"]["difference"] = *more;
  return json;
}

}  // namespace gen
