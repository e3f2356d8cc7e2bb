// The command `verify`: scores of a small unit, survivors where runs are too short, and what it refuses.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "verif/run_l1forge.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Verify : public testing::Test {
 protected:
  gen::Finished verify(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "verify");
    return verif::l1forge(arguments, work_.path(), {{"XDG_CACHE_HOME", (work_ / "cache").string()}});
  }
  json report() { return json::parse(gen::read_file(work_ / "out.json")); }
  std::size_t kept() {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(work_ / "cache/l1forge/verify"), {}));
  }

  gen::TempDir work_{"verify"};
};

TEST_F(Verify, CountsWhatTheRunsKill) {
  const std::vector<std::string> call{"arbiter_round_robin",
                                      "--mutants",
                                      "12",
                                      "--cycles",
                                      "5000",
                                      "--json",
                                      "out.json",
                                      "--html",
                                      "out.html"};
  const gen::Finished done = verify(call);
  EXPECT_EQ(done.status, 0) << done.output;
  const json first = report();
  ASSERT_EQ(first["modules"].size(), 1u);
  const json& module = first["modules"][0];
  EXPECT_EQ(module["module"], "arbiter_round_robin");
  EXPECT_EQ(module["mutants"], 12);
  EXPECT_EQ(module["killed"].get<int>() + module["equivalent"].get<int>(), 12) << done.output;
  EXPECT_GE(module["killed"], 9) << done.output;
  EXPECT_THAT(done.output, HasSubstr("100.0 %"));
  EXPECT_THAT(gen::read_file(work_ / "out.html"), HasSubstr("100.0 %"));
  // All results are kept, and a run that was cut short goes on from the kept ones.
  const std::size_t all = kept();
  EXPECT_GE(all, 12u);
  fs::remove(fs::directory_iterator(work_ / "cache/l1forge/verify")->path());
  EXPECT_EQ(verify(call).status, 0);
  EXPECT_EQ(report(), first);
  EXPECT_EQ(kept(), all);
}

TEST_F(Verify, MutatesNamedModulesAlone) {
  const gen::Finished done = verify({"warp_limit", "--module", "warp_limit_rank", "--mutants", "4",
                                     "--cycles", "3000", "--json", "out.json"});
  EXPECT_LE(done.status, 1) << done.output;
  ASSERT_EQ(report()["modules"].size(), 1u) << done.output;
  EXPECT_EQ(report()["modules"][0]["module"], "warp_limit_rank");
  EXPECT_EQ(report()["modules"][0]["mutants"], 4);
}

TEST_F(Verify, RefusesModulesThatAreNotThere) {
  const gen::Finished slip = verify({"warp_limit", "--module", "warp_limit_rang"});
  EXPECT_EQ(slip.status, 2);
  EXPECT_THAT(slip.output, HasSubstr("--module warp_limit_rang: warp_limit has no such module; did you mean "
                                     "warp_limit_rank?"));
  const gen::Finished other = verify({"warp_limit", "--module", "pudding"});
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.output, HasSubstr("use one of warp_limit_rank, warp_limit"));
  EXPECT_EQ(verify({"l1d", "--module", "l1d", "--upsets", "9"}).status, 2);
}

TEST_F(Verify, NamesSurvivors) {
  // Nothing is compared in the first cycle, and little can be seen in the next.
  const gen::Finished done = verify({"arbiter_round_robin", "--mutants", "12", "--cycles", "1", "--json",
                                     "out.json", "--html", "out.html"});
  EXPECT_EQ(done.status, 1) << done.output;
  const json module = report()["modules"][0];
  ASSERT_FALSE(module["survived"].empty()) << done.output;
  const json& one = module["survived"][0];
  EXPECT_THAT(done.output, HasSubstr("survived: arbiter_round_robin " + one["net"].get<std::string>() + ": " +
                                     one["change"].get<std::string>()));
  EXPECT_TRUE(one["file"].get<std::string>().starts_with("hw/"));
  EXPECT_GT(one["line"], 0);
  EXPECT_THAT(gen::read_file(work_ / "out.html"), HasSubstr("<mark><strong>survived: "));
}

