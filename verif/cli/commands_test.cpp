// The commands as scripts use them: layout of generated folders, co-simulation reports, waveforms.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
namespace fs = std::filesystem;

class Commands : public testing::Test {
 protected:
  gen::Finished ok(const std::vector<std::string>& arguments) {
    gen::Finished done = verif::l1forge(arguments, work_.path());
    EXPECT_EQ(done.status, 0) << done.output;
    return done;
  }
  json read_json(const std::string& name) { return json::parse(gen::read_file(work_ / name)); }
  std::vector<std::string> names(const fs::path& folder) {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(work_ / folder)) out.push_back(entry.path().filename());
    std::ranges::sort(out);
    return out;
  }

  gen::TempDir work_{"cli"};
};

TEST_F(Commands, GenWritesOneFolderWithEverything) {
  ok({"gen", "index_pli", "-s", "index.sets=64"});
  EXPECT_EQ(names("index_pli_s64"), (std::vector<std::string>{"index_pli_s64.core", "index_pli_s64.f",
                                                              "index_pli_s64.json", "index_pli_s64.v"}));
  EXPECT_EQ(gen::read_file(work_ / "index_pli_s64/index_pli_s64.f"), "index_pli_s64.v\n");
  const json m = read_json("index_pli_s64/index_pli_s64.json");
  EXPECT_EQ(m["top"], "index_pli_s64");
  EXPECT_EQ(m["parameters"]["index.poly"], 67);
  EXPECT_EQ(m["tag_bits"], 19);
  EXPECT_EQ(m["latency"], 0);
  EXPECT_EQ(m["ports"][0]["name"], "block_address");
  EXPECT_EQ(m["ports"][0]["width"], 25);
  EXPECT_EQ(m["facts"]["xor2_depth"], (json{4, 4, 4, 4, 4, 4}));
}

TEST_F(Commands, GenReplacesTheUnitBefore) {
  ok({"gen", "index_pli", "-o", "out"});
  ok({"gen", "index_bxi", "-o", "out"});
  EXPECT_EQ(names("out"),
            (std::vector<std::string>{"index_bxi.core", "index_bxi.f", "index_bxi.json", "index_bxi.v"}));
}

TEST_F(Commands, GenReplacesFlowFilesToo) {
  ok({"gen", "index_pli", "--flow", "orfs", "-o", "out"});
  ok({"gen", "index_bxi", "-o", "out"});
  EXPECT_EQ(names("out"),
            (std::vector<std::string>{"index_bxi.core", "index_bxi.f", "index_bxi.json", "index_bxi.v"}));
}

TEST_F(Commands, GenIntoOneFolderTakesTurns) {
  const std::string script =
      "for i in 1 2 3 4; do for u in index_pli index_pri; do \"$0\" gen $u -o out & pids+=($!); done; done; "
      "for p in ${pids[@]}; do wait $p || exit 1; done";
  const gen::Finished done =
      gen::run({.argv = {"bash", "-c", script, verif::in_build("l1forge")}, .folder = work_.path()});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(names("out").size(), 4u);
}

TEST_F(Commands, SettingsMayStandBeforeTheUnit) {
  ok({"gen", "-s", "index.sets=64", "index_cvi", "-o", "out"});
  EXPECT_THAT(names("out"), testing::Contains("index_cvi_s64.v"));
}

TEST_F(Commands, ASettingThatChangesNothingIsNoted) {
  const std::string idle =
      "l1forge: note: -s index.poly=61 changes nothing: it counts with index.kind = pli\n";
  EXPECT_EQ(ok({"gen", "l1d", "-s", "index.poly=61"}).output, idle + "l1d/l1d.f\n");
  EXPECT_EQ(ok({"gen", "l1d", "index_pli", "-s", "index.poly=61", "-o", "two"}).output.find("note"),
            std::string::npos)
      << "one of them has that key in use";
  EXPECT_THAT(ok({"diff", "l1d", "l1d", "-s", "index.poly=61"}).output, testing::StartsWith(idle));
  EXPECT_THAT(ok({"diff", "l1d", "l1d", "-s", "index.poly=61", "--json", "-"}).output,
              testing::StartsWith("{"));
}

TEST_F(Commands, TraceConverts) {
  const std::string trace = verif::in_source("verif/traces/atax256_first_warps.rec.xz");
  ok({"trace", trace, "-o", "plain.rec"});
  ok({"trace", "plain.rec", "-o", "again.rec.xz"});
  ok({"trace", "plain.rec", "again.rec.xz", trace, "--json", "all.json"});
  const json all = read_json("all.json");
  EXPECT_EQ(all[0]["records"], 16384);
  for (const char* count : {"records", "loads", "stores", "highest_address", "launches"})
    for (int i : {0, 1}) EXPECT_EQ(all[i][count], all[2][count]) << count;
}

