// What scripts ask beside results: the version, the catalogue, differences of units, completion, tables as
// CSV.
#include <gmock/gmock.h>

#include <array>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/paths.h"
#include "gen/reports.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string printed(const std::vector<std::string>& arguments) {
  const gen::Finished done = verif::l1forge(arguments);
  EXPECT_EQ(done.status, 0) << done.output;
  return done.output;
}

TEST(CatalogueCommands, VersionNamesTheCommit) {
  const gen::Finished git =
      gen::run({.argv = {"git", "-C", gen::paths::source().string(), "rev-parse", "--short=12", "HEAD"}});
  const std::string text = printed({"--version"});
  EXPECT_THAT(text, testing::StartsWith("l1forge 0.1.0"));
  if (git.status == 0) {
    EXPECT_THAT(text, ContainsRegex("\\(commit [0-9a-f]{12}\\)"));
  }
}

TEST(CatalogueCommands, ListIsThereForPrograms) {
  const json units = json::parse(printed({"list", "--json", "-"}))["units"];
  const std::string text = printed({"list"});
  EXPECT_GT(units.size(), 20u);
  for (const json& unit : units) {
    EXPECT_THAT(text, HasSubstr("  " + unit["preset"].get<std::string>() + " "));
    EXPECT_FALSE(unit["source"].get<std::string>().empty());
  }
}

constexpr std::array every_command = {"list",  "describe", "gen",    "cosim",      "verify", "explore",
                                      "study", "claims",   "area",   "datasheet",  "energy", "trace",
                                      "bench", "diff",     "import", "completion", "layout", "site"};

TEST(CatalogueCommands, EveryCommandShowsAnExample) {
  for (const std::string line : every_command) {
    const std::string help = printed({line, "--help"});
    EXPECT_THAT(help, AllOf(HasSubstr("\nExample: "), HasSubstr("l1forge " + line + " ")));
  }
  EXPECT_THAT(printed({"--help"}),
              HasSubstr("Exit status: 0 success, 1 a mismatch or failed check, 2 bad use"));
}

// A line of the help stands alone: "seed of the random stimulus", not "of the random stimulus".
TEST(CatalogueCommands, EveryFlagSaysWhatItDoes) {
  const std::string cut_off = "\n  [^\n]*  (of|at|as|from|only|what|how|which|neither|the same) ";
  EXPECT_THAT("\n  --seed UINT [1]   of the random stimulus", ContainsRegex(cut_off));
  for (const std::string line : every_command)
    EXPECT_THAT(printed({line, "--help"}), Not(ContainsRegex(cut_off)));
}

json difference(const json& all, const std::string& of, const std::string& name) {
  for (const json& d : all["differences"])
    if (d["of"] == of && d["name"] == name) return d;
  return nullptr;
}

TEST(CatalogueCommands, DiffTellsWhatChanges) {
  EXPECT_EQ(printed({"diff", "l1d", "l1d"}), "l1d and l1d do not differ\n");
  const json d = json::parse(
      printed({"diff", "l1d", "l1d", "-s", "probe.ports=true", "-s", "geometry.ways=2", "--json", "-"}));
  EXPECT_EQ(difference(d, "parameter", "geometry.ways")["first"], 4);
  EXPECT_EQ(difference(d, "parameter", "geometry.ways")["second"], 2);
  EXPECT_EQ(difference(d, "port", "core_request_valid"), nullptr);
  EXPECT_EQ(difference(d, "port", "probe_valid")["second"], "output 1");
  EXPECT_EQ(difference(d, "port", "probe_valid")["first"], nullptr);
  EXPECT_THAT(printed({"diff", "l1d", "l1d_tsc"}),
              ContainsRegex("parameter +tags.kind +conventional +split"));
}

TEST(CatalogueCommands, DiffWeighsBothOnRequest) {
  const std::string text = printed({"diff", "index_cvi", "index_bxi", "--area"});
  EXPECT_THAT(text, ContainsRegex("figure +gate equivalents +[0-9.]+ +[0-9.]+"));
  EXPECT_THAT(text, HasSubstr("\nGates and paths are of one order of the lines, "));
  const gen::Finished done = verif::l1forge({"diff", "dc_l1", "dc_l1", "--area"});
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.output,
            "l1forge: --area: dc_l1 is a topology; \"l1forge area dc_l1\" measures its networks\n");
}

