// 200 random legal parameter sets: generated, linted, and co-simulated in a few bundles. `--full` draws fresh
// seeds.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "gen/cosim/bundle.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "hw/index/index_unit.h"
#include "verif/full_tier.h"
#include "verif/index/sample.h"

namespace {

std::uint64_t seed() {
  if (const char* given = std::getenv("FORGE_SEED")) return std::strtoull(given, nullptr, 0);
  if (!verif::full_tier()) return 20240601;
  return std::random_device{}();
}

std::vector<gen::BundleUnit> draw_units(std::mt19937_64& draw, int count, int max_block_bits,
                                        const std::string& stem) {
  std::vector<gen::BundleUnit> units;
  for (int i = 0; i < count; ++i) {
    const hw::IndexParams p = verif::sample_index(draw, max_block_bits);
    const std::string name = fmt::format("{}{}", stem, i);
    units.push_back({name, p, gen::verilog(hw::index_unit(p, name).module)});
  }
  return units;
}

void lint(const std::vector<gen::BundleUnit>& units) {
  const gen::TempDir work("lint");
  std::vector<std::string> files;
  for (const auto& u : units) {
    files.push_back((work / (u.name + ".v")).string());
    gen::write_file_atomically(files.back(), u.verilog);
  }
  std::vector<std::string> icarus{"iverilog", "-g2005", "-Wall", "-o", "/dev/null"};
  icarus.insert(icarus.end(), files.begin(), files.end());
  EXPECT_EQ(gen::run({.argv = icarus}).output, "");
  std::string script;
  for (const auto& f : files) script += "read_verilog " + f + "\n";
  script += "proc\nopt_clean\ncheck -assert\nselect -assert-none t:$dlatch t:$_DLATCH_*\n";
  gen::write_file_atomically(work / "check.ys", script);
  const gen::Finished yosys = gen::run({.argv = {"yosys", "-q", (work / "check.ys").string()}});
  EXPECT_TRUE(yosys.ok()) << gen::log_tail(yosys.output);
  EXPECT_EQ(yosys.output, "");
}

// Building the bundle lints it with `verilator -Wall`, whose warnings are errors.
void cosimulate(const std::string& name, const std::vector<gen::BundleUnit>& units, int address_bits,
                std::int64_t cycles, std::uint64_t seed) {
  lint(units);
  const gen::TempDir work("bundle");
  nlohmann::json options{
      {"top", name}, {"random_cycles", cycles}, {"seed", seed}, {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(gen::index_bundle(name, units, address_bits)).string(),
                         (work / "options.json").string()}});
  EXPECT_EQ(done.status, 0) << "again: FORGE_SEED=" << seed << "\n" << done.output;
  fmt::print("{}", done.output);
}

}  // namespace

TEST(SampledUnits, WideOnesUnderRandomStimulus) {
  const std::uint64_t s = seed();
  std::mt19937_64 draw(s);
  for (int bundle = 0; bundle < 4; ++bundle)
    cosimulate(fmt::format("wide_bundle{}", bundle), draw_units(draw, 40, 64, "w"), 64, 100'000, s);
}

TEST(SampledUnits, SmallOnesUnderEveryBlockAddress) {
  const std::uint64_t s = seed();
  std::mt19937_64 draw(s + 1);
  cosimulate("small_bundle", draw_units(draw, 40, 20, "s"), 20 + 5, 0, s);
}
