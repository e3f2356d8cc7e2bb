// The folder for OpenROAD-flow-scripts of a cache on RAM macros: variables that the flow documents, files
// that are there, wrappers that simulate, and rows of macros that stand apart.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "gen/process.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string samples = verif::in_source("verif/area/samples/");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The sample technology, with what the flow asks of one.
std::string flow_technology(const std::string& flow) {
  std::string text = gen::read_file(samples + "small.toml");
  for (const char* library : {"\"small_gates.lib\"", "\"small_states.lib\""})
    text = replaced(text, library, fmt::format("\"{}{}", samples, std::string(library).substr(1)));
  for (int n = 0; n < 2; ++n)
    text = replaced(text, "liberty = \"small_", fmt::format("liberty = \"{}small_", samples));
  text = replaced(text, "words = 16", "size_um = [50, 20]\nwords = 16");
  return replaced(text, "[cells]", flow + "\n[cells]");
}

const std::string whole_flow =
    "[orfs]\nplatform = \"small45\"\nlibs = \"$(PLATFORM_DIR)/lib\"\nhalo_um = [4.0, 3]\n";

const std::vector<std::string> small_cache{"l1d",
                                           "-s",
                                           "geometry.capacity_bytes=1024",
                                           "-s",
                                           "geometry.line_bytes=32",
                                           "-s",
                                           "geometry.chunk_bytes=8",
                                           "-s",
                                           "geometry.ways=2",
                                           "-s",
                                           "mshr.entries=4",
                                           "-s",
                                           "mshr.merges=3",
                                           "-s",
                                           "mshr.miss_queue=3",
                                           "-s",
                                           "name=cache"};

class MacroFolder : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<verif::TempFolder>();
    const auto done = generate(whole_flow, "cache", {"--flow", "orfs", "--bench"});
    ASSERT_TRUE(done.ok()) << done.output;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static gen::Finished generate(const std::string& flow, const std::string& out,
                                std::vector<std::string> more) {
    std::vector<std::string> words{"gen"};
    words.insert(words.end(), small_cache.begin(), small_cache.end());
    words.insert(words.end(),
                 {"--tech", folder_->write("tech.toml", flow_technology(flow)), "-o", folder_->path(out)});
    words.insert(words.end(), more.begin(), more.end());
    return verif::l1forge(words);
  }
  static std::string content(const std::string& file) { return folder_->content("cache/" + file); }
  static gen::Finished run(std::vector<std::string> argv) {
    return gen::run({.argv = std::move(argv), .folder = folder_->path("cache")});
  }

  static std::unique_ptr<verif::TempFolder> folder_;
};
std::unique_ptr<verif::TempFolder> MacroFolder::folder_;

// Variables that config.mk may set, of flow/scripts/variables.yaml of OpenROAD-flow-scripts.
const std::set<std::string> documented{
    "ADDITIONAL_GDS", "ADDITIONAL_LEFS",        "ADDITIONAL_LIBS",       "CORE_UTILIZATION",
    "DESIGN_NAME",    "DESIGN_NICKNAME",        "MACRO_PLACEMENT_TCL",   "MACRO_PLACE_HALO",
    "PLATFORM",       "PLACE_DENSITY_LB_ADDON", "RTLMP_MAX_MACRO",       "RTLMP_MIN_MACRO",
    "SDC_FILE",       "SYNTH_HIERARCHICAL",     "SYNTH_MEMORY_MAX_BITS", "TNS_END_PERCENT",
    "VERILOG_FILES"};

// A makefile in the place of the flow's: it wants the design's files and shows what a script would see.
const char* const stand_in =
    "PLATFORM_DIR = platforms/$(PLATFORM)\ninclude $(DESIGN_CONFIG)\n"
    "all: $(VERILOG_FILES) $(SDC_FILE) $(MACRO_PLACEMENT_TCL)\n"
    "\techo $(DESIGN_NAME) $(PLATFORM) halo $(MACRO_PLACE_HALO) $(SYNTH_HIERARCHICAL) $(CORE_UTILIZATION)\n"
    "\techo $(ADDITIONAL_LEFS) $(ADDITIONAL_LIBS) $(ADDITIONAL_GDS)\n"
    "\techo rows $(notdir $(MACRO_PLACEMENT_TCL))\n";

}  // namespace

TEST_F(MacroFolder, SetsVariablesThatTheFlowDocuments) {
  const std::string config = content("config.mk");
  const std::regex variable("export ([A-Z_]+) *=");
  std::set<std::string> found;
  for (std::sregex_iterator m(config.begin(), config.end(), variable), end; m != end; ++m)
    found.insert((*m)[1]);
  EXPECT_THAT(found, testing::IsSubsetOf(documented));
  for (const char* needed : {"DESIGN_NAME", "PLATFORM", "VERILOG_FILES", "SDC_FILE", "ADDITIONAL_LEFS",
                             "ADDITIONAL_LIBS", "ADDITIONAL_GDS", "MACRO_PLACE_HALO", "CORE_UTILIZATION"})
    EXPECT_TRUE(found.contains(needed)) << needed;
}