// A sign stands only where the ranges are apart.
TEST(CatalogueCommands, DiffOfSeveralOrdersHasRanges) {
  const json d =
      json::parse(printed({"diff", "index_bxi", "index_pri", "--area", "--orders", "3", "--json", "-"}));
  const json gates = difference(d, "figure", "gate equivalents");
  for (const char* side : {"first", "second"}) {
    const json range = gates[std::string(side) + "_range"];
    EXPECT_LE(range[0], gates[side]);
    EXPECT_LE(gates[side], range[1]);
  }
  const json &first = gates["first_range"], &second = gates["second_range"];
  const bool apart = first[1] < second[0] || second[1] < first[0];
  EXPECT_EQ(gates["overlap"], !apart);
  ASSERT_TRUE(apart) << "an XOR of two bits beside a division by a prime";
  EXPECT_GT(gates["change"], 0);
  EXPECT_THAT(printed({"diff", "index_pli", "index_pli", "-s", "index.poly=61", "--area", "--orders", "3"}),
              ContainsRegex("longest path, ns +[0-9.]+ \\([0-9.]+ to [0-9.]+\\) +[0-9.]+ \\([0-9.]+ to "
                            "[0-9.]+\\) +(no difference: the ranges overlap|[-+][0-9.]+ %)"));
  EXPECT_EQ(verif::l1forge({"diff", "l1d", "l1d", "--orders", "2"}).status, 2);
}

TEST(CatalogueCommands, DiffOfEnergiesRefusesWhatHasNoSameTraffic) {
  const std::string technology = (gen::paths::source() / "verif/energy/samples/counter.toml").string();
  const auto refused = [&](std::vector<std::string> arguments, const std::string& line) {
    arguments.insert(arguments.begin(), "diff");
    const gen::Finished done = verif::l1forge(arguments);
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(done.output, "l1forge: " + line + "\n");
  };
  const std::vector<std::string> tail = {"--energy", "--tech", technology};
  const auto energy = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), tail.begin(), tail.end());
    return arguments;
  };
  refused({"l1d", "l1d_tsc", "--energy", "--trace", "builtin:kmeans"},
          "--energy: needs the cells and RAM macros of a technology: --tech FILE.toml");
  refused(energy({"l1d", "l1d_tsc"}),
          "--energy: l1d needs traffic that is the same for both units: --trace FILE, such as "
          "builtin:kmeans, or --replay FILE");
  refused(energy({"l1d", "dc_l1"}),
          "energy: dc_l1 is a topology of many caches; name one of its parts, such as l1d or vc_crossbar");
  refused(energy({"crossing_fifo", "index_pli"}),
          "energy: crossing_fifo has two clocks; a unit of one clock can be counted");
  refused(energy({"vc_crossbar", "l1d"}),
          "--energy: l1d is a cache and vc_crossbar is none: no traffic is the same for both");
  refused({"l1d", "l1d_tsc", "--window", "200"},
          "command line: --window requires --energy; see l1forge --help");
  refused({"l1d", "l1d_tsc", "--energy", "--tech", "no/such.toml"}, "no/such.toml: no such file");
  refused(energy({"l1d", "l1d_tsc", "--trace", "no/such.trace"}),
          "no/such.trace: cannot open: No such file or directory");
  refused(
      energy({"l1d", "l1d_tsc", "--trace", "builtin:kmeans", "--json", technology}),
      "--json " + technology + ": would replace " + technology + ", which --tech reads; name another file");
}

