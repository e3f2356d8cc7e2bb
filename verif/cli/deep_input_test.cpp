// Input that nests as deeply as its file is long: every reader refuses it in one line.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

using testing::HasSubstr, testing::StartsWith;

std::string many(const std::string& text, int times) {
  std::string all;
  for (int n = 0; n < times; ++n) all += text;
  return all;
}

std::string nested(const std::string& open, const std::string& inner, const std::string& close, int times) {
  return many(open, times) + inner + many(close, times);
}

class DeepInput : public testing::Test {
 protected:
  std::string refusal(const std::vector<std::string>& arguments) const {
    const gen::Finished done = verif::l1forge(arguments, folder_.path());
    EXPECT_EQ(done.status, 2) << done.output.substr(0, 300);
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output.substr(0, 300);
    EXPECT_LT(done.output.size(), 400u) << done.output;
    return done.output;
  }
  std::string study(const std::string& text) const {
    folder_.write("small.rec",
                  verif::bytes({.cta = 0, .warp = 0, .pc = 0, .mask = 1, .addresses = {0x10000080}}));
    folder_.write("s.toml",
                  "[grid.g]\nunit = \"l1d\"\n[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n" + text);
    return "s.toml";
  }

  verif::TempFolder folder_;
};

const std::string too_deep = "nests more than 100 parentheses, calls and signs";

TEST_F(DeepInput, Expressions) {
  const std::string check = "[check.c]\nrelation = \"equal\"\nexpected = 1\nvalue = ";
  for (const int depth : {101, 5000, 20'000}) {
    EXPECT_EQ(refusal({"study", study(check + "\"" + nested("(", "1", ")", depth) + "\"\n")}),
              "l1forge: s.toml:9:9: check.c.value: " + too_deep + "\n");
    EXPECT_THAT(refusal({"study", study("[table.t]\nrows = \"r\"\ncolumns = \"c\"\ncell = \"{" +
                                        many("-", depth) + "1}\"\n")}),
                HasSubstr(too_deep));
  }
  EXPECT_THAT(refusal({"study", study(check + "\"" + nested("sum(", "1", ")", 3000) + "\"\n")}),
              HasSubstr(too_deep));
  EXPECT_THAT(refusal({"study", study(check + "\"" + many("(-max(1,", 2000) + "\"\n")}), HasSubstr(too_deep));
  folder_.write("claims.toml",
                "paper = \"P\"\n[claim.c]\nsection = \"1\"\nclaim = \"x\"\nkind = \"area\"\nrelation = "
                "\"equal\"\nexpected = 1\nvalue = \"" +
                    nested("(", "1", ")", 20'000) + "\"\n");
  EXPECT_EQ(refusal({"claims", "."}), "l1forge: ./claims.toml:8:9: claim.c.value: " + too_deep + "\n");
}

TEST_F(DeepInput, ExpressionsAsDeepAsAnybodyWrites) {
  const std::string value = "value = \"" + nested("(", "-1", ")", 90) + "\"\n" + "relation = \"equal\"\n";
  const gen::Finished done =
      verif::l1forge({"study", study("[check.c]\nexpected = -1\n" + value)}, folder_.path());
  EXPECT_EQ(done.status, 0) << done.output;
}

TEST_F(DeepInput, Toml) {
  folder_.write("lists.toml", "x = " + nested("[", "1", "]", 30'000) + "\n");
  folder_.write("tables.toml", "x = " + nested("{a=", "1", "}", 10'000) + "\n");
  folder_.write("dots.toml", "x" + many(".x", 30'000) + " = 1\n");
  folder_.write("heads.toml", "[" + nested("x.", "x", "", 4000) + "]\ny = 1\n");
  for (const std::string file : {"lists.toml", "tables.toml", "dots.toml", "heads.toml"})
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"gen"}, {"study"}, {"diff", "l1d"}}) {
      std::vector<std::string> arguments = command;
      arguments.push_back(file);
      EXPECT_THAT(refusal(arguments),
                  testing::AllOf(StartsWith("l1forge: " + file), testing::Not(HasSubstr("TOML_"))));
    }
  EXPECT_THAT(refusal({"gen", "l1d", "-s", "geometry.ways=" + nested("[", "1", "]", 2000)}),
              StartsWith("l1forge: -s geometry.ways=[[[["));
}

TEST_F(DeepInput, Json) {
  const std::string deep = nested("[", "1", "]", 200'000), levels = "its values nest by more than 64 levels";
  ASSERT_EQ(verif::l1forge({"gen", "index_cvi", "-o", "out"}, folder_.path()).status, 0);
  auto manifest = nlohmann::json::parse(folder_.content("out/index_cvi.json"));
  manifest["parameters"]["index.taps"] = "HERE";
  std::string text = manifest.dump();
  text.replace(text.find("\"HERE\""), 6, deep);
  folder_.write("m.json", text);
  EXPECT_EQ(refusal({"gen", "m.json", "-o", "again"}), "l1forge: m.json: " + levels + "\n");
  folder_.write("t.rec", verif::bytes({.cta = 0, .warp = 0, .pc = 0, .mask = 1, .addresses = {0x10000080}}));
  folder_.write("t.json", "{\"launches\": [{\"cta_base\": " + deep + "}]}");
  EXPECT_EQ(refusal({"trace", "t.rec"}), "l1forge: t.json: this side file is not used: " + levels + "\n");
}

TEST_F(DeepInput, ResultsOfClaimsAndStudies) {
  const std::string deep = nested("{\"x\":", "1", "}", 200'000);
  folder_.write(
      "claims.toml",
      "paper = \"P\"\n[result.r]\nfile = \"r.json\"\ncommand = \"none\"\n[claim.c]\nsection = \"1\"\n"
      "claim = \"x\"\nkind = \"area\"\nrelation = \"equal\"\nexpected = 1\nvalue = \"r.x\"\n");
  folder_.write("r.json", deep);
  EXPECT_THAT(refusal({"claims", "."}), HasSubstr("r.json: its values nest by more than 64 levels"));
  study("");
  ASSERT_EQ(verif::l1forge({"study", "s.toml"}, folder_.path()).status, 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path("s-study/results")))
    folder_.write("s-study/results/" + entry.path().filename().string(), "{\"runs\": [" + deep + "]}");
  const gen::Finished again = verif::l1forge({"study", "s.toml"}, folder_.path());
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.output, HasSubstr("is cut short or no result; made again"));
}

}  // namespace
