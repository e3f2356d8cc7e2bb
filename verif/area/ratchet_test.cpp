// The area ratchet over a sample of small units; ratchet_full_test.cpp has all.
#include <gmock/gmock.h>

#include "verif/area/ratchet.h"

using testing::HasSubstr;

TEST(AreaRatchet, TheSampleIsAsRecorded) {
  const auto recorded = verif::recorded_areas();
  for (const char* preset : {"index_pri", "awl", "mode_selector"}) {
    ASSERT_TRUE(recorded.contains(preset)) << preset;
    EXPECT_EQ(verif::ratchet_fault(preset, recorded.at(preset), verif::measured_area(preset)), "");
  }
}

TEST(AreaRatchet, TheDocumentationShowsItsFigures) {
  const std::string page = gen::read_file(gen::paths::source() / "docs/area.md");
  const std::string stale = "a row of docs/area.md; python3 verif/area/ratchet.py ";
  int rows = 0;
  for (const auto& [preset, figure] : verif::recorded_areas()) {
    if (page.find(fmt::format("\n| `{}` | ", preset)) == std::string::npos) continue;
    ++rows;
    EXPECT_THAT(page, HasSubstr("\n" + verif::documented_row(preset, figure) + "\n")) << stale << preset;
  }
  EXPECT_GT(rows, 20);
  EXPECT_EQ(verif::documented_row("a", {1234567.6, 3.3879}), "| `a` | 1,234,568 | 3.39 |");
  EXPECT_EQ(verif::documented_row("b", {11.6667, 0.1937}), "| `b` | 11.7 | 0.19 |");
}

TEST(AreaRatchet, SeesAChangeOfMoreThanOnePercent) {
  const verif::Figure unit{1000, 2};
  EXPECT_EQ(verif::ratchet_fault("unit", unit, {1009, 2.01}), "");
  EXPECT_THAT(verif::ratchet_fault("unit", unit, {1011, 2}),
              HasSubstr("unit: 1011.0 GE and 2.00 ns, recorded as 1000.0"));
  EXPECT_THAT(verif::ratchet_fault("unit", unit, {985, 2}), HasSubstr("ratchet.py unit"));
  EXPECT_THAT(verif::ratchet_fault("unit", unit, {1000, 2.03}), HasSubstr("2.03 ns"));
  EXPECT_EQ(verif::ratchet_fault("wires", {0, 0}, {0, 0}), "");
  EXPECT_THAT(verif::ratchet_fault("wires", {0, 0}, {1, 0.1}), HasSubstr("recorded as 0.0 GE"));
}
