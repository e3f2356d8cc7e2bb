// Save files of GTKWave: exact text, and an unwritable path.
#include "cosim/waves/gtkw.h"

#include <gtest/gtest.h>

#include "cosim/waves/vcd.h"
#include "golden/trace/io/output_file.h"
#include "verif/temp_folder.h"

namespace {

using verif::Gtkw;
using verif::VcdWriter;

TEST(Gtkw, ShowsBothSides) {
  const verif::TempFolder folder;
  std::uint8_t x = 0;
  VcdWriter vcd(folder.path("w.vcd"), "1ns");
  Gtkw gtkw(folder.path("w.vcd"));
  const auto dut = vcd.scope("dut"), golden = vcd.scope("golden");
  gtkw.comment("seed 7");
  gtkw.open_group("outputs");
  for (const auto& scope : {dut, golden}) gtkw.signal(vcd.full_name(vcd.add(scope, "set_index", 5, &x)));
  for (const auto& scope : {dut, golden}) gtkw.signal(vcd.full_name(vcd.add(scope, "hit", 1, &x)));
  gtkw.close_group();
  gtkw.signal(vcd.full_name(vcd.add(golden, "ways[3]", 3, &x)), verif::GtkwRadix::decimal);
  gtkw.signal(vcd.full_name(vcd.add(golden, "mask", 4, &x)), verif::GtkwRadix::binary);
  const std::string shown =
      "@200\n"
      "-seed 7\n"
      "@800200\n"
      "-outputs\n"
      "@22\n"
      "+{dut/set_index[4:0]} dut.set_index[4:0]\n"
      "+{golden/set_index[4:0]} golden.set_index[4:0]\n"
      "@28\n"
      "+{dut/hit} dut.hit\n"
      "+{golden/hit} golden.hit\n"
      "@1000200\n"
      "-outputs\n"
      "@24\n"
      "+{golden/ways[3][2:0]} golden.ways[3][2:0]\n"
      "@28\n"
      "+{golden/mask[3:0]} golden.mask[3:0]\n";
  gtkw.write(folder.path("w.gtkw"));
  EXPECT_EQ(folder.content("w.gtkw"), "[dumpfile] \"w.vcd\"\n[savefile] \"w.gtkw\"\n[timestart] 0\n" + shown);
  const std::string window =
      "[size] 1400 850\n"
      "[pos] -1 -1\n";
  const std::string named =
      " -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n";
  const std::string lists = "[sst_width] 180\n[signals_width] 360\n[sst_expanded] 1\n";
  const auto text = [&] { return gtkw.text(folder.path("w.gtkw")); };
  const std::string head = "[dumpfile] \"w.vcd\"\n[savefile] \"w.gtkw\"\n";
  gtkw.marker(1234, 10);
  EXPECT_EQ(text(), head + "[timestart] 1174\n" + window + "*-5.000000 1234" + named + lists + shown);
  gtkw.whole(0, 300);
  EXPECT_EQ(text(), head + "[timestart] 0\n" + window + "*-6.643856 -1" + named + lists + shown)
      << "2^6.64 = 100 units in 200 pixels";
  gtkw.whole(0, 300, 250);
  EXPECT_EQ(text(), head + "[timestart] 0\n" + window + "*-6.643856 250" + named + lists + shown);
}

TEST(Gtkw, FoldedGroupsAndRedSignals) {
  Gtkw gtkw("w.vcd");
  gtkw.open_group("inner", true);
  gtkw.signal("dut.hit", verif::GtkwRadix::hex, true);
  gtkw.close_group();
  EXPECT_EQ(gtkw.text("w.gtkw"),
            "[dumpfile] \"w.vcd\"\n[savefile] \"w.gtkw\"\n[timestart] 0\n@c00200\n-inner\n[color] 1\n@28\n"
            "+{dut/hit} dut.hit\n@1401200\n-inner\n");
}

TEST(Gtkw, UnwritablePlace) {
  const verif::TempFolder folder;
  const auto none = folder.path("none/w.gtkw");
  try {
    Gtkw("w.vcd").write(none);
    ADD_FAILURE() << "written";
  } catch (const golden::FileError& e) {
    EXPECT_EQ(e.what(), "cannot write " + none + ": No such file or directory");
  }
}

}  // namespace
