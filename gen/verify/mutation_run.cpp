#include "gen/verify/mutation_run.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gen/cosim/cosim.h"
#include "gen/digest.h"
#include "gen/files.h"
#include "gen/in_parallel.h"
#include "gen/process.h"
#include "gen/status_line.h"
#include "gen/verify/result_store.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/topology_params.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

// A run that needs so many times as long as the sound unit's hangs.
constexpr double slowest = 20;
constexpr std::chrono::seconds shortest_limit{60};

struct Stage {
  std::string name;
  Json options;
};

bool takes_traces(const Config& config) {
  return config.params.holds<hw::L1dParams>() || config.params.holds<hw::TopologyParams>();
}

Json random_options(const Config& config, std::int64_t cycles, std::uint64_t seed) {
  return {{"top", config.top}, {"random_cycles", cycles}, {"seed", seed}};
}

ProgramSource program_with(const ProgramSource& sound, const rtl::Module& top,
                           const std::vector<Mutant>& mutants) {
  ProgramSource source = sound;
  std::vector<Fault> faults;
  for (const Mutant& m : mutants) faults.push_back(m.fault);
  inject_all(source.verilog, top, faults);
  source.name += "_mutants";
  source.lint = false;  // a mutant may leave a bit unread
  return source;
}

// One run, in a folder of its own: mutant number - 1, or the sound unit.
Finished run_once(const fs::path& program, const Stage& stage, std::size_t number, const TempDir& work,
                  std::chrono::milliseconds limit) {
  Json options = stage.options;
  options["report"] = (work / "report.json").string();
  std::error_code none_there;
  fs::remove(work / "report.json", none_there);
  write_file_atomically(work / "options.json", options.dump());
  write_file_atomically(work / fault_file, fmt::format("{:x}\n", number));
  return run({.argv = {program.string(), (work / "options.json").string()},
              .folder = work.path(),
              .timeout = limit});
}

bool has_mismatch(const TempDir& work) {
  return !Json::parse(read_file(work / "report.json"))["mismatches"].empty();
}

// How the run killed the mutant, if it did. A goal that it missed is no kill: nothing differed. A program
// that was killed from outside says nothing of the mutant.
std::string killed_by(const Finished& done, const TempDir& work) {
  if (done.timed_out) return "limit";
  if (done.status == 0) return "";
  if (done.status == 1 && fs::exists(work / "report.json")) return has_mismatch(work) ? "mismatch" : "";
  if (done.status == 2) return "check";
  if (done.status == 128 + SIGABRT || done.status == 128 + SIGSEGV) return "crash";
  throw ToolError(fmt::format("a mutant's run ended with status {}: {}", done.status, log_tail(done.output)));
}

class MutationRun {
 public:
  MutationRun(const Config& config, const rtl::Module& top, const std::vector<Mutant>& mutants)
      : config_(config), mutants_(mutants), results_(mutants.size()) {
    const ProgramSource sound = cosim_program(config);
    const std::string digest_of_sound = program_digest(sound);
    std::map<std::string, rtl::Module> modules;
    for (const rtl::Module& m : rtl::modules_of(top)) modules.emplace(m.name(), m);
    for (const Mutant& m : mutants) {
      Digest digest;
      for (const std::string& part : {digest_of_sound, m.module, faulty_text(modules.at(m.module), m.fault)})
        digest.add(part);
      keys_.push_back(digest);
    }
    program_ = build_program(program_with(sound, top, mutants));
  }

  // The cycles of the sound unit's run, which comes first.
  std::int64_t stage(const Stage& stage) {
    const TempDir work("verify");
    StatusLine status(fmt::format("{}, {} run", config_.top, stage.name));
    status.at("sound unit");
    const Finished sound = run_once(program_, stage, 0, work, {});
    if (!fs::exists(work / "report.json") || has_mismatch(work))
      throw ToolError(fmt::format("{}: the sound unit fails its {} run: {}", config_.top, stage.name,
                                  log_tail(sound.output)));
    const auto cycles = Json::parse(read_file(work / "report.json"))["cycles"].get<std::int64_t>();
    const std::chrono::milliseconds limit =
        shortest_limit + std::chrono::milliseconds(static_cast<int>(slowest * 1000 * sound.seconds));
    std::vector<std::size_t> alive;
    for (std::size_t n = 0; n < mutants_.size(); ++n)
      if (results_[n].killed_by.empty()) alive.push_back(n);
    std::atomic<std::size_t> done = 0;
    in_parallel(alive.size(), [&](std::size_t i) {
      status.at(fmt::format("mutant {} of {}", ++done, alive.size()));
      one(stage, alive[i], limit);
    });
    return cycles;
  }

  std::vector<MutantRuns> results() && { return std::move(results_); }

 private:
  void one(const Stage& stage, std::size_t n, std::chrono::milliseconds limit) {
    Digest digest = keys_[n];
    digest.add(stage.options.dump());
    const std::string key = digest.text() + ".run";
    std::string how;
    if (const auto kept = store_.find(key)) {
      how = *kept;
    } else {
      const TempDir work("verify");
      how = killed_by(run_once(program_, stage, n + 1, work, limit), work);
      if (how != "limit") store_.keep(key, how);  // a busy machine may be to blame
    }
    if (!how.empty()) results_[n] = {how, stage.name};
  }

  const Config& config_;
  const std::vector<Mutant>& mutants_;
  std::vector<MutantRuns> results_;
  std::vector<Digest> keys_;  // of what each mutant's runs are made of
  const ResultStore store_;
  fs::path program_;
};

}  // namespace

std::vector<MutantRuns> run_mutants(const Config& config, const rtl::Module& top,
                                    const std::vector<Mutant>& mutants, const MutationRequest& request) {
  MutationRun runs(config, top, mutants);
  const auto cycles = runs.stage({"random", random_options(config, request.cycles, request.seed)});
  if (takes_traces(config)) {
    const char* traces[] = {"builtin:kmeans?points=1024,features=16", "builtin:nw?n=64"};
    runs.stage({"trace", {{"top", config.top}, {"traces", traces}}});
  }
  runs.stage({"longer random", random_options(config, 2 * cycles, request.seed + 1)});
  return std::move(runs).results();
}

}  // namespace gen
