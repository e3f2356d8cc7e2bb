// What a unit does: its latency and throughput, a full MSHR file, and kernels on it.
#include <fmt/format.h>

#include "gen/datasheet/sections.h"
#include "gen/html.h"
#include "gen/units/l1d/l1d_keys.h"
#include "hw/rtl/module_data.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

std::string count_of(const Json& value) {
  return value.is_null() ? "-" : fmt::format("{}", value.get<std::int64_t>());
}

std::string cycles_text(int cycles) { return cycles == 1 ? "1 cycle" : fmt::format("{} cycles", cycles); }

std::string percent(const Json& rate) { return fmt::format("{:.2f} %", 100 * rate.get<double>()); }

double rate_of(const Json& run) { return run["accesses"].get<double>() / run["cycles"].get<double>(); }

std::string kernel_of(const Json& run) {
  const auto name = run["trace"].get<std::string>();
  return name.substr(name.find(':') + 1);
}

// By kind of access on each kernel.
std::string latency_table(const Json& runs) {
  HtmlTable table{.headings = {"kernel", "kind of access", "loads", "median", "99th percentile",
                               "accesses a cycle, all kinds"},
                  .rows = {},
                  .words = 2};
  for (const Json& run : runs)
    for (const auto& [key, name] : {std::pair{"hits", "hit"}, {"others", "load that goes to memory"}}) {
      const Json& latency = run["latency"][key];
      if (latency["loads"] == 0) continue;
      table.rows.push_back({kernel_of(run), name, count_of(latency["loads"]), count_of(latency["median"]),
                            count_of(latency["percentile_99"]), fmt::format("{:.3f}", rate_of(run))});
    }
  return html(table);
}

// Of a unit that is no cache.
std::string without_mshrs(const Sheet& sheet) {
  const Json& keys = sheet.config.resolved;
  std::string text = "The unit has no MSHRs";
  if (keys.contains("mshr.entries"))
    text += fmt::format(", but an entry for each of the {} MSHRs of the cache beside it",
                        keys["mshr.entries"].dump());
  if (sheet.unit.top.data().streams.empty()) return text + ". It has no stream that could wait.";
  return text + ". A word that finds no free entry waits at its input, whose ready stays low.";
}

}  // namespace

std::string latency_section(const Sheet& sheet) {
  const int latency = sheet.unit.latency;
  if (!sheet.has_mshrs()) {
    const std::string how =
        latency == 0 ? "Its outputs follow its inputs in the same cycle."
                     : fmt::format("From its inputs to its outputs it takes {}.", cycles_text(latency));
    return section("Latency of a hit", paragraph("This unit is no cache and has no hits. " + how));
  }
  std::string body = paragraph(fmt::format(
      "A hit is answered {} after its request was accepted, if nothing stalls it.", cycles_text(latency)));
  const Json& kernels = sheet.measured.kernels;
  if (kernels.is_null()) return section("Latency of a hit", body);
  const Json& goals = sheet.measured.cosim["coverage"]["counts"];
  if (const auto streak = goals.find("16 hits in 16 cycles"); streak != goals.end() && *streak > 0)
    body +=
        paragraph(fmt::format("Throughput of hits: one a cycle. In the co-simulation of this page, 16 hits "
                              "came in 16 cycles {} times.",
                              count_of(*streak)));
  const Json& first = kernels.at(0);
  return section("Latency of a hit", body) +
         section(
             "Latency and throughput by kind of access",
             paragraph(fmt::format("Cycles from the acceptance of a load to its response, with a memory of "
                                   "{} cycles and {} bytes a "
                                   "cycle below. One SM issues the loads, warp by warp.",
                                   count_of(first["memory_latency"]), count_of(first["memory_bandwidth"]))) +
                 latency_table(kernels));
}

std::string mshrs_section(const Sheet& sheet) {
  if (!sheet.has_mshrs())
    return section("Behaviour when the MSHRs are full", paragraph(without_mshrs(sheet)));
  const Json& keys = sheet.config.resolved;
  std::string body = paragraph(fmt::format(
      "There are {} MSHRs, a line each, with up to {} waiting loads an MSHR, and a miss queue of {} "
      "requests. A load that needs a new MSHR and finds all of them in use:",
      keys["mshr.entries"].dump(), keys["mshr.merges"].dump(), keys["mshr.miss_queue"].dump()));
  body += paragraph(rule_of_full_mshrs(keys.value("bypass.kind", std::string("none"))));
  body += paragraph(
      "A load of a pending line needs no new MSHR: it joins the line's MSHR while that has a free target.");
  HtmlTable table{.headings = {"run", "cycles", "no MSHR", "no line", "no waiting load", "miss queue full"},
                  .rows = {},
                  .words = 1};
  const auto add = [&](const std::string& name, const Json& cycles, const Json& counters) {
    std::vector<std::string> row{name, count_of(cycles)};
    for (const char* cause : {"mshr", "line", "merge", "queue"})
      row.push_back(count_of(counters.value(std::string("reservation_fail_") + cause, Json())));
    table.rows.push_back(row);
  };
  const Json& cosim = sheet.measured.cosim;
  if (cosim.contains("counters")) add("co-simulation, random", cosim["cycles"], cosim["counters"]);
  if (!sheet.measured.kernels.is_null())
    for (const Json& run : sheet.measured.kernels) add(kernel_of(run), run["cycles"], run);
  if (!table.rows.empty()) body += paragraph("Reservation fails, in cycles, by their cause:") + html(table);
  return section("Behaviour when the MSHRs are full", body);
}

std::string kernels_section(const Sheet& sheet) {
  const Measured& m = sheet.measured;
  if (m.kernels.is_null()) return "";
  HtmlTable table{.headings = {"kernel", "cache", "loads", "miss rate", "KiB from memory", "cycles"},
                  .rows = {},
                  .words = 2};
  for (std::size_t n = 0; n < m.kernels.size(); ++n)
    for (const Json* runs : {&m.kernels, &m.plain}) {
      if (runs->is_null()) continue;
      const Json& run = runs->at(n);
      table.rows.push_back({kernel_of(run), runs == &m.plain ? m.plain_name : sheet.config.top,
                            count_of(run["loads"]), percent(run["miss_rate"]),
                            fmt::format("{:.1f}", run["traffic"]["bytes_up"].get<double>() / 1024),
                            count_of(run["cycles"])});
    }
  const std::string beside = m.plain.is_null()
                                 ? "This cache is the plain one."
                                 : fmt::format("The plain cache beside it is {}.", m.plain_name);
  return section(
      "Miss rates and cycles",
      paragraph("Built-in kernels on one SM, timed by the golden model, whose cycles are those of the "
                "Verilog. " +
                beside) +
          html(table) +
          paragraph(fmt::format("To repeat: l1forge explore {} --trace {}", call_of(sheet.config),
                                "builtin:" + kernel_of(m.kernels.at(0)))));
}

}  // namespace gen
