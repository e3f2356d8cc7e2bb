// Pages of every preset from invented figures: the headings that readers look for, and an instance of
// twenty lines. Also the records in docs/verification.md that pages repeat.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>

#include "gen/config/catalogue.h"
#include "gen/datasheet/datasheet.h"
#include "gen/datasheet/recorded.h"
#include "gen/paths.h"
#include "gen/ports.h"
#include "hw/l1d/l1d_params.h"
#include "hw/topology/topology_params.h"
#include "verif/cli/datasheet_headings.h"
#include "verif/cli/page_reader.h"
#include "verif/run_l1forge.h"

namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Json cosim_report() {
  return {{"seed", 1},
          {"cycles", 5000},
          {"mismatches", Json::array()},
          {"coverage", {{"goals", 1}, {"reached", 1}, {"missed", Json::array()}, {"counts", {{"goal", 3}}}}}};
}

Json kernel_run() {
  const Json latency = {{"loads", 5}, {"median", 3}, {"percentile_99", 4}};
  return {{"trace", "builtin:atax"},
          {"accesses", 10},
          {"loads", 10},
          {"cycles", 100},
          {"miss_rate", 0.5},
          {"memory_latency", 100},
          {"memory_bandwidth", 32},
          {"latency", {{"hits", latency}, {"others", latency}}},
          {"traffic", {{"bytes_up", 1024}}}};
}

Json area_report(bool is_topology) {
  if (is_topology)
    return {{"topology", {{"gate_equivalents", {{"sum", 1000.0}}}, {"crossbars", Json::array()}}}};
  const Json unit = {{"gate_equivalents", {{"median", 100.0}}}, {"area_um2", {{"median", 2400.0}}},
                     {"longest_path_ns", {{"median", 1.0}}},    {"max_mhz", {{"median", 1000.0}}},
                     {"path", {{"start", "a"}, {"end", "b"}}},  {"flops", 7}};
  return {{"units", {unit}}, {"library", "osu018"}, {"nand2_um2", 24}};
}

gen::InTechnology technology(const gen::Unit& unit, bool is_topology) {
  gen::InTechnology in{.name = "Small"};
  if (is_topology) return in;
  in.area = {{"logic_um2", 100.0}, {"macro_um2", 10.0}, {"total_um2", 110.0}, {"ns", 1.0}};
  if (std::ranges::count_if(gen::ports_of(unit.top), &gen::Port::is_clock) == 1)
    in.energy = {{"pj", {{"miss", 1.5}}},
                 {"volts", 1.0},
                 {"clock_ns", 5.0},
                 {"window", 500},
                 {"stimulus", "random stimulus"},
                 {"mw", 1.0},
                 {"leakage_mw", 0.1},
                 {"cells", {{"difference", 0.01}}}};
  return in;
}

std::string made_up_page(const gen::Config& config, const gen::Unit& unit, const Json& run = cosim_report()) {
  const bool is_topology = config.params.holds<hw::TopologyParams>();
  gen::Measured results{
      .cosim = run, .diagrams = {}, .area = area_report(is_topology), .area_command = "l1forge area"};
  if (config.params.holds<hw::L1dParams>()) results.kernels = Json::array({kernel_run()});
  results.technology = technology(unit, is_topology);
  return gen::datasheet_from(config, unit, results, {"l1forge datasheet X -o DIR", "0"}).page;
}

std::string verification_page() { return gen::read_file(gen::paths::source() / "docs/verification.md"); }

}  // namespace

