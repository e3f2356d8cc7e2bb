// The command `trace`: summaries and conversions between formats, and what it refuses.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;

const std::string bundled = verif::in_source("verif/traces/");

class TraceCommand : public testing::Test {
 protected:
  std::string ok(const std::vector<std::string>& arguments) {
    const gen::Finished done = verif::l1forge(arguments, work_.path());
    EXPECT_EQ(done.status, 0) << done.output;
    return done.output;
  }
  void refused(const std::vector<std::string>& arguments, const std::string& reason) {
    const gen::Finished done = verif::l1forge(arguments, work_.path());
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_THAT(done.output, HasSubstr(reason));
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  }
  std::string content(const std::string& name) { return gen::read_file(work_ / name); }

  gen::TempDir work_{"trace"};
};

TEST_F(TraceCommand, SummarisesEveryFormat) {
  ok({"trace", "builtin:nw?n=32", "-o", "nw.req.xz"});
  ok({"trace", bundled + "accelsim", bundled + "accelsim/kernel-2.traceg.xz", "builtin:nw?n=32", "nw.req.xz",
      "--json", "all.json"});
  const auto all = nlohmann::json::parse(content("all.json"));
  EXPECT_EQ(all[0]["records"], 8806);
  EXPECT_EQ(all[0]["launches"][1]["kernel"], "_Z6KernelP4NodePiPbS2_S2_S1_i");
  EXPECT_EQ(all[1]["records"], 2950);
  EXPECT_EQ(all[2]["launches"].size(), 3u);
  EXPECT_EQ(all[2]["barriers"], 4 * 34);
  EXPECT_EQ(all[3]["requests"].get<int>(), all[3]["loads"].get<int>() + all[3]["stores"].get<int>());
  EXPECT_THAT(ok({"trace", "--list"}), HasSubstr("builtin:spmv: y = A x"));
}

TEST_F(TraceCommand, ConvertsBetweenFormats) {
  EXPECT_EQ(ok({"trace", bundled + "accelsim", "-o", "both.rec.xz"}), "both.rec.xz: 8806 records\n");
  ok({"trace", "both.rec.xz", "-o", "a.req"});
  ok({"trace", bundled + "accelsim", "-o", "b.txt.xz"});
  ok({"trace", "b.txt.xz", "-o", "b.txt"});
  EXPECT_EQ(content("a.req"), content("b.txt"));
  EXPECT_THAT(content("a.req"), testing::StartsWith("S 14008000 f 0 272\nL 14000000 1 0 528\n"));
  ok({"trace", "both.rec.xz", "-o", "small.req", "--line-bytes", "64", "--chunk-bytes", "16"});
  EXPECT_THAT(content("small.req"), testing::StartsWith("S 14008000 f 0 272\nS 14008040 f 0 272\n"));
}

// The side file counts the instructions.
TEST_F(TraceCommand, ConvertedKernelsRunInASystem) {
  ok({"trace", "builtin:pathfinder?columns=512,rows=8", "-o", "kernel.rec.xz"});
  EXPECT_THAT(ok({"explore", "l1d", "--system", "volta4", "--trace", "kernel.rec.xz"}), HasSubstr("IPC"));
}

// Against the bundled beginning of a kernel: cutting what is cut already changes nothing, and a smaller part
// is what `--accesses` of it says.
TEST_F(TraceCommand, KeepsTheBeginning) {
  const std::string whole = bundled + "atax256_first_warps.rec.xz";
  EXPECT_EQ(ok({"trace", whole, "--ctas", "4", "--accesses", "512", "-o", "same.rec"}),
            "same.rec: 16384 records\n");
  ok({"trace", whole, "-o", "whole.rec"});
  EXPECT_EQ(content("same.rec"), content("whole.rec"));
  EXPECT_EQ(ok({"trace", whole, "--ctas", "2", "--accesses", "100", "-o", "part.rec"}),
            "part.rec: 1600 records\n");
  ok({"trace", "part.rec", "--json", "summary.json"});
  const auto part = nlohmann::json::parse(content("summary.json"));
  EXPECT_EQ(part[0]["records"], 1600);
  EXPECT_EQ(part[0]["launches"][0]["stated_records"], 1600);
  EXPECT_EQ(part[0]["warps"], 16);
  EXPECT_EQ(nlohmann::json::parse(content("part.json"))["launches"][0]["grid"], nlohmann::json({2, 1, 1}));
  ok({"trace", whole + "?accesses=100,ctas=2", "-o", "named.rec"});
  EXPECT_EQ(content("named.rec"), content("part.rec"));
  EXPECT_EQ(content("named.json"), content("part.json"));
  // Of every launch; barriers up to the last access stay.
  ok({"trace", "builtin:nw?n=64", "--ctas", "1", "--json", "first.json"});
  ok({"trace", "builtin:nw?n=64", "--json", "all.json"});
  const auto first = nlohmann::json::parse(content("first.json")),
             all = nlohmann::json::parse(content("all.json"));
  EXPECT_EQ(first[0]["launches"].size(), all[0]["launches"].size());
  EXPECT_LT(first[0]["barriers"], all[0]["barriers"]);
}

