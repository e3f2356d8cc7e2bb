// Pictures of a lock step: the save file for GTKWave, and what the waveform holds, as VCD and as FST.
#include "cosim/harness/waves.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "verif/temp_folder.h"

namespace {

using testing::ElementsAre, testing::HasSubstr, testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A unit with a clock, two ports of which golden has one, and a net inside; `id` goes wrong in cycle `wrong`.
class Picture {
 public:
  Picture(const verif::TempFolder& folder, const std::string& file, std::int64_t first, std::int64_t last,
          std::int64_t cycles, std::int64_t wrong = -1) {
    verif::CosimOptions options{.top = "unit", .vcd_first = first, .vcd_last = last};
    (file.ends_with(".fst") ? options.fst : options.vcd) = folder.path(file);
    verif::Waves waves(options);
    waves.add_port("dut", "clk", 1, &clk_);
    waves.add_port("dut", "id", 9, &id_);
    waves.add_port("dut", "ready", 1, &ready_);
    waves.add("dut.tags", "clk", 1, &clk_);
    waves.add("dut.tags", "held", 4, &held_);
    waves.add_golden("id", 64, &golden_id_);  // as wide as it likes
    waves.add_golden("lfsr", 16, &golden_id_);
    waves.known(true);
    std::vector<verif::Mismatch> mismatches;
    for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
      golden_id_ = static_cast<std::uint64_t>(cycle % 512);
      id_ = static_cast<std::uint16_t>(cycle == wrong ? 0 : golden_id_);
      held_ = static_cast<std::uint8_t>(cycle % 16);
      waves.sample(cycle);
      if (cycle == wrong) mismatches.push_back({cycle, "id", id_, golden_id_});
    }
    waves.close(mismatches);
  }

 private:
  std::uint8_t clk_ = 0, ready_ = 1, held_ = 0;
  std::uint16_t id_ = 0;
  std::uint64_t golden_id_ = 0;
};

// Of the line that opens the view: GTKWave goes to [timestart] where the waveform goes on for a window from
// there, and shows 2^zoom time units in 200 pixels.
struct View {
  double start = -1, marker = -1, units_a_pixel = 0;
  explicit View(const std::string& gtkw) {
    for (const std::string& line : lines_of(gtkw)) {
      double zoom = 0;
      if (std::sscanf(line.c_str(), "[timestart] %lf", &start) == 1) continue;
      if (std::sscanf(line.c_str(), "*%lf %lf", &zoom, &marker) == 2) units_a_pixel = std::exp2(-zoom) / 200;
    }
  }
  double shown(double pixels) const { return pixels * units_a_pixel; }
};

std::string last_time(const std::string& vcd) {
  std::string time;
  for (const std::string& line : lines_of(vcd))
    if (line.starts_with('#')) time = line;
  return time;
}

}  // namespace

TEST(Waves, AMismatchIsInViewWithItsPortOnTop) {
  const verif::TempFolder folder;
  Picture(folder, "w.vcd", 1000, 2000, 2001, 2000);
  const std::string gtkw = folder.content("w.gtkw"), vcd = folder.content("w.vcd");
  const View view(gtkw);
  EXPECT_EQ(view.marker, 4000) << "the beginning of cycle 2000";
  EXPECT_LT(view.start, view.marker);
  EXPECT_LT(view.marker + 2, view.start + view.shown(600)) << "the whole cycle is inside of a small window";
  const double end = std::stod(last_time(vcd).substr(1));
  EXPECT_GE(end, view.start + view.shown(3840)) << "else GTKWave opens at the beginning";
  const auto lines = lines_of(gtkw);
  const auto top = std::ranges::find_if(lines, [](const auto& l) { return l.starts_with('@'); });
  EXPECT_THAT(std::vector(top, top + 10),
              ElementsAre("@200", "-cycle 2000: id is 0x0, golden 0x1d0", "[color] 1", "@22",
                          "+{dut/id[8:0]} dut.id[8:0]", "[color] 1", "+{golden/id[8:0]} golden.id[8:0]",
                          "@200", "-", "@800200"));
  EXPECT_THAT(gtkw,
              HasSubstr("-ports\n@28\n+{dut/clk} dut.clk\n@22\n+{dut/id[8:0]} dut.id[8:0]\n"
                        "+{golden/id[8:0]} golden.id[8:0]\n@28\n+{dut/ready} dut.ready\n@1000200\n-ports\n"));
  EXPECT_THAT(gtkw, HasSubstr("@c00200\n-dut.tags\n"));
}

