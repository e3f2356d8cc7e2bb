// Studies that cannot be what their writer means, refused before anything is measured; results that are
// damaged, made again.
#include <gmock/gmock.h>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr, testing::StartsWith;

class StudyInput : public testing::Test {
 protected:
  StudyInput() {
    folder_.write("small.rec",
                  verif::bytes({.cta = 0, .warp = 0, .pc = 0, .mask = 1, .addresses = {0x10000080}}));
  }
  gen::Finished run(const std::string& text) const {
    folder_.write("s.toml", text);
    return verif::l1forge({"study", "s.toml"}, folder_.path());
  }
  // The one line that it ends with; nothing has been measured.
  std::string refusal(const std::string& text) const {
    const gen::Finished done = run(text);
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    EXPECT_FALSE(fs::exists(folder_.path("s-study"))) << done.output;
    return done.output;
  }
  // Of lines beside the others of a measure, the third table.
  std::string measure(const std::string& kind, const std::string& line) const {
    return refusal(grid_ + "[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n[measure." + kind + "]\n" +
                   line + "\n");
  }

  const std::string grid_ = "[grid.g]\nunit = \"l1d\"\n";
  const std::string untimed_ = "[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n";
  verif::TempFolder folder_;
};

TEST_F(StudyInput, SettingsOfMeasures) {
  const std::string at = "l1forge: s.toml:7:";
  EXPECT_THAT(measure("timed", "scheduler = \"gtoo\""),
              testing::AllOf(StartsWith(at + "13: measure.timed.scheduler = "), HasSubstr("gtoo")));
  EXPECT_EQ(measure("timed", "sms = -1"),
            at + "7: measure.timed.sms = -1: -1 is not a whole number from 1 to 1024\n");
  EXPECT_THAT(measure("timed", "memory_latency = 0"), HasSubstr("0 is not a whole number from 1 to 1000000"));
  EXPECT_THAT(measure("timed", "memory_bandwidth = 1.5"), HasSubstr("1.5 is not a whole number from 1"));
  EXPECT_THAT(measure("timed", "memory = \"far.toml\""), HasSubstr("far.toml: no such file"));
  EXPECT_THAT(measure("timed", "memory = \"far\""), HasSubstr("far: neither a preset nor a TOML file"));
  EXPECT_THAT(measure("random", "cycles = -1"), HasSubstr("-1 is not a whole number from 1"));
  EXPECT_THAT(measure("random", "seed = \"x\""), HasSubstr("x is not a whole number from 0"));
  EXPECT_THAT(measure("cosim", "scheduler = true"), HasSubstr("measure.cosim.scheduler = true: "));
  EXPECT_THAT(measure("area", "clock_ns = 0"), HasSubstr("0 is not a period"));
  EXPECT_THAT(measure("area", "orders = 0"), HasSubstr("0 is not a whole number from 1 to 1000"));
  EXPECT_THAT(measure("area", "liberty = \"none.lib\""), HasSubstr("none.lib: no such file"));
  EXPECT_THAT(measure("area", "tech = \"none.toml\""), HasSubstr("none.toml: no such file"));
  EXPECT_THAT(measure("energy", "window = 0"), HasSubstr("0 is not a whole number from 1 to 1000000"));
  EXPECT_THAT(measure("energy", "trace = \"none.rec\""), HasSubstr("none.rec: no such file"));
  EXPECT_THAT(measure("energy", "parts = 1"), HasSubstr("parts"));
}

TEST_F(StudyInput, ValuesThatStandTwice) {
  EXPECT_EQ(refusal(grid_ + "keys.geometry.ways = [4, 8, 4]\n" + untimed_),
            "l1forge: s.toml:3:29: geometry.ways = 4: is there twice\n");
  std::string many = "4";
  for (int n = 1; n < 10'000; ++n) many += ",4";
  EXPECT_THAT(refusal(grid_ + "keys.geometry.ways = [" + many + "]\n" + untimed_),
              HasSubstr("is there twice"));
}

TEST_F(StudyInput, LabelsOfOtherKeys) {
  for (const std::string label : {"{nope}", "{", "{index.kind}, {geometry.ways", "{}"})
    EXPECT_THAT(
        refusal(grid_ + "keys.index.kind = [\"cvi\", \"pli\"]\nlabel = \"" + label + "\"\n" + untimed_),
        testing::AllOf(StartsWith("l1forge: s.toml:2:1: grid.g.label: {"),
                       HasSubstr(": is no {KEY} of this grid")));
}

TEST_F(StudyInput, Tolerances) {
  const std::string check = grid_ + untimed_ + "[check.c]\nvalue = \"1\"\nrelation = \"within\"\n";
  EXPECT_EQ(refusal(check + "expected = 1\ntolerance = -1\n"),
            "l1forge: s.toml:10:13: check.c.tolerance = -1: must not be below 0\n");
  EXPECT_THAT(refusal(check + "expected = 1\ntolerance = nan\n"), HasSubstr("must be a number"));
  EXPECT_THAT(refusal(check + "expected = inf\ntolerance = 1\n"), HasSubstr("must be a number"));
}

// Any file that is no result of its job is named and made again.
TEST_F(StudyInput, DamagedResults) {
  const std::string study = grid_ + untimed_;
  ASSERT_EQ(run(study).status, 0);
  const std::string before = folder_.content("s-study/study.csv");
  const fs::path result = fs::directory_iterator(folder_.path("s-study/results"))->path();
  for (const std::string text : {"{}", "{\"runs\": [1]}"}) {
    folder_.write("s-study/results/" + result.filename().string(), text);
    const gen::Finished again = run(study);
    EXPECT_EQ(again.status, 0) << text << again.output;
    EXPECT_THAT(again.output, HasSubstr("s-study/results/" + result.filename().string() +
                                        ": is cut short or no result; made again"))
        << text;
    EXPECT_EQ(folder_.content("s-study/study.csv"), before) << text;
  }
  const auto other = verif::l1forge(
      {"explore", "l1d_tsc", "--untimed", "--trace", "small.rec", "--json", "other.json"}, folder_.path());
  ASSERT_EQ(other.status, 0) << other.output;
  fs::copy_file(folder_.path("other.json"), result, fs::copy_options::overwrite_existing);
  EXPECT_THAT(run(study).output, HasSubstr("no result; made again")) << "of another unit";
  EXPECT_EQ(folder_.content("s-study/study.csv"), before);
  fs::remove(result);
  fs::create_symlink("nowhere", result);
  EXPECT_EQ(run(study).status, 0);
  EXPECT_EQ(folder_.content("s-study/study.csv"), before);
}

}  // namespace
