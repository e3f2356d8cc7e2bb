// Sectored tags whose misses fetch lines (tags.fetch = "line"): lock step, request lists, what is refused,
// and injected faults.
#include <gmock/gmock.h>

#include "gen/process.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"

namespace {

const std::vector<std::string> settings{"tags.kind=sectored",     "tags.fetch=line",
                                        "tags.store_scope=mask",  "geometry.capacity_bytes=1024",
                                        "geometry.line_bytes=32", "geometry.chunk_bytes=8",
                                        "geometry.ways=2",        "mshr.entries=4",
                                        "mshr.merges=3",          "mshr.miss_queue=3",
                                        "core.id_bits=5",         "counters.enable=true",
                                        "probe.ports=true"};

TEST(FetchLine, InLockStep) {
  const gen::Config config = gen::load_config("l1d", settings);
  const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier() ? 2'000'000 : 250'000});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
  EXPECT_GT(run.report["coverage"]["counts"]["partial miss"], 0);
}

// What it comes to goes by the mask, what it fetches by the line.
TEST(FetchLine, RequestList) {
  const gen::TempDir work("fetch");
  gen::write_file_atomically(work / "list.txt", "L 1000 1\nL 1000 2\nS 1000 6\nL 1000 3\nL 1000 4\n");
  const auto run = [&](const std::string& bypass, const std::string& fetch) {
    const auto done = verif::l1forge(
        {"explore", "l1d_sectored", "-s", "tags.store_scope=mask", "-s", "tags.fetch=" + fetch, "-s",
         "bypass.kind=" + bypass, "--requests", "list.txt", "--dump", "dump", "--json", "-"},
        work.path());
    EXPECT_EQ(done.status, 0) << done.output;
    const auto figures = nlohmann::json::parse(done.output)["runs"][0];
    return fmt::format("{} {}", gen::read_file(work / "dump"), figures["chunks_requested"].get<int>());
  };
  for (const char* bypass : {"none", "mrpb"}) {
    EXPECT_EQ(run(bypass, "line"), "MHsPH 6");
    EXPECT_EQ(run(bypass, "mask"), "MMsPM 4");
  }
}

TEST(FetchLine, OfSectoredTagsAlone) {
  const gen::TempDir work("fetch");
  const auto complaint = [&](const std::string& kind) {
    return verif::l1forge({"gen", "l1d", "-s", "tags.kind=" + kind, "-s", "tags.fetch=line"}, work.path())
        .output;
  };
  EXPECT_THAT(complaint("conventional"),
              testing::HasSubstr("needs sectored tags, and these are conventional"));
  EXPECT_THAT(complaint("split"), testing::HasSubstr("use mode.kind = \"coarse\""));
}

const verif::Fault faults[] = {
    {"mask_alone_fetched", "", "missed", "",
     [](const rtl::Expr& sound, const verif::Nets& net) { return sound & net("probe_mask_q"); }},
    {"present_fetched_again", "", "missed", "match_valid", verif::low()},
    {"fetches_for_the_line", "", "fetches", "probe_mask_q", verif::high()},
};

TEST(FetchLine, EveryBrokenCopyIsFound) { verif::expect_all_found("l1d", settings, faults); }

}  // namespace