// The clocks go up and down in each cycle, and the last cycle ends a cycle behind its beginning.
TEST(Waves, EachCycleHasAClockAndAWidth) {
  const verif::TempFolder folder;
  Picture(folder, "w.vcd", 0, 2, 3, 2);
  const std::string vcd = folder.content("w.vcd");
  EXPECT_THAT(vcd, HasSubstr("$var wire 1 ! clk $end\n"));
  const std::string values = vcd.substr(vcd.find("$end\n#") + 5);
  std::vector<std::string> clock;
  std::string time;
  for (const std::string& line : lines_of(values)) {
    if (line.starts_with('#')) time = line;
    if (line.size() == 2 && line[1] == '!') clock.push_back(time + " " + line[0]);
  }
  EXPECT_THAT(clock, ElementsAre("#0 1", "#1 0", "#2 1", "#3 0", "#4 1", "#5 0", "#6 x"));
  EXPECT_EQ(last_time(vcd), "#166");
}

TEST(Waves, AWholeRunOpensAsAWhole) {
  const verif::TempFolder folder;
  Picture(folder, "w.vcd", 0, INT64_MAX, 5000);
  const View view(folder.content("w.gtkw"));
  EXPECT_EQ(last_time(folder.content("w.vcd")), "#10000");
  EXPECT_EQ(view.start, 0);
  EXPECT_EQ(view.marker, -1);
  EXPECT_GE(view.shown(601), 10'000);
  Picture(folder, "bad.vcd", 0, INT64_MAX, 5000, 4999);
  EXPECT_EQ(View(folder.content("bad.gtkw")).marker, 9998);
  EXPECT_GE(View(folder.content("bad.gtkw")).shown(601), 10'000);
}

// Both formats hold the same.
TEST(Waves, FstHoldsWhatVcdDoes) {
  const verif::TempFolder folder;
  Picture(folder, "w.vcd", 10, 400, 401, 400);
  Picture(folder, "x.fst", 10, 400, 401, 400);
  EXPECT_THAT(folder.content("x.gtkw"), StartsWith("[dumpfile] \"x.fst\"\n"));
  EXPECT_LT(folder.content("x.fst").size(), folder.content("w.vcd").size());
  ASSERT_EQ(std::system(
                fmt::format("cd {} && vcd2fst w.vcd w.fst > log 2>&1 && fst2vcd w.fst > a 2>> log && fst2vcd "
                            "x.fst > b 2>> log",
                            folder.path())
                    .c_str()),
            0)
      << folder.content("log");
  const auto values = [&](const char* name) {
    const std::string text = folder.content(name);
    return text.substr(text.find("$scope"));
  };
  EXPECT_EQ(values("a"), values("b"));
  Picture(folder, "y.fst", 10, 400, 401, 400);
  EXPECT_EQ(folder.content("x.fst"), folder.content("y.fst")) << "the same run";
}

TEST(Waves, AnFstThatCannotBeWrittenSaysSo) {
  const verif::TempFolder folder;
  try {
    Picture(folder, "none/x.fst", 0, 5, 6);
    ADD_FAILURE() << "written";
  } catch (const golden::FileError& e) {
    EXPECT_EQ(e.what(), "cannot write " + folder.path("none/x.fst") + ": No such file or directory");
  }
}
