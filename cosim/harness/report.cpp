#include "cosim/harness/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cosim/harness/cpu_seconds.h"
#include "cosim/harness/ending_signals.h"
#include "cosim/harness/time_left.h"
#include "cosim/harness/verilog_coverage.h"
#include "golden/trace/io/json_text.h"
#include "golden/trace/io/output_file.h"

namespace verif {
namespace {

std::string with_commas(std::int64_t n) {
  const std::string digits = std::to_string(n);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string cycles_per_second(double n) {
  return n < 1e5 ? fmt::format("{:.1f} k cycles/s", n / 1e3) : fmt::format("{:.1f} M cycles/s", n / 1e6);
}

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

nlohmann::ordered_json to_json(const CosimOptions& o, const CosimReport& r) {
  nlohmann::ordered_json mismatches = nlohmann::ordered_json::array();
  for (const Mismatch& m : r.mismatches)
    mismatches.push_back({{"cycle", m.cycle},
                          {"port", m.port},
                          {"dut", m.dut},
                          {"golden", m.golden},
                          {"last_inputs", m.last_inputs}});
  for (std::size_t i = 0; i < r.mismatches.size(); ++i)
    if (r.mismatches[i].sm >= 0) mismatches[i]["sm"] = r.mismatches[i].sm;
  const std::vector<std::string> missed = r.missed_goals();
  nlohmann::ordered_json json{{"top", o.top},
                              {"stimulus", r.stimulus},
                              {"twin", r.reference},
                              {"seed", o.seed},
                              {"cycles", r.cycles},
                              {"passed", r.passed()},
                              {"mismatches", mismatches},
                              {"coverage",
                               {{"goals", r.goals.size()},
                                {"reached", r.goals.size() - missed.size()},
                                {"missed", missed},
                                {"counts", r.goals}}},
                              {"cosim_cycles_per_second", r.cosim_cycles_per_second},
                              {"bare_cycles_per_second", r.bare_cycles_per_second},
                              {"golden_cycles_per_second", r.golden_cycles_per_second}};
  for (const auto& [name, text] : r.json) json[name] = nlohmann::ordered_json::parse(text);
  return json;
}

std::string coverage_line(const CosimReport& r) {
  const std::vector<std::string> missed = r.missed_goals();
  return fmt::format("coverage {} of {}{}{}", r.goals.size() - missed.size(), r.goals.size(),
                     missed.empty() ? "" : ": not reached: ", fmt::join(missed, ", "));
}

}  // namespace

std::vector<std::string> CosimReport::missed_goals() const {
  std::vector<std::string> missed;
  for (const auto& [goal, times] : goals)
    if (times == 0) missed.push_back(goal);
  return missed;
}

bool CosimReport::passed() const {
  return mismatches.empty() && cycles > 0 && (!coverage_asked || missed_goals().empty());
}

int conclude(const CosimOptions& o, CosimReport r) {
  r.coverage_asked = o.coverage;
  for (const Mismatch& m : r.mismatches) {
    fmt::print("{}: MISMATCH in cycle {}{}: {} is {:#x} but {} says {:#x}\n  last inputs:\n", o.top, m.cycle,
               m.sm < 0 ? "" : fmt::format(" in SM {}", m.sm), m.port, m.dut, r.reference, m.golden);
    for (const auto& line : m.last_inputs) fmt::print("    {}\n", line);
  }
  fmt::print("{}: {} {} of {} in lock step with {}, {}\n", o.top, with_commas(r.cycles),
             r.cycles == 1 ? "cycle" : "cycles", r.stimulus, r.reference,
             r.passed() ? "no mismatch" : "FAILED");
  if (!r.goals.empty()) fmt::print("  {}\n", coverage_line(r));
  for (const std::string& line : r.lines) fmt::print("  {}\n", line);
  if (r.bare_cycles_per_second > 0)
    fmt::print("  speed: {} with every check, {} the bare model with the same inputs ({:.0f} %)\n",
               cycles_per_second(r.cosim_cycles_per_second), cycles_per_second(r.bare_cycles_per_second),
               100 * r.cosim_cycles_per_second / r.bare_cycles_per_second);
  if (!o.report.empty()) {
    golden::OutputFile file(o.report);
    file.write(golden::json_text(to_json(o, r), 2) + "\n");
    file.commit();
  }
  return r.passed() ? 0 : 1;
}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::at(std::int64_t cycle) {
  if (!on_) return;
  const std::int64_t ms = now_ms();
  if (ms - last_ms_ < 100) return;
  last_ms_ = ms;
  shown_ = true;
  fmt::print(stderr, "\r\033[K{} cycles{}", with_commas(cycle),
             total_ > 0 ? fmt::format(" of {}, {} %{}", with_commas(total_), 100 * cycle / total_,
                                      time_left(cpu_seconds(),
                                                static_cast<double>(cycle) / static_cast<double>(total_)))
                        : "");
}

int guarded(int argc, char** argv, int (*body)(const CosimOptions&)) {
  on_ending_signals([] {});
  CosimOptions options;
  try {
    options = read_options(argc, argv);
    verilog_coverage_file = options.verilog_coverage;
    return body(options);
  } catch (const std::exception& e) {
    std::string what = e.what();
    const std::size_t at = options.kept_input.empty() ? what.npos : what.find(options.kept_input);
    if (at != what.npos) what.replace(at, options.kept_input.size(), "standard input");
    fmt::print(stderr, "l1forge: {}\n", what);
    return 2;
  }
}

}  // namespace verif