TEST_F(Verify, CountsUpsetsByArray) {
  const gen::Finished done =
      verify({"l1d", "-s", "ecc.tags=parity", "-s", "ecc.data=parity", "-s", "geometry.capacity_bytes=2048",
              "-s", "geometry.address_bits=20", "--upsets", "1000", "--json", "out.json"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("silent"));
  ASSERT_EQ(report()["arrays"].size(), 2u);
  const json run = report();
  for (const json& array : run["arrays"]) {
    EXPECT_GE(array["upsets"], 1000);
    EXPECT_EQ(array["silent"], 0);
    EXPECT_GT(array["masked"], 0);
    EXPECT_GT(array["refetched"], 0);
    EXPECT_GT(array["wrong_without_check"], 0);
    EXPECT_EQ(array["upsets"], array["masked"].get<int>() + array["corrected"].get<int>() +
                                   array["refetched"].get<int>() + array["detected"].get<int>());
  }
}

TEST_F(Verify, CountsUpsetsOfRowsThatExistOnce) {
  const gen::Finished done = verify({"l1d", "-s", "ecc.mshr=secded", "-s", "geometry.capacity_bytes=2048",
                                     "-s", "mshr.entries=4", "--upsets", "500", "--json", "out.json"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("queued_payloads"));
  ASSERT_EQ(report()["arrays"].size(), 3u);
  const json run = report();
  for (const json& array : run["arrays"]) {
    EXPECT_GE(array["upsets"], 500);
    EXPECT_EQ(array["silent"], 0);
    EXPECT_GT(array["corrected"], 0);
    EXPECT_GT(array["detected"], 0);
    EXPECT_EQ(array["refetched"], 0);
  }
}

TEST_F(Verify, UpsetsWithoutTheCheckGiveLoadsWrongData) {
  const gen::Finished done = verify({"l1d", "-s", "ecc.tags=parity", "-s", "ecc.data=secded", "-s",
                                     "geometry.capacity_bytes=2048", "-s", "geometry.address_bits=20",
                                     "--upsets", "40000", "--without-check", "--json", "out.json"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("loads with wrong data"));
  ASSERT_EQ(report()["arrays"].size(), 2u);
  EXPECT_EQ(report()["arrays"][0]["array"], "data");
  EXPECT_GT(report()["arrays"][0]["two_anywhere"], 0);
  EXPECT_EQ(report()["arrays"][1]["array"], "tags");
  EXPECT_EQ(report()["arrays"][1]["one"], report()["arrays"][1]["upsets"]);
  const json run = report();
  for (const json& array : run["arrays"]) {
    EXPECT_GE(array["upsets"], 40000);
    EXPECT_GT(array["wrong_loads"], 0) << array;
  }
}

TEST_F(Verify, SortsUpsetsOfFlipFlopsByWhatThePortsShow) {
  const gen::Finished done =
      verify({"l1d", "-s", "geometry.capacity_bytes=2048", "--flop-upsets", "500", "--json", "out.json"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("silent"));
  const json flops = report(), all = flops["all"];
  const auto keys = [](const json& object) {
    std::set<std::string> names;
    for (const auto& [name, value] : object.items()) names.insert(name);
    return names;
  };
  EXPECT_EQ(keys(flops), (std::set<std::string>{"top", "seed", "cycles", "groups", "all"}));
  EXPECT_EQ(keys(all), (std::set<std::string>{"registers", "flops", "upsets", "masked", "harmless",
                                              "detected", "hung", "silent"}));
  EXPECT_EQ(all["upsets"], 500);
  EXPECT_GT(all["flops"], 1000);
  std::map<std::string, int> sums;
  std::set<std::string> names;
  for (const json& group : flops["groups"]) {
    int fates = 0;
    for (const char* fate : {"masked", "harmless", "detected", "hung", "silent"}) {
      fates += group[fate].get<int>();
      sums[fate] += group[fate].get<int>();
    }
    EXPECT_EQ(keys(group), keys(all));
    EXPECT_EQ(group["upsets"], fates) << group;
    EXPECT_GT(group["flops"], 0) << group;
    EXPECT_TRUE(names.insert(group["registers"]).second) << group;
  }
  for (const auto& [fate, sum] : sums) EXPECT_EQ(all[fate], sum) << fate;
  EXPECT_THAT(names, testing::IsSupersetOf({"l1d_z2048", "tags", "mshr", "miss_queue"}));
  // A bit that does not flip, or a run that looks nowhere, would leave all of them masked.
  EXPECT_GT(sums["masked"], 100);
  EXPECT_GT(sums["harmless"], 0);
  EXPECT_GT(sums["detected"], 0);
  EXPECT_GT(sums["silent"], 0);
}

TEST_F(Verify, RefusesInOneLine) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& reason) {
    const gen::Finished done = verify(arguments);
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_THAT(done.output, HasSubstr(reason));
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  };
  refused({"arbiter_round_robins"}, "did you mean arbiter_round_robin?");
  refused({"arbiter_round_robin", "--mutants", "0"}, "--mutants");
  refused({"arbiter_round_robin", "--cycles", "1e6"}, "--cycles");
  refused({"arbiter_round_robin", "--seed", "-1"}, "--seed");
  refused({"arbiter_round_robin", "--json", "out", "--html", "out"}, "--html");
  refused({"l1d", "--upsets", "10"},
          "--upsets: l1d has no protected RAM; set ecc.data, ecc.tags or ecc.mshr");
  for (const char* unit : {"l1d", "l1_subsystem"})
    refused({unit, "-s", "ecc.data=parity", "-s", "memory.protocol=axi4", "--upsets", "10"},
            "is no L1 data cache with memory.protocol = \"native\" by itself");
  refused({"arbiter_round_robin", "--upsets", "10", "--mutants", "10"}, "--mutants");
  refused({"l1d", "--without-check"}, "--upsets");
  refused({"l1d", "-s", "ecc.mshr=parity", "--upsets", "10", "--without-check"},
          "--without-check: is of the data RAM and of tags");
  refused({"arbiter_round_robin", "--flop-upsets", "10"},
          "--flop-upsets: arbiter_round_robin is no L1 data cache");
  refused({"l1d", "--flop-upsets", "10", "--upsets", "10"}, "--flop-upsets");
  refused({"l1d", "--flop-upsets", "10", "--html", "out"}, "--html");
  refused({"l1d", "--flop-upsets", "0"}, "--flop-upsets");
  refused({"arbiter_round_robin", "--html", "none/out.html"}, "none");
}

}  // namespace
