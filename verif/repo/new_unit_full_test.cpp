// A new unit is one new file of gen: a toy is compiled, listed and linked with the library as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "gen/paths.h"
#include "gen/process.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;

const char* const toy = R"(// Counts cycles: a unit of a test.
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/require.h"

namespace hw {

struct ToyParams {
  int bits = 4;
  bool operator==(const ToyParams&) const = default;
};

}  // namespace hw

namespace gen {
namespace {

Unit elaborated(const hw::ToyParams& p, const std::string& top) {
  hw::require(p.bits != 5, "toy.bits", p.bits, "is 5", "use 6");
  rtl::Module m(top, "Counts cycles.");
  const rtl::Expr count = m.output("count", p.bits, "cycles since reset");
  const rtl::Expr counted = m.reg("count_q", p.bits, 0, "the same");
  m.assign(count, counted);
  m.clocked("Count.", [&] { m.set(counted, counted + rtl::lit(p.bits, 1)); });
  return {.top = m, .latency = 1};
}

CosimMain cosim(const hw::ToyParams& p) {
  return cycle_bench("units/toy_cosim.h", "ToyBench", "ToyParams", p, 1000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ToyParams>(elaborated, cosim, "is a toy");
  return table;
}

const Family& family() {
  using hw::ToyParams;
  static const Family family{.name = "toy",
                             .doc = "counts",
                             .defaults = ToyParams{},
                             .unit = kind,
                             .keys = {field<ToyParams>({.key = "toy.bits",
                                                        .range = {1, 8},
                                                        .unit = "bits",
                                                        .meaning = "Width of the count.",
                                                        .source = "a test",
                                                        .suffix = "b"},
                                                       &ToyParams::bits)}};
  return family;
}

}  // namespace

std::vector<Preset> toy_unit() {
  return {{.place = 175, .name = "toy", .family = &family(), .doc = "counts cycles", .source = "a test"}};
}

}  // namespace gen
)";

// The last command by which the build makes a file.
std::string command_of(const std::string& target) {
  const gen::Finished done =
      gen::run_checked({.argv = {"ninja", "-C", gen::paths::build(), "-t", "commands", target}});
  const std::string text = done.output.substr(0, done.output.find_last_not_of('\n') + 1);
  return text.substr(text.rfind('\n') + 1);
}

void run_in_build(const std::string& command) {
  gen::run_checked({.argv = {"sh", "-c", command}, .folder = gen::paths::build()});
}

TEST(NewUnit, ChangesNoFileOfGen) {
  if (!fs::exists(gen::paths::build() / "build.ninja")) GTEST_SKIP() << "the build is not by ninja";
  // The names of all unit files, and the new one's.
  const verif::TempFolder folder;
  for (const auto& entry : fs::recursive_directory_iterator(gen::paths::source() / "gen/units"))
    if (entry.path().filename().string().ends_with("_unit.cpp")) {
      const fs::path copy = folder.path(fs::relative(entry.path(), gen::paths::source()));
      fs::create_directories(copy.parent_path());
      std::ofstream(copy) << "\n";
    }
  fs::create_directories(folder.path("gen/units/toy"));
  folder.write("gen/units/toy/toy_unit.cpp", toy);
  // The build's own list of them.
  folder.write("list.cmake",
               "include(" + (gen::paths::source() / "cmake/Units.cmake").string() + ")\nunits(list)\n");
  gen::run_checked({.argv = {"cmake", "-P", "list.cmake"}, .folder = folder.path()});

  const std::string compile = command_of("CMakeFiles/gen_lib.dir/unit_files.cpp.o");
  for (const auto& [source, object] :
       {std::pair("unit_files.cpp", "list.o"), std::pair("gen/units/toy/toy_unit.cpp", "toy.o")})
    run_in_build(std::regex_replace(compile, std::regex(" -MD -MT .*$"),
                                    " -o " + folder.path(object) + " -c " + folder.path(source)));
  run_in_build(std::regex_replace(
      command_of("l1forge"), std::regex(" -o l1forge "),
      " " + folder.path("toy.o") + " " + folder.path("list.o") + " -o " + folder.path("l1forge") + " "));

  const auto l1forge = [&](std::vector<std::string> argv) {
    argv.insert(argv.begin(), folder.path("l1forge"));
    return gen::run({.argv = argv, .folder = folder.path()});
  };
  using testing::HasSubstr;
  EXPECT_THAT(l1forge({"list"}).output, HasSubstr("toy: counts\n  toy  counts cycles [a test]\n"));
  EXPECT_THAT(l1forge({"describe", "toy"}).output, HasSubstr("[toy]\n"));
  EXPECT_THAT(l1forge({"describe", "--schema"}).output, HasSubstr("Width of the count."));
  EXPECT_THAT(l1forge({"gen", "toy", "-s", "toy.bits=9"}).output,
              HasSubstr("-s toy.bits=9: toy.bits = 9: must be from 1 to 8; the nearest is 8"));
  EXPECT_THAT(l1forge({"gen", "toy", "-s", "toy.bits=5"}).output,
              HasSubstr("-s toy.bits=5: toy.bits = 5: is 5; use 6"));
  EXPECT_TRUE(l1forge({"gen", "toy", "-s", "toy.bits=6", "-o", "out"}).ok());
  EXPECT_THAT(folder.content("out/toy_b6.v"), HasSubstr("output wire [5:0] count"));
}

}  // namespace
