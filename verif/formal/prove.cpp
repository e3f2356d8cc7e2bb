#include "verif/formal/prove.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/formal/abc_report.h"

namespace verif {
namespace {

namespace fs = std::filesystem;

// Registers without a start value start with any value. No `opt` here: it takes unknown values as it likes,
// and would "prove" what depends on a register that is never loaded.
constexpr std::string_view to_aiger =
    "hierarchy -check -top {0}; proc; flatten; check -assert; memory_map; async2sync; techmap; dffunmap; "
    "{1}aigmap; "
    "write_aiger -zinit -symbols -map property.map property.aig";

void write_model(const Property& property, const fs::path& folder) {
  std::string script = "read_verilog";
  for (size_t i = 0; i < property.verilog.size(); ++i) {
    gen::write_file_atomically(folder / fmt::format("{}.v", i), property.verilog[i]);
    script += fmt::format(" {}.v", i);
  }
  script += fmt::format("; {}", fmt::format(fmt::runtime(to_aiger), property.top,
                                            property.undefined_is_free ? "setundef -anyseq; " : ""));
  const gen::Finished done = gen::run({.argv = {"yosys", "-q", "-p", script},
                                       .environment = {{"TMPDIR", folder.string()}},
                                       .folder = folder});
  if (!done.ok())
    throw gen::ToolError(fmt::format("yosys: {}: {}", property.top, gen::log_tail(done.output)));
}

class Prover {
 public:
  Prover(const Property& property, fs::path folder) : property_(property), folder_(std::move(folder)) {
    const std::string model = gen::read_file(folder_ / "property.aig");
    const auto shape = aiger_shape(model);
    if (!shape || shape->outputs != 1 || model.rfind(fmt::format("\no0 {}\n", property.output)) == model.npos)
      throw gen::ToolError(
          fmt::format("{}: must have {} as its only output, of one bit", property.top, property.output));
    latches_ = shape->latches;
    inputs_ = map_inputs(gen::read_file(folder_ / "property.map"));
  }

  ProofResult decide() {
    if (latches_ == 0) return answer(combinational("strash"));
    if (property_.bounded_cycles > 0) return answer(bounded(property_.bounded_cycles));
    if (property_.flush_cycles < 0)
      return answer(engine("PDR", fmt::format("fold; strash; pdr -T {}", property_.timeout.count())));
    return flushed(property_.flush_cycles);
  }

 private:
  // A fault is found at once by plain SAT; sums of many XORs need the equivalence checker's sweeping, which
  // for its part may crash on the way to a counterexample.
  std::optional<int> combinational(const std::string& model) {
    if (const auto status = engine("SAT", model + "; dsat -C 20000"); status != -1) return status;
    return engine("sweeping",
                  fmt::format("{}; &get; &cec -m -C 1000000 -T {}", model, property_.timeout.count()));
  }

  std::optional<int> bounded(int depth) {
    const auto status = engine("bounded check", fmt::format("fold; strash; bmc3 -F {}", depth));
    const bool all = log_.find(fmt::format("No output asserted in {} frames", depth)) != log_.npos;
    return status == -1 && all ? std::optional(1) : status;
  }

  // The cycles up to the flush hold from the start state on, and every later one from any state
  // before.
  ProofResult flushed(int cycles) {
    if (cycles > 0)
      if (const auto base = bounded(cycles); base != 1) return answer(base);
    const auto last = fmt::format("fold; strash; frames -F {}; cone -O {}; strash", cycles + 1, cycles);
    if (const auto step = combinational(last); step != 0) return answer(step);
    // That state need not be reachable: only a run from the start is a counterexample.
    const auto real = bounded(2 * cycles + 2);
    return answer(real == 1 ? -1 : real);
  }

  // One run of ABC: its status, or none when it says anything else than exactly one.
  std::optional<int> engine(std::string name, const std::string& commands) {
    engine_ = std::move(name);
    std::error_code ignored;
    fs::remove(folder_ / "inputs.txt", ignored);
    const auto done = gen::run(
        {.argv = {"yosys-abc", "-c",
                  fmt::format("read_aiger property.aig; {}; print_status; write_cex -n -s inputs.txt",
                              commands)},
         .folder = folder_,
         .timeout = property_.timeout + std::chrono::seconds(2)});
    log_ = done.output;
    if (done.timed_out) return -1;
    if (done.status != 0) return std::nullopt;
    return abc_status(done.output);
  }

  ProofResult answer(std::optional<int> status) const {
    ProofResult result;
    result.engine = engine_;
    const fs::path inputs = folder_ / "inputs.txt";
    if (status == 1) {
      result.outcome = Outcome::proven;
      result.message = fmt::format("{} of {} is never 1", property_.output, property_.top);
    } else if (status == 0 && fs::exists(inputs)) {
      result.outcome = Outcome::counterexample;
      result.message = cex_text(gen::read_file(inputs), inputs_);
    } else if (status == -1) {
      result.message = fmt::format("no answer within {} s", property_.timeout.count());
    } else {
      result.message = gen::log_tail(log_);
    }
    return result;
  }

  const Property& property_;
  fs::path folder_;
  int latches_ = 0;
  std::set<std::string> inputs_;
  std::string engine_, log_;
};

}  // namespace

ProofResult prove(const Property& property) {
  const auto start = std::chrono::steady_clock::now();
  const gen::TempDir folder("proof");
  gen::find_tool("yosys-abc");
  write_model(property, folder.path());
  ProofResult result = Prover(property, folder.path()).decide();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace verif
