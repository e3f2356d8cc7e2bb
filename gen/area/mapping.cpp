#include "gen/area/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <tuple>

#include "gen/area/mapped_ram.h"
#include "gen/area/storage_report.h"
#include "gen/config/error.h"
#include "gen/tech/macro_verilog.h"
#include "gen/unit/arrays_by_module.h"

namespace gen {
namespace {

// Why the macro cannot be the array, however many stand together; empty where it can.
std::string why_not(const ArrayNeed& need, const Macro& macro) {
  if (macro.ports != need.ports)
    return need.ports == RamPorts::one_r1w ? "has one port for both reads and writes"
                                           : "has a port for reads and another for writes";
  if (need.byte_bits && macro.mask_bits == 0) return "has no write mask";
  if (need.byte_bits && need.byte_bits % macro.mask_bits != 0)
    return fmt::format("masks writes by {} bits", macro.mask_bits);
  if (need.ports == RamPorts::one_r1w && !macro.reads_old)
    return "does not say that a row written at the same edge is read as it was (read_during_write = \"old\")";
  return "";
}

int ceiling(int value, int unit) { return (value + unit - 1) / unit; }

MappedArray with_macro(MappedArray array, const Macro& macro) {
  array.macro = macro;
  array.across = ceiling(array.one.row_bits, macro.bits);
  // Upper bits of the row choose among macros that are stacked, so that each gives a power of two of rows.
  array.deep = array.one.rows <= macro.words
                   ? 1
                   : ceiling(array.one.rows, static_cast<int>(std::bit_floor(unsigned(macro.words))));
  return array;
}

MappedArray mapped(const MappedArray& array, const Technology& technology) {
  const ArrayNeed need = need_of(array.one.module);
  MappedArray best = array;
  const auto cost = [](const MappedArray& a) { return std::tuple(a.macro_area(), a.macros()); };
  for (const Macro& macro : technology.macros) {
    if (!why_not(need, macro).empty()) continue;
    const MappedArray candidate = with_macro(array, macro);
    if (!best.macro || cost(candidate) < cost(best)) best = candidate;
  }
  best.fallback = technology.fallback;
  return best;
}

// The macro whose use would come nearest in bits, with any ports.
[[noreturn]] void refuse(const MappedArray& array, const Technology& technology) {
  const ArrayNeed need = need_of(array.one.module);
  std::string nearest = "the technology has no [[macro]]";
  double least = INFINITY;
  for (const Macro& macro : technology.macros) {
    const double waste = 1 - with_macro(array, macro).used() + (macro.ports == need.ports ? 0 : 1);
    if (waste >= least) continue;
    least = waste;
    nearest = fmt::format("the nearest, {} ({} words of {} bits, {}), {}", macro.cell, macro.words,
                          macro.bits, ports_name(macro.ports), why_not(need, macro));
  }
  throw ConfigError(technology.path,
                    fmt::format("fallback = \"refuse\": no macro serves {}, {} rows of {} bits, {}; {}",
                                array.one.name, array.one.rows, array.one.row_bits, need.text(), nearest));
}

std::string stands_for(const MappedArray& array) {
  if (array.macro) return array.macro->cell;
  switch (array.fallback) {
    case RamFallback::flops:
      return "flip-flops";
    case RamFallback::latches:
      return "latches";
    default:
      return "nothing; counted in bits";
  }
}

}  // namespace

std::string ArrayNeed::text() const {
  if (!byte_bits) return ports_name(ports);
  return ports_name(ports) + ", writes by bytes" +
         (byte_bits == 8 ? "" : fmt::format(" of {} bits", byte_bits));
}

ArrayNeed need_of(const std::string& module) {
  static constexpr std::string_view mark = "_no_change_be";
  const RamPorts ports = module.starts_with("sram_1r1w_") ? RamPorts::one_r1w : RamPorts::one_rw;
  const auto at = module.rfind(mark);
  if (at == module.npos) return {ports};
  const std::string bits = module.substr(at + mark.size());
  return {ports, bits.empty() ? 8 : std::stoi(bits)};
}

double MappedArray::used() const {
  if (!macro) return 0;
  return static_cast<double>(one.bits()) / (double(across) * macro->bits * deep * macro->words);
}

double RamMapping::macro_area() const {
  double sum = 0;
  for (const MappedArray& array : arrays) sum += array.count * array.macro_area();
  return sum;
}

std::int64_t RamMapping::bits_outside(RamPorts ports) const {
  std::int64_t bits = 0;
  for (const MappedArray& array : arrays)
    if (!array.macro && array.fallback == RamFallback::outside && need_of(array.one.module).ports == ports)
      bits += array.count * array.one.bits();
  return bits;
}

const MappedArray* RamMapping::of(const std::string& module) const {
  const auto found = std::ranges::find_if(arrays, [&](const auto& a) { return a.one.module == module; });
  return found == arrays.end() ? nullptr : &*found;
}

RamMapping map_arrays(const std::vector<StorageArray>& storage, const Technology& technology) {
  RamMapping mapping{.technology = technology.name, .arrays = arrays_by_module<MappedArray>(storage)};
  for (MappedArray& array : mapping.arrays) {
    array = mapped(array, technology);
    if (!array.macro && array.fallback == RamFallback::refuse) refuse(array, technology);
  }
  return mapping;
}

void apply(const RamMapping& mapping, AreaRequest& request) {
  std::set<std::string> cells;
  std::vector<VerilogSource> stubs;
  for (VerilogSource& source : request.sources) {
    const MappedArray* array = mapping.of(source.name.substr(0, source.name.rfind(".v")));
    if (array == nullptr || (!array->macro && array->fallback == RamFallback::outside)) continue;
    source.text = mapped_wrapper(source.text, *array);
    std::erase(request.black_boxes, array->one.module);
    request.has_latches |= !array->macro && array->fallback == RamFallback::latches;
    if (!array->macro || !cells.insert(array->macro->cell).second) continue;
    const Macro& macro = *array->macro;
    request.black_boxes.push_back(macro.cell);
    request.ram_times.push_back(
        {macro.cell, macro.facts.access_ns, macro.facts.setup_ns, pins_of(macro).clock});
    stubs.push_back({macro.cell + ".v", macro_stub(macro)});
  }
  request.sources.insert(request.sources.end(), stubs.begin(), stubs.end());
}

std::string mapping_table(const RamMapping& mapping) {
  if (mapping.arrays.empty()) return "";
  std::vector<std::vector<std::string>> rows = {
      {"array", "count", "rows x bits", "ports", "across x deep", "used", "um^2", "access ns", "by"}};
  for (const MappedArray& a : mapping.arrays) {
    const bool macro = a.macro.has_value();
    rows.push_back({a.one.module, fmt::format("{}", a.count),
                    fmt::format("{} x {}", a.one.rows, a.one.row_bits), need_of(a.one.module).text(),
                    macro ? fmt::format("{} x {}", a.across, a.deep) : "-",
                    macro ? fmt::format("{:.0f} %", 100 * a.used()) : "-",
                    macro ? fmt::format("{:.0f}", a.count * a.macro_area()) : "-",
                    macro ? fmt::format("{:.2f}", a.macro->facts.access_ns) : "-", stands_for(a)});
  }
  std::string text = fmt::format("\nArrays on the macros of {}\n{}", mapping.technology, aligned(rows, true));
  const std::int64_t one = mapping.bits_outside(RamPorts::one_rw),
                     two = mapping.bits_outside(RamPorts::one_r1w);
  if (one + two > 0)
    text += fmt::format("in no area: {} bits of one port, {} bits of a read and a write port\n", one, two);
  return text;
}

nlohmann::ordered_json mapping_json(const RamMapping& mapping) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const MappedArray& a : mapping.arrays) {
    const ArrayNeed need = need_of(a.one.module);
    nlohmann::ordered_json row = {{"module", a.one.module},
                                  {"count", a.count},
                                  {"rows", a.one.rows},
                                  {"row_bits", a.one.row_bits},
                                  {"ports", ports_name(need.ports)},
                                  {"byte_writes", need.byte_bits > 0},
                                  {"by", stands_for(a)}};
    if (a.macro)
      row.update({{"across", a.across},
                  {"deep", a.deep},
                  {"used", a.used()},
                  {"area_um2", a.macro_area()},
                  {"access_ns", a.macro->facts.access_ns},
                  {"setup_ns", a.macro->facts.setup_ns}});
    json.push_back(row);
  }
  return json;
}

}  // namespace gen