TEST_F(TraceCommand, ListsAsJson) {
  ok({"trace", "--list", "--json", "all.json"});
  const auto all = nlohmann::json::parse(content("all.json"));
  EXPECT_EQ(nlohmann::json::parse(ok({"trace", "--list", "--json", "-"})), all);
  EXPECT_GT(all.size(), 20u);
  for (const auto& one : all) {
    EXPECT_GT(one["footprint_bytes"], 0) << one["name"];
    EXPECT_GE(one["instructions"], one["accesses"]) << one["name"];
  }
}

TEST_F(TraceCommand, ProfilesTraces) {
  const std::vector<std::string> call{
      "trace", "builtin:atax?nx=64,ny=64", bundled + "accelsim/kernel-2.traceg.xz", "--profile", "--sms",
      "2"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return ok(more);
  };
  const auto all = nlohmann::json::parse(with({"--json", "-"}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["sms"], 2);
  EXPECT_EQ(all[0]["loads"], 4 * 2 * 64);
  EXPECT_EQ(all[0]["lines"], 64 * 2 + 2 * 2);  // the matrix, x and tmp; y is stored alone
  EXPECT_EQ(all[0]["classes"][0]["class"], "un-coalesced");
  EXPECT_EQ(all[0]["indices"][0]["index"], "cvi");
  EXPECT_THAT(with({}),
              testing::AllOf(HasSubstr("  reuse distance         "), HasSubstr("  BUCL: un-coalesced (")));
  EXPECT_EQ(with({"--html", "page.html", "--json", "all.json"}), "");
  EXPECT_EQ(nlohmann::json::parse(content("all.json")), all);
  EXPECT_THAT(content("page.html"),
              testing::AllOf(HasSubstr("Working set"), HasSubstr("Misses by index function"),
                             HasSubstr("builtin:atax?nx=64,ny=64")));
}

TEST_F(TraceCommand, RefusesInOneLine) {
  refused({"trace"}, "trace: takes traces, or --list alone");
  refused({"trace", "--list", "x"}, "trace: takes traces, or --list alone");
  refused({"trace", "none.rec"}, "none.rec: cannot open");
  refused({"trace", "builtin:x"}, "builtin:x: no such built-in kernel");
  refused({"trace", "builtin:nw", "-o", "x"}, "x must end in .rec or .traceg (a trace), .req or .txt");
  refused({"trace", "builtin:nw", "builtin:nw", "-o", "x.rec"}, "converts one trace at a time");
  refused({"trace", "builtin:nw", "-o", "x.rec", "--json", "y"}, "writes no JSON");
  refused({"trace", "builtin:nw", "--line-bytes", "48"}, "48 must be a power of two from 32 to 256");
  refused({"trace", "builtin:nw", "--html", "x.html"}, "trace --html: draws profiles; add --profile");
  refused({"trace", "builtin:nw", "--sms", "4"}, "trace --sms: is for profiles; add --profile");
  refused({"trace", "builtin:nw", "--profile", "--sms", "0"}, "--sms");
  refused({"trace", "--list", "--profile"}, "trace --profile: takes traces, not --list");
  refused({"trace", "builtin:nw", "--profile", "-o", "x.rec"}, "does not convert with -o");
  ok({"trace", "builtin:nw?n=32", "-o", "nw.req"});
  refused({"trace", "nw.req", "--profile"}, "nw.req: a list of requests cannot be profiled");
  refused({"trace", "nw.req", "--ctas", "1"}, "nw.req is a list of requests, which has no CTAs");
  refused({"trace", "builtin:nw", "--ctas", "0"}, "--ctas");
  refused({"trace", "nw.req", "-o", "x.rec"}, "a list of requests cannot become a trace");
  EXPECT_FALSE(std::filesystem::exists(work_ / "x.rec"));
}

}  // namespace
