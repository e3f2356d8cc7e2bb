#include "gen/verify/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>

#include "gen/config/error.h"
#include "gen/config/suggest.h"
#include "gen/in_parallel.h"
#include "gen/process.h"
#include "gen/status_line.h"
#include "gen/unit/unit.h"
#include "gen/verify/equivalence.h"
#include "gen/verify/verify_report.h"

namespace gen {
namespace {

Fate fate_of(Equivalence answer) {
  switch (answer) {
    case Equivalence::equivalent:
      return Fate::equivalent;
    case Equivalence::different:
      return Fate::survived;
    default:
      return Fate::unknown;
  }
}

void judge_survivors(const std::string& top_name, const rtl::Module& top, std::vector<JudgedMutant>& all) {
  std::vector<JudgedMutant*> alive;
  for (JudgedMutant& m : all)
    if (m.runs.killed_by.empty()) alive.push_back(&m);
  if (alive.empty()) return;
  StatusLine status(top_name + ", equivalence");
  std::atomic<std::size_t> begun = 0;
  in_parallel(alive.size(), [&](std::size_t n) {
    status.at(fmt::format("survivor {} of {}", ++begun, alive.size()));
    alive[n]->fate = fate_of(equivalence(top, alive[n]->mutant));
  });
}

void check_modules(const rtl::Module& top, const std::vector<std::string>& named) {
  const std::vector<std::string> known = mutable_modules(top);
  for (const std::string& name : named)
    if (!std::ranges::count(known, name)) {
      const std::string near = nearest_word(name, known);
      throw ConfigError("--module " + name,
                        fmt::format("{} has no such module; {}", top.name(),
                                    near.empty() ? fmt::format("use one of {}", fmt::join(known, ", "))
                                                 : fmt::format("did you mean {}?", near)));
    }
}

}  // namespace

int verify(const Config& config, const VerifyRequest& request) {
  for (const char* tool : {"verilator", "yosys", "yosys-abc"}) find_tool(tool);
  const rtl::Module top = elaborate(config).top;
  check_modules(top, request.modules);
  const std::vector<Mutant> mutants = draw_mutants(top, request.mutants, request.seed, request.modules);
  if (mutants.empty())
    throw ConfigError(config.source, "has no expression that a mutant could change; take another unit");
  const std::vector<MutantRuns> runs = run_mutants(config, top, mutants, request);
  std::vector<JudgedMutant> judged;
  for (std::size_t n = 0; n < mutants.size(); ++n) judged.push_back({mutants[n], runs[n]});
  judge_survivors(config.top, top, judged);
  write_verify_report(config, top, judged, request);
  const bool clean = std::ranges::all_of(
      judged, [](const JudgedMutant& m) { return m.fate == Fate::killed || m.fate == Fate::equivalent; });
  return clean ? 0 : 1;
}

}  // namespace gen
