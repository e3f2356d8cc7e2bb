// Counters on a trace: Verilog, cycle model and untimed core agree in all of them where timing cannot matter,
// and in those of what the core sends wherever it can.
#include "gen/paths.h"
#include "hw/l1d/monitor_inputs_params.h"
#include "verif/l1d/lock_step.h"
#include "verif/run_l1forge.h"
#include "verif/trace/trace_bytes.h"

namespace {

using nlohmann::json;

json explored(const std::string& preset, const std::string& trace, std::vector<std::string> mode) {
  mode.insert(mode.begin(), {"explore", preset, "--trace", trace, "--json", "-"});
  const auto run = verif::l1forge(mode);
  EXPECT_EQ(run.status, 0) << run.output;
  return json::parse(run.output)["runs"][0];
}

// One warp, and each instruction asks for one line: a load is answered before the next instruction is issued.
std::string one_at_a_time() {
  verif::Draw draw(3);
  std::string bytes;
  for (int i = 0; i < 6000; ++i) {
    const auto line = static_cast<std::uint32_t>(draw.percent(60) ? draw.below(150) : draw.below(2000));
    const auto first = static_cast<std::uint32_t>(draw.below(32)),
               last = first + static_cast<std::uint32_t>(draw.below(32 - first));
    std::vector<std::uint32_t> words;
    for (auto word = first; word <= last; ++word) words.push_back(0x4000'0000 + 128 * line + 4 * word);
    verif::Fields access = verif::load(0, 0, words);
    if (words.size() == 32) access.mask = ~0u;
    access.is_store = draw.percent(12) ? 1 : draw.percent(3) ? 2 : 0;
    bytes += verif::bytes(access);
  }
  return bytes;
}

}  // namespace

TEST(L1dCounters, AgreeOnATraceWhereTimingCannotMatter) {
  const gen::TempDir work("counters");
  const std::string trace = (work / "one_at_a_time.rec").string();
  gen::write_file_atomically(trace, one_at_a_time());
  for (const gen::Config& config : verif::cache_presets()) {
    // A coarse load may have its own chunks, and be answered, while others are still to come.
    const auto& p = config.params.get<hw::L1dParams>();
    if (p.mode.kind != hw::ModeKind::fine) continue;
    if (hw::reads_gpu(p)) continue;  // what they decide moves with time
    const auto run = verif::lock_step(config, {.traces = {trace}, .coverage = false});
    ASSERT_EQ(run.status, 0) << config.top;
    const json untimed = explored(config.source, trace, {"--untimed"}),
               timed = explored(config.source, trace, {"--timed"});
    for (const auto& [name, count] : run.report["traces"][0]["counters"].items()) {
      EXPECT_EQ(untimed[name], count) << config.top << " " << name;
      EXPECT_EQ(timed[name], count) << config.top << " " << name;
    }
    EXPECT_GT(untimed["hits"], 500) << config.top;
    EXPECT_GT(untimed["store_invalidations"].get<int>() + untimed["store_updates"].get<int>(), 50)
        << config.top;
  }
}

TEST(L1dCounters, WhatTheCoreSendsAgreesWhateverTheTiming) {
  const std::string trace =
      (gen::paths::source() / "verif/traces/streamcluster_two_launches.rec.xz").string();
  for (const gen::Config& config : verif::cache_presets()) {
    const auto run = verif::lock_step(config, {.traces = {trace}, .coverage = false});
    ASSERT_EQ(run.status, 0) << config.top;
    const json untimed = explored(config.source, trace, {"--untimed"});
    for (const char* name : {"accesses", "loads", "stores", "atomics", "non_l1"})
      EXPECT_EQ(untimed[name], run.report["traces"][0]["counters"][name]) << config.top << " " << name;
  }
}
