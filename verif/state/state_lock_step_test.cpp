// Lock steps look at the state behind each name: with one of them corrupted on its way out of the Verilog,
// the run stops at a difference in it; with one of them lost, it does not begin.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/cosim/probe.h"
#include "gen/cosim/program.h"
#include "gen/files.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "gen/unit/unit_kind.h"

namespace {

using gen::ShownValue;

struct Unit {
  std::string name, preset;
  std::vector<std::string> settings = {};
};

const std::vector<std::string> small{"geometry.line_bytes=32", "geometry.chunk_bytes=8", "mshr.entries=4",
                                     "mshr.merges=3",          "mshr.miss_queue=3",      "core.id_bits=5",
                                     "counters.enable=true"};

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string>& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

const std::vector<Unit> units{
    {"sectored_adaptive", "l1d_adi",
     with(small, {"geometry.capacity_bytes=1024", "geometry.ways=2", "tags.kind=sectored",
                  "adaptive.period=16", "adaptive.counter_bits=4", "adaptive.idle=5"})},
    {"random", "l1d",
     with(small, {"geometry.capacity_bytes=1536", "geometry.ways=3", "tags.replacement=random"})},
    {"split", "l1d_tsc", with(small, {"geometry.capacity_bytes=1024", "tags.split.groups=2"})},
    {"decoupled", "l1d_dsc", with(small, {"geometry.capacity_bytes=1024", "geometry.ways=2"})},
    {"reuse_filter", "l1d_reuse_filter",
     with(small, {"geometry.capacity_bytes=1024", "geometry.ways=2", "tags.reuse_filter.ways=4"})},
    {"crossbar",
     "vc_crossbar",
     {"crossbar.inputs=3", "crossbar.outputs=2", "crossbar.vcs=2", "crossbar.vc_depth=2"}}};

struct Outcome {
  int status = -1;
  std::string output, difference;
};

Outcome run(const std::filesystem::path& program, const std::string& top) {
  const gen::TempDir work("state");
  const nlohmann::json options{
      {"top", top}, {"random_cycles", 20'000}, {"seed", 1}, {"report", (work / "report.json").string()}};
  gen::write_file_atomically(work / "options.json", options.dump());
  const auto done = gen::run({.argv = {program.string(), (work / "options.json").string()}});
  Outcome result{done.status, done.output, ""};
  if (done.status == 1)
    result.difference = nlohmann::json::parse(gen::read_file(work / "report.json"))["mismatches"][0]["port"];
  return result;
}

// A program whose wrapper shows `shown`; value number CORRUPTED, from the environment, with all bits changed.
std::filesystem::path program_of(const gen::Config& config, const rtl::Module& top,
                                 std::vector<ShownValue> shown) {
  gen::ProgramSource source{.name = config.top, .lint = false};
  for (const rtl::Module& m : rtl::modules_of(top)) source.verilog[m.name() + ".v"] = gen::verilog(m);
  for (std::size_t n = 0; n < shown.size(); ++n) {
    int bits = shown[n].width;
    for (const rtl::Index& part : shown[n].parts) bits *= part.count;
    shown[n].value = fmt::format("({}) ^ {{{}{{corrupted == 8'd{}}}}}", shown[n].value, bits, n);
  }
  gen::ProbedTop wrapper = gen::probed(top, false, shown);
  const std::string head = fmt::format("module {} (\n", wrapper.module);
  wrapper.verilog.replace(0, head.size(), head + "  input wire [7:0] corrupted,\n");
  source.top = wrapper.module;
  source.steps = wrapper.steps;
  source.verilog[wrapper.module + ".v"] = wrapper.verilog;
  source.main = "#include <cstdlib>\n" + gen::main_text(gen::unit_kind_of(config).cosim(config.params), "",
                                                        gen::state_text(shown, true));
  const std::string begin = "verif::SeenState& state) {\n";
  source.main.insert(source.main.find(begin) + begin.size(),
                     "  dut.corrupted = std::atoi(std::getenv(\"CORRUPTED\"));\n");
  return gen::build_program(source);
}

class OfUnit : public testing::TestWithParam<Unit> {};

}  // namespace

TEST_P(OfUnit, EachCorruptedNameIsFound) {
  const gen::Config config = gen::load_config(GetParam().preset, GetParam().settings);
  const gen::Unit unit = gen::elaborate(config);
  const auto shown = gen::shown_state(unit.top);
  const auto program = program_of(config, unit.top, shown);
  setenv("CORRUPTED", "255", 1);
  EXPECT_EQ(run(program, config.top).status, 0) << "the sound unit";
  for (std::size_t n = 0; n < shown.size(); ++n) {
    setenv("CORRUPTED", std::to_string(n).c_str(), 1);
    const Outcome result = run(program, config.top);
    EXPECT_EQ(result.status, 1) << shown[n].name << "\n" << result.output;
    EXPECT_THAT(result.difference, testing::StartsWith(shown[n].name));
    fmt::print("{}\n", result.difference);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OfUnit, testing::ValuesIn(units),
                         [](const auto& info) { return info.param.name; });

TEST(StateLockStep, RefusesALostName) {
  const gen::Config config = gen::load_config("l1d", with(small, {"geometry.capacity_bytes=1024"}));
  const gen::Unit unit = gen::elaborate(config);
  auto shown = gen::shown_state(unit.top);
  std::erase_if(shown, [](const ShownValue& v) { return v.name == "tags.busy"; });
  setenv("CORRUPTED", "255", 1);
  const Outcome result = run(program_of(config, unit.top, shown), config.top);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.output,
              testing::HasSubstr("the state cannot be compared: the model publishes 'tags.busy', which the "
                                 "Verilog does not show"));
}