TEST(CatalogueCommands, BashCompletesCommandsOptionsAndUnits) {
  const auto completed = [](const std::string& words, int last) {
    const std::string script = verif::in_build("l1forge") + " completion bash";
    return gen::run({.argv = {"bash", "-c",
                              "source <(" + script + "); COMP_WORDS=(" + words + "); COMP_CWORD=" +
                                  std::to_string(last) + "; _l1forge; echo \"${COMPREPLY[*]}\""}})
        .output;
  };
  EXPECT_EQ(completed("l1forge exp", 1), "explore\n");
  EXPECT_EQ(completed("l1forge explore l1d_ts", 2), "l1d_tsc l1d_tsc_plus\n");
  EXPECT_EQ(completed("l1forge area l1d --or", 3), "--orders\n");
  EXPECT_EQ(completed("l1forge diff l1d l1d_tsc --ene", 4), "--energy\n");
  // Bash hands "=" over as a word of its own.
  EXPECT_EQ(completed("l1forge explore l1d --scheduler l", 4), "lrr\n");
  EXPECT_EQ(completed("l1forge gen l1d --ram = b", 5), "behavioural blackbox\n");
  EXPECT_EQ(completed("l1forge gen index_pli -s index.s", 4), "index.sets=\n");
  EXPECT_EQ(completed("l1forge gen -s geometry.w l1d", 3), "geometry.ways=\n");
  EXPECT_EQ(completed("l1forge explore my.toml --set index.ki", 4), "index.kind=\n");
  EXPECT_EQ(completed("l1forge gen l1d -s index.kind = p", 6), "pli pri\n");
  EXPECT_EQ(completed("l1forge gen l1d -s counters.enable =", 5), "false true\n");
}

// Of a shell that need not be there; "" where it is not.
std::string completed_by(const std::string& shell, const std::string& script) {
  const verif::TempFolder folder;
  folder.write("completion", printed({"completion", shell}));
  folder.write("script", script);
  return gen::run({.argv = {"sh", "-c", "command -v $0 >/dev/null && exec \"$0\" $1 script", shell,
                            shell == "zsh" ? "-f" : "--no-config"},
                   .folder = folder.path()})
      .output;
}

