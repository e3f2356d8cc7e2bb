#include "verif/mutate/mutation_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "gen/config/config.h"
#include "gen/cosim/cosim.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/unit/unit.h"

namespace verif {
namespace {

gen::ProgramSource program_with(const gen::Config& config, std::span<const Fault> faults,
                                const MutationRun& mutation_run) {
  gen::ProgramSource source = gen::cosim_program(config);
  inject_all(source.verilog, gen::elaborate(config).top, faults);
  source.name += "_faults";
  source.lint = false;  // a fault may leave a bit unread
  if (mutation_run.change) mutation_run.change(source);
  return source;
}

// Another bench has other goals.
bool checks_goals(const MutationRun& mutation_run) { return mutation_run.coverage && !mutation_run.change; }

}  // namespace

void expect_all_found(const std::string& preset, const std::vector<std::string>& settings,
                      std::span<const Fault> faults, const MutationRun& mutation_run) {
  const gen::Config config = gen::load_config(preset, settings);
  const auto program = gen::build_program(program_with(config, faults, mutation_run));
  const gen::TempDir work("mutation_run");
  const nlohmann::json options{{"top", config.top},
                               {"random_cycles", mutation_run.cycles},
                               {"seed", mutation_run.seed},
                               {"coverage", checks_goals(mutation_run)},
                               {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto run = [&](std::size_t number) {
    gen::write_file_atomically(work / fault_file, fmt::format("{:x}\n", number));
    return gen::run({.argv = {program.string(), (work / "options.json").string()}, .folder = work.path()});
  };
  const auto sound = run(0);
  EXPECT_EQ(sound.status, 0) << "the sound unit\n" << sound.output;
  std::size_t found = 0;
  for (std::size_t n = 0; n < faults.size(); ++n) {
    const auto done = run(n + 1);
    EXPECT_EQ(done.status, 1) << faults[n].what << "\n" << done.output;
    if (done.status != 1) continue;
    const auto report = nlohmann::json::parse(gen::read_file(work / "report.json"));
    EXPECT_FALSE(report["mismatches"].empty()) << faults[n].what << "\n" << done.output;
    if (report["mismatches"].empty()) continue;
    const auto& first = report["mismatches"][0];
    fmt::print("{:<34} cycle {:>6}  {}\n", faults[n].what, first["cycle"].get<int>(),
               first["port"].get<std::string>());
    if (mutation_run.see) mutation_run.see(faults[n], report);
    ++found;
  }
  fmt::print("{} faults injected, {} found\n", faults.size(), found);
}

}  // namespace verif