TEST_F(MacroFolder, IsReadByMake) {
  const std::string makefile = folder_->write("Makefile", stand_in);
  const auto make = [&](std::vector<std::string> more) {
    std::vector<std::string> argv{"make", "-n", "-f", makefile,
                                  "DESIGN_CONFIG=" + folder_->path("cache/config.mk")};
    argv.insert(argv.end(), more.begin(), more.end());
    return gen::run({.argv = argv, .folder = "/"});
  };
  const auto done = make({});
  EXPECT_TRUE(done.ok()) << done.output;
  EXPECT_THAT(done.output, HasSubstr("echo cache small45 halo 4 3 1 "));
  const std::string own = folder_->path("cache/macros/");
  EXPECT_THAT(done.output, HasSubstr(own + "small_ram_16x8.lef"));
  EXPECT_THAT(done.output, HasSubstr("platforms/small45/lib/small_macros.lib"));
  EXPECT_THAT(done.output, HasSubstr(own + "small_ram_16x8.gds"));
  EXPECT_THAT(done.output, HasSubstr("echo rows \n"));
  EXPECT_THAT(make({"L1FORGE_MACROS=rows"}).output, HasSubstr("echo rows macro_placement.tcl"));

  // A file that the folder lacks is seen.
  const verif::TempFolder other;
  std::filesystem::copy(folder_->path("cache"), other.path("cache"));
  std::filesystem::remove(other.path("cache/cache_mshr.v"));
  const auto lacking =
      gen::run({.argv = {"make", "-n", "-f", makefile, "DESIGN_CONFIG=" + other.path("cache/config.mk")},
                .folder = "/"});
  EXPECT_FALSE(lacking.ok());
  EXPECT_THAT(lacking.output, HasSubstr("No rule to make target"));
}

// Models of macros are for simulation; the flow has them from the libraries.
TEST_F(MacroFolder, SynthesizesWithTheMacrosOfTheLibrary) {
  const std::string config = content("config.mk");
  EXPECT_THAT(config, Not(HasSubstr("small_ram_16x8.v")));
  EXPECT_THAT(content("cache.f"), HasSubstr("small_ram_16x8.v\n"));
  std::string script = "read_liberty -lib " + samples + "small_macros.lib\nread_verilog";
  const std::regex file("\\$\\(L1FORGE_DIR\\)(\\S+\\.v)");
  for (std::sregex_iterator m(config.begin(), config.end(), file), end; m != end; ++m)
    script += " " + (*m)[1].str();
  script += "\nhierarchy -check -top cache\nproc\nselect -assert-min 1 t:small_ram_16x8\ncheck -assert\n";
  gen::write_file_atomically(folder_->path("cache/check.ys"), script);
  const auto done = run({"yosys", "-q", "-s", "check.ys"});
  std::filesystem::remove(folder_->path("cache/check.ys"));
  EXPECT_TRUE(done.ok()) << done.output;
  EXPECT_THAT(done.output, IsEmpty());
}

TEST_F(MacroFolder, IsSilentUnderLinters) {
  EXPECT_EQ(run({"verilator", "--lint-only", "-Wall", "-f", "cache.f", "--top-module", "cache"}).output, "");
  EXPECT_EQ(run({"iverilog", "-g2005", "-Wall", "-s", "cache", "-o", "/dev/null", "-f", "cache.f"}).output,
            "");
}

TEST_F(MacroFolder, PassesItsBenchOnTheModelsOfTheMacros) {
  const auto bench = [&] {
    const auto compiled = run({"iverilog", "-g2005", "-Wall", "-s", "cache_bench", "-o", "sim", "-f",
                               "cache.f", "-Pcache_bench.REQUESTS=300", "cache_bench.vt"});
    EXPECT_EQ(compiled.output, "");
    const std::string said = run({"vvp", "-n", "sim"}).output;
    std::filesystem::remove(folder_->path("cache/sim"));
    return said;
  };
  EXPECT_THAT(bench(), HasSubstr("PASSED: 300 requests, "));
  // A macro that loses a bit is seen.
  const std::string model = content("small_ram_16x8.v");
  gen::write_file_atomically(folder_->path("cache/small_ram_16x8.v"),
                             replaced(model, "assign Q = model_data_q;", "assign Q = model_data_q & 8'h7f;"));
  EXPECT_THAT(bench(), Not(HasSubstr("PASSED")));
  gen::write_file_atomically(folder_->path("cache/small_ram_16x8.v"), model);
}

TEST_F(MacroFolder, IsGeneratedAgainFromItsManifest) {
  const auto manifest = nlohmann::json::parse(content("cache.json"));
  EXPECT_EQ(manifest["technology"], "small");
  EXPECT_EQ(manifest["macros"][0]["by"], "small_ram_8x20");
  const std::string file = folder_->path("cache/cache.json");
  const auto refused = verif::l1forge({"gen", file, "-o", folder_->path("again")});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output,
              HasSubstr("its wrappers instantiate macros of small: name the technology's file"));
  ASSERT_TRUE(
      verif::l1forge({"gen", file, "--tech", folder_->path("tech.toml"), "-o", folder_->path("again")}).ok());
  EXPECT_EQ(gen::run({.argv = {"diff", "-r", folder_->path("cache"), folder_->path("again")}}).output, "");
}