TEST(EveryDatasheet, HasTheHeadingsThatReadersLookFor) {
  for (const std::string& preset : gen::preset_names()) {
    const gen::Config config = gen::load_config(preset);
    const gen::Unit unit = gen::elaborate(config);
    SCOPED_TRACE(preset);
    const std::string page = made_up_page(config, unit);
    EXPECT_THAT(verif::missing_headings(page, true), IsEmpty()) << preset;
    EXPECT_THAT(verif::missing_headings(page, false), IsEmpty()) << preset;
    const std::string constraints = verif::below(page, "Constraints");
    for (const char* word : {"create_clock", "Reset: ", "Scan: ", "emory BIST"})
      EXPECT_THAT(constraints, HasSubstr(word)) << preset;
    const auto ports = gen::ports_of(unit.top);
    EXPECT_EQ(std::ranges::count(ports, "clk_noc1", &gen::Port::name) > 0,
              constraints.find("Crossing of clk_noc1: ") != std::string::npos)
        << preset;
    const std::string use = verif::below(page, "Instantiation");
    const std::size_t instance = use.find(config.top + " unit (");
    ASSERT_NE(instance, std::string::npos) << preset;
    EXPECT_LE(std::ranges::count(use.substr(instance, use.find("</code>", instance) - instance), '\n'), 20)
        << preset;
  }
}

// A page that lacks one of them is seen.
TEST(EveryDatasheet, AMissingHeadingIsSeen) {
  const gen::Config config = gen::load_config("arbiter_round_robin");
  const std::string page = made_up_page(config, gen::elaborate(config));
  std::string renamed = page, empty = page;
  renamed.replace(page.find("<h2>Gates</h2>"), 14, "<h2>Size</h2>");
  EXPECT_THAT(verif::missing_headings(renamed, true), testing::ElementsAre("Gates"));
  const std::size_t begin = page.find("<h2>Gates</h2>") + 14;
  empty.erase(begin, page.find("<h2>", begin) - begin);
  EXPECT_THAT(verif::missing_headings(empty, true), testing::ElementsAre("Gates"));
}

TEST(EveryDatasheet, ListsTheUpsetsOfProtectedRams) {
  const gen::Config config = gen::load_config("l1d", {"ecc.tags=parity"});
  const gen::Unit unit = gen::elaborate(config);
  EXPECT_EQ(made_up_page(config, unit).find("protected array"), std::string::npos);
  Json run = cosim_report();
  run["upsets"] = Json::array({{{"array", "tags"},
                                {"upsets", 4711},
                                {"masked", 4000},
                                {"corrected", 0},
                                {"refetched", 711},
                                {"detected", 0},
                                {"silent", 0},
                                {"wrong_without_check", 17}}});
  const std::string status = verif::below(made_up_page(config, unit, run), "Verification status");
  for (const char* text : {"protected array", "4711", "711", "17", "-s ecc.tags=parity --upsets 100000"})
    EXPECT_THAT(status, HasSubstr(text));
}

TEST(EveryDatasheet, ListsTheProofsOfItsUnit) {
  const gen::Config config = gen::load_config("l1d_tsc");
  const std::string status =
      verif::below(made_up_page(config, gen::elaborate(config)), "Verification status");
  EXPECT_THAT(status, HasSubstr("3 properties are proved of l1d_tsc"));
  EXPECT_THAT(status, HasSubstr("no chunk of a line is in two slots"));
  EXPECT_THAT(status, HasSubstr("verif/tags/split_once_proof_test.cpp"));
  EXPECT_THAT(status, HasSubstr("Mutation score of l1d_tsc"));
  EXPECT_THAT(status, HasSubstr("coverage goals"));
}