TEST(CatalogueCommands, ZshCompletesKeysAndValues) {
  // The builtins of its line editor print what they are given, as far as it fits the word.
  const std::string said = completed_by("zsh", R"(
compdef() { }; compset() { }; _files() { }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -r -- ${(M)@:#${word##*=}*} }
source ./completion
try() { words=("$@"); CURRENT=$#; _l1forge }
try l1forge exp
try l1forge explore l1d_ts
try l1forge area l1d --or
try l1forge explore l1d --scheduler l
try l1forge gen index_pli -s index.s
try l1forge explore my.toml --set index.ki
try l1forge gen l1d -s index.kind=p
try l1forge gen l1d -s counters.enable=
)");
  if (said.empty()) GTEST_SKIP() << "no zsh";
  EXPECT_EQ(said,
            "explore\nl1d_tsc l1d_tsc_plus\n--orders\nlrr\nindex.sets\nindex.kind\npli pri\nfalse true\n");
}

TEST(CatalogueCommands, FishCompletesKeysAndValues) {
  const std::string said = completed_by("fish", R"(
source completion
for line in 'l1forge exp' 'l1forge explore l1d_ts' 'l1forge area l1d --or' 'l1forge explore l1d --scheduler l' \
    'l1forge gen index_pli -s index.s' 'l1forge explore my.toml --set index.ki' 'l1forge gen l1d -s index.kind=p' \
    'l1forge gen l1d --ram=b'
  echo (complete -C $line)
end
)");
  if (said.empty()) GTEST_SKIP() << "no fish";
  EXPECT_EQ(said,
            "explore\nl1d_tsc l1d_tsc_plus\n--orders\nlrr\nindex.sets=\nindex.kind=\n"
            "index.kind=pli index.kind=pri\n--ram=behavioural --ram=blackbox\n");
}

TEST(CatalogueCommands, TablesComeAsCsv) {
  const gen::TempDir work("csv");
  gen::write_file_atomically(work / "list.txt", "L 10000080 f\nL 10000080 f\nS 10000080 1\n");
  const std::string list = (work / "list.txt").string(), file = (work / "out.csv").string();
  const json runs = json::parse(
      printed({"explore", "l1d", "l1d_tsc", "--requests", list, "--json", "-", "--csv", file}))["runs"];
  const std::string text = gen::read_file(file);
  EXPECT_EQ(std::ranges::count(text, '\n'), 3) << text;
  EXPECT_THAT(text, testing::StartsWith("configuration,preset,top,requests,mode,"));
  EXPECT_THAT(text, HasSubstr(",traffic.bytes_down,"));
  EXPECT_THAT(text, Not(HasSubstr("[")));
  for (const json& run : runs)
    EXPECT_THAT(text, HasSubstr("\n" + run["configuration"].get<std::string>() + ","));
  EXPECT_EQ(verif::l1forge({"explore", "l1d", "--requests", list, "--json", "-", "--csv", "-"}).output,
            "l1forge: --csv: and --json cannot both be standard output\n");
  EXPECT_THAT(printed({"area", "index_bxi", "--csv", "-"}), testing::StartsWith("name,"));
}

TEST(CatalogueCommands, CsvQuotesWhatWouldEndACell) {
  EXPECT_EQ(gen::csv_of(
                {{{"a", "x,y"}, {"b", {{"c", 1.5}, {"list", {1, 2}}}}}, {{"a", "say \"no\""}, {"d", true}}}),
            "a,b.c,d\r\n\"x,y\",1.5,\r\n\"say \"\"no\"\"\",,true\r\n");
}

TEST(CatalogueCommands, CacheStringsOfGpgpuSimAreImported) {
  const gen::TempDir work("import");
  const std::string file = (work / "my.toml").string();
  printed({"import", "S:64:128:4,L:L:m:N:X,A:64:8,16:0,32", "-o", file});
  const std::string toml = gen::read_file(file);
  EXPECT_THAT(toml, HasSubstr("# - write policy L: stores evict their line here as there"));
  EXPECT_THAT(toml, HasSubstr("# - a data port of 32 bytes: a line is read in one cycle\n"));
  const json d = json::parse(printed({"diff", "l1d_sectored", file, "--json", "-"}));
  EXPECT_EQ(difference(d, "parameter", "geometry.capacity_bytes")["second"], 32768);
  EXPECT_EQ(difference(d, "parameter", "index.kind")["second"], "bxi");
  EXPECT_EQ(difference(d, "parameter", "mshr.entries")["second"], 64);
  EXPECT_EQ(difference(d, "parameter", "mshr.miss_queue")["second"], 16);
  EXPECT_EQ(difference(d, "parameter", "geometry.ways"), nullptr);
  // As GPGPU-Sim 3 writes the default of a GTX 480.
  EXPECT_EQ(
      printed({"import", "32:128:4,L:E:m:N,A:32:8,8"}),
      "# From the cache string 32:128:4,L:E:m:N,A:32:8,8 of GPGPU-Sim.\npreset = \"l1d\"\n\n[geometry]\n"
      "line_bytes = 128\ncapacity_bytes = 16384\nways = 4\n\n[index]\nkind = \"cvi\"\n\n[mshr]\n"
      "entries = 32\nmerges = 8\nmiss_queue = 8\n");
  const std::string through = printed({"import", "S:64:128:4,L:T:m:N:L,A:64:8,16"});
  EXPECT_THAT(through, HasSubstr("\n[tags]\nstore_policy = \"update\"\n"));
  EXPECT_THAT(through, testing::Not(HasSubstr("Not carried over")));
}

TEST(CatalogueCommands, WhatIsNoCacheStringIsRefusedWithItsColumn) {
  const auto error = [](const std::string& text) {
    const gen::Finished done = verif::l1forge({"import", text});
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    return done.output;
  };
  EXPECT_THAT(error("S:64:128:6"),
              HasSubstr("S:64:128:6: at character 10: ends with 1 of the 4 or 5 parts between commas"));
  EXPECT_THAT(error("S:64:x:6,L:L:m:N:L,A:64:8,8"),
              HasSubstr(": at character 6: the line size is \"x\", must be a number"));
  EXPECT_THAT(error("S:64:128:6,Q:L:m:N:L,A:64:8,8"), HasSubstr(": at character 12: replacement is \"Q\""));
  EXPECT_THAT(error("S:64:128:6,L:L:m:N:L,A:64,8"), HasSubstr("the MSHRs has 2 fields, must have 3"));
}

}  // namespace