TEST_F(Commands, AFullStandardOutputIsAnError) {
  const gen::Finished done =
      gen::run({.argv = {"bash", "-c", verif::in_build("l1forge") + " list > /dev/full"}});
  EXPECT_EQ(done.status, 2);
}

TEST_F(Commands, GenIsByteIdentical) {
  for (const char* folder : {"one", "two"}) ok({"gen", "index_pri", "-s", "index.latency=2", "-o", folder});
  for (const auto& name : names("one"))
    EXPECT_EQ(gen::read_file(work_ / "one" / name), gen::read_file(work_ / "two" / name));
}

TEST_F(Commands, OrfsFiles) {
  ok({"gen", "index_pli", "-s", "index.latency=1", "--flow", "orfs", "-o", "out"});
  EXPECT_THAT(names("out"), testing::IsSupersetOf({"config.mk", "constraint.sdc"}));
  EXPECT_THAT(gen::read_file(work_ / "out/constraint.sdc"), HasSubstr("clk"));
}

TEST_F(Commands, CosimReportsAndTraces) {
  const std::string trace = verif::in_source("verif/traces/atax256_first_warps.rec.xz");
  ok({"cosim", "index_pli", "--trace", trace, "--json", "report.json"});
  const json report = read_json("report.json");
  EXPECT_EQ(report["passed"], true);
  EXPECT_EQ(report["cycles"], 185024);
  EXPECT_TRUE(report["mismatches"].empty());
}

TEST_F(Commands, CosimTakesATraceFromStandardInput) {
  const gen::Finished done =
      gen::run({.argv = {"bash", "-c",
                         verif::in_build("l1forge") + " cosim index_pli --trace - < " +
                             verif::in_source("verif/traces/streamcluster_two_launches.rec.xz")},
                .folder = work_.path()});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("cycles of a trace in lock step with golden, no mismatch"));
}

TEST_F(Commands, CosimOfASmallUnitIsExhaustive) {
  ok({"cosim", "index_pri", "-s", "geometry.address_bits=24", "--json", "report.json"});
  EXPECT_EQ(read_json("report.json")["cycles"], 1 << 17);
  EXPECT_EQ(read_json("report.json")["stimulus"], "exhaustive stimulus");
}

TEST_F(Commands, CosimOfBrokenVerilogFailsAndShowsBothSides) {
  ok({"gen", "index_bxi", "-s", "index.latency=1", "-o", "mine"});
  const fs::path file = work_ / "mine/index_bxi_l1.v";
  std::string text = gen::read_file(file);
  text.replace(text.find(" ^ "), 3, " | ");
  gen::write_file_atomically(file, text);
  const gen::Finished done = verif::l1forge(
      {"cosim", "index_bxi", "-s", "index.latency = 1", "--verilog", file.string()}, work_.path());
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, HasSubstr("MISMATCH"));
  EXPECT_THAT(done.output,
              HasSubstr("rerun: l1forge cosim index_bxi --seed 1 -s 'index.latency = 1' --verilog " +
                        file.string() + "\n"));
  EXPECT_THAT(gen::read_file(work_ / "index_bxi_l1_mismatch.gtkw"), HasSubstr("golden.set_index[4:0]"));
  // An independent reader takes the waveform.
  const gen::Finished read =
      gen::run({.argv = {"vcd2fst", "index_bxi_l1_mismatch.vcd", "out.fst"}, .folder = work_.path()});
  EXPECT_TRUE(read.ok()) << read.output;
  EXPECT_TRUE(fs::exists(work_ / "out.fst"));
}

TEST_F(Commands, DescribeIsAConfigurationFile) {
  const gen::Finished described = ok({"describe", "index_lin"});
  gen::write_file_atomically(work_ / "mine.toml", described.output);
  ok({"gen", "mine.toml", "-o", "out"});
  EXPECT_THAT(names("out"), testing::Contains("index_lin.v"));
}

TEST_F(Commands, SchemaIsJson) {
  EXPECT_EQ(json::parse(ok({"describe", "--schema"}).output)["additionalProperties"], false);
}

TEST_F(Commands, ListNamesEveryUnit) {
  const std::string text = ok({"list"}).output;
  for (const char* unit : {"index_cvi", "index_bxi", "index_rxi", "index_lin", "index_pli", "index_pri"})
    EXPECT_THAT(text, HasSubstr(unit));
}

}  // namespace