// Every proof in the tree is on the page, with units that exist.
TEST(RecordedProofs, AreThoseOfTheTests) {
  const std::vector<std::string> presets = gen::preset_names();
  std::set<std::string> listed;
  for (const gen::RecordedProof& proof : gen::recorded_proofs(verification_page())) {
    listed.insert(proof.test);
    EXPECT_TRUE(std::filesystem::is_regular_file(gen::paths::source() / proof.test)) << proof.test;
    EXPECT_THAT(proof.presets, Not(IsEmpty())) << proof.property;
    for (const std::string& preset : proof.presets)
      EXPECT_THAT(presets, testing::Contains(preset)) << proof.property;
  }
  std::set<std::string> proving;
  const auto tests = gen::paths::source() / "verif";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests)) {
    const std::string name = entry.path().filename(), folder = entry.path().parent_path().filename();
    if (!name.ends_with("_test.cpp") || name == "prove_test.cpp" || folder == "area" || folder == "cli")
      continue;
    const std::string text = gen::read_file(entry.path());
    if (text.find("verif::prove(") != std::string::npos || name.find("_proof_") != std::string::npos ||
        folder == "formal")
      proving.insert(entry.path().lexically_relative(gen::paths::source()));
  }
  EXPECT_EQ(listed, proving);
}

TEST(RecordedProofs, AreReadRowByRow) {
  const std::string page =
      "<!-- proofs -->\n| units | property | extent | test |\n| --- | --- | --- | --- |\n"
      "| `a`, `b_1` | no \\| two | small | `verif/x_test.cpp` |\n<!-- /proofs -->\n| `a` | not | in | it |\n";
  const auto proofs = gen::recorded_proofs(page);
  ASSERT_EQ(proofs.size(), 1u);
  EXPECT_THAT(proofs[0].presets, testing::ElementsAre("a", "b_1"));
  EXPECT_EQ(proofs[0].property, "no | two");
  EXPECT_EQ(proofs[0].test, "verif/x_test.cpp");
  EXPECT_THROW(gen::recorded_proofs("| a |"), gen::FileError);
  EXPECT_THROW(gen::recorded_proofs("<!-- proofs -->\n| a | b |\n<!-- /proofs -->"), gen::FileError);
  EXPECT_THROW(gen::recorded_proofs("<!-- proofs -->\n<!-- /proofs -->"), gen::FileError);
}

TEST(EveryDatasheet, StatesTheTimeInLockStep) {
  const gen::Config config = gen::load_config("index_pli");
  EXPECT_THAT(verif::below(made_up_page(config, gen::elaborate(config)), "Verification status"),
              HasSubstr("Time in lock step of index_pli, as docs/verification.md records it: "));
}

TEST(RecordedRuns, AreThoseOfThePreset) {
  const std::string page =
      "<!-- lock step -->\n| unit | runs | cycles | seconds | goals missed |\n| --- | --- | --- | --- | --- "
      "|\n"
      "| `l1d` | 3 | 1,234,567 | 0.25 | 1 |\n<!-- /lock step -->\n";
  const auto runs = gen::recorded_runs(page, "l1d");
  ASSERT_TRUE(runs.has_value());
  EXPECT_EQ(runs->runs, 3);
  EXPECT_EQ(runs->cycles, 1'234'567);
  EXPECT_DOUBLE_EQ(runs->seconds, 0.25);
  EXPECT_EQ(runs->goals_missed, 1);
  EXPECT_FALSE(gen::recorded_runs(page, "l1d_tsc").has_value());
  EXPECT_THROW(gen::recorded_runs("", "l1d"), gen::FileError);
}

// Each row is of a preset that exists, and has run.
TEST(RecordedRuns, AreOfPresets) {
  const std::string page = verification_page();
  int rows = 0;
  for (const std::string& preset : gen::preset_names()) {
    const auto runs = gen::recorded_runs(page, preset);
    if (!runs) continue;
    ++rows;
    EXPECT_GT(runs->runs, 0) << preset;
    EXPECT_GT(runs->cycles, 0) << preset;
  }
  const std::string table = page.substr(page.find("<!-- lock step -->"),
                                        page.find("<!-- /lock step -->") - page.find("<!-- lock step -->"));
  const std::regex row("\n\\| `[a-z0-9_]+` \\|");
  EXPECT_EQ(std::distance(std::sregex_iterator(table.begin(), table.end(), row), std::sregex_iterator()),
            rows);
  EXPECT_GT(rows, 20);
}
