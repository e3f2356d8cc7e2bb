// Runs a network unit's lock step as `l1forge cosim` does, on its own Verilog or on a copy with something
// broken.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/cosim/probe.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "gen/unit.h"
#include "gen/units/noc/noc.h"
#include "gen/units/unit_kind.h"

namespace verif {

// A text to replace in the unit's Verilog, behind the port list of the module that holds it.
struct Fault {
  std::string from, to;
};

struct LockStep {
  int status = -1;
  std::string output;
  nlohmann::json report;
};

inline bool full_tier() { return std::getenv("FORGE_FULL") != nullptr; }

inline std::uint64_t fresh_seed(std::uint64_t pinned) {
  return full_tier() ? std::random_device{}() : pinned;
}

// Throws when the text to break is not there: a fault that changes nothing is a mistake of the test.
inline void plant(std::map<std::string, std::string>& verilog, const Fault& fault) {
  for (auto& [name, text] : verilog) {
    const std::size_t at = text.find(fault.from, text.find(");"));
    if (at == std::string::npos) continue;
    text.replace(at, fault.from.size(), fault.to);
    return;
  }
  throw std::runtime_error(fmt::format("no '{}' to break", fault.from));
}

// A change of the program that is run: other faults, or another bench.
using Change = std::function<void(gen::ProgramSource&)>;

inline LockStep lock_step(const std::string& preset, const std::vector<std::string>& settings,
                          std::int64_t cycles, std::uint64_t seed, const Fault* fault = nullptr,
                          const Change& change = {}) {
  const gen::Config config = gen::load_config(preset, settings);
  const gen::Unit unit = gen::elaborate(config);
  gen::ProgramSource source{.name = config.top,
                            .top = config.top,
                            .large = std::holds_alternative<hw::TopologyParams>(config.params)};
  for (const rtl::Module& m : rtl::modules_of(unit.top)) source.verilog[m.name() + ".v"] = gen::verilog(m);
  if (fault) {
    plant(source.verilog, *fault);
    source.lint = false;  // a fault may leave a bit unread
  }
  const gen::CosimMain main = gen::unit_kind_of(config).cosim(config.params);
  std::string state;
  if (main.compares_state) {
    const auto shown = gen::shown_state(unit.top);
    const gen::ProbedTop top = gen::probed(unit.top, false, shown);
    source.top = top.module;
    source.verilog[top.module + ".v"] = top.verilog;
    state = gen::state_text(shown, true);
  }
  source.main = gen::main_text(main, "", state);
  if (change) change(source);
  const gen::TempDir work("lock_step");
  const nlohmann::json options{{"top", config.top},
                               {"random_cycles", cycles},
                               {"seed", seed},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(source).string(), (work / "options.json").string()}});
  LockStep result{done.status, done.output, {}};
  if (done.status == 0 || done.status == 1)
    result.report = nlohmann::json::parse(gen::read_file(work / "report.json"));
  return result;
}

// No difference, and every event was seen.
inline void expect_same(const std::string& preset, const std::vector<std::string>& settings,
                        std::int64_t cycles, std::uint64_t seed) {
  const LockStep result = lock_step(preset, settings, cycles, seed);
  EXPECT_EQ(result.status, 0) << fmt::format("seed {}\n", seed) << result.output;
  fmt::print("{}", result.output);
}

// The lock step stops at a difference.
inline void expect_found(const std::string& preset, const std::vector<std::string>& settings,
                         const Fault& fault) {
  const LockStep result = lock_step(preset, settings, 100'000, 1, &fault);
  EXPECT_EQ(result.status, 1) << fault.from << " -> " << fault.to << "\n" << result.output;
  EXPECT_THAT(result.output, testing::HasSubstr("MISMATCH")) << fault.from << " -> " << fault.to;
}

}  // namespace verif