TEST_F(MacroFolder, RefusesWhatCannotBe) {
  const auto complaint = [&](const std::string& flow, const std::vector<std::string>& more) {
    const auto done = generate(flow, "none", more);
    EXPECT_EQ(done.status, 2);
    EXPECT_FALSE(std::filesystem::exists(folder_->path("none")));
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    return done.output;
  };
  EXPECT_THAT(complaint("", {"--flow", "orfs"}), HasSubstr("--flow orfs needs orfs.platform = \"...\""));
  EXPECT_THAT(complaint(whole_flow, {"--ram", "blackbox"}), HasSubstr("leave one of them out"));
  EXPECT_THAT(complaint(whole_flow, {"l1d_sectored"}), HasSubstr("--tech: is of one design"));
  EXPECT_THAT(complaint("[orfs]\nplatform = \"a b\"\n", {}), HasSubstr("must be letters, digits and"));
  EXPECT_THAT(complaint("[orfs]\nplatform = \"a\"\nhalo_um = [4]\n", {}), HasSubstr("a list of two numbers"));
  EXPECT_THAT(complaint("[orfs]\nplatfrom = \"a\"\n", {}), HasSubstr("did you mean orfs.platform?"));
  EXPECT_THAT(complaint("[orfs]\nplatform = \"a\"\nhalo_um = [4, -1]\n", {}),
              HasSubstr("must be a number above 0"));
}

// Stand-ins for the commands of OpenROAD that macro_placement.tcl uses, in units of 1000 a um: two kinds of
// macros, a core of `width` x `height` um.
std::string placed(const std::string& script, double width, double height) {
  const verif::TempFolder folder;
  folder.write("macro_placement.tcl", script);
  const std::string run = fmt::format(
      "namespace eval ord {{ proc get_db_block {{}} {{ return block }} }}\n"
      "proc block {{what}} {{ switch $what {{ getDefUnits {{ return 1000 }} getCoreArea {{ return core }}\n"
      "  getInsts {{ set all cell; for {{set n 0}} {{$n < 12}} {{incr n}} {{ lappend all m$n }}; return $all "
      "}} }} }}\n"
      "proc core {{what}} {{ switch $what {{ xMin {{ return 10000 }} yMin {{ return 20000 }}\n"
      "  xMax {{ return {} }} yMax {{ return {} }} }} }}\n"
      "foreach i {{cell m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11}} {{\n"
      "  proc $i {{what}} [string map [list NAME $i] {{ switch $what {{ getName {{ return cache.NAME }}\n"
      "    getMaster {{ return [expr {{\"NAME\" eq \"cell\" ? \"gate\" : \"ram\"}}] }} }} }}] }}\n"
      "proc ram {{what}} {{ switch $what {{ isBlock {{ return 1 }} getWidth {{ return 50000 }} getHeight {{ "
      "return "
      "20000 }} }} }}\n"
      "proc gate {{what}} {{ return 0 }}\n"
      "proc place_macro {{args}} {{ puts $args }}\nsource macro_placement.tcl\n",
      1000 * (10 + width), 1000 * (20 + height));
  folder.write("run.tcl", run);
  return gen::run({.argv = {"tclsh", "run.tcl"}, .folder = folder.path()}).output;
}

TEST_F(MacroFolder, RowsOfMacrosStandApartInTheCore) {
  const std::string script = content("macro_placement.tcl");
  std::istringstream lines(placed(script, 200, 130));
  std::vector<std::pair<double, double>> corners;
  const std::regex line("-macro_name cache\\.m(\\d+) -location \\{(\\S+) (\\S+)\\} -orientation R0");
  std::smatch m;
  for (std::string text; std::getline(lines, text);) {
    ASSERT_TRUE(std::regex_match(text, m, line)) << text;
    EXPECT_EQ(std::stoul(m[1]), corners.size()) << "by name, with numbers in their order";
    corners.emplace_back(std::stod(m[2]), std::stod(m[3]));
  }
  ASSERT_EQ(corners.size(), 12u);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto [x, y] = corners[i];
    EXPECT_GE(x, 10 + 4);
    EXPECT_LE(x + 50, 210 - 4);
    EXPECT_GE(y, 20 + 3);
    EXPECT_LE(y + 20, 150 - 3);
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(std::abs(x - corners[j].first) >= 50 + 2 * 4 ||
                  std::abs(y - corners[j].second) >= 20 + 2 * 3)
          << i << " and " << j;
  }
  // The first row is the lowest one, the second the highest.
  EXPECT_EQ(corners[0].second, 23);
  EXPECT_EQ(corners[3].second, 127);

  EXPECT_THAT(placed(script, 200, 100),
              HasSubstr("the macros are higher than the core: lower CORE_UTILIZATION"));
  EXPECT_THAT(placed(script, 55, 1000), HasSubstr("cache.m0 is wider than the core"));
}
