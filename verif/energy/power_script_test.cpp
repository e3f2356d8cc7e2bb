// synth-scripts/power.tcl: loads and activity are those of ports, and one of an unknown port is an error.
// OpenSTA ends with status 0 after any error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/area/tool_reports.h"
#include "gen/files.h"
#include "gen/process.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr, testing::Not;

// What OpenSTA prints for an inverter from `a` to `y` with this activity.
std::string opensta(const verif::TempFolder& folder, const std::string& activity) {
  folder.write("annotated.lib", gen::read_file(verif::in_source("verif/energy/samples/counter.lib")));
  folder.write("power.v",
               "module unit (a, y);\n  input a;\n  output y;\n  INV c0 (.A(a), .Y(y));\nendmodule\n");
  folder.write("loads.txt", "y 3\n");
  folder.write("activity.txt", activity);
  folder.write("power.tcl", gen::fill_in(gen::read_file(verif::in_source("synth-scripts/power.tcl")),
                                         {{"CLOCK", ""}, {"PERIOD", "5"}, {"DRIVER", "INV"}}));
  const gen::Finished done =
      gen::run({.argv = {"sta", "-no_init", "-no_splash", "-exit", "power.tcl"}, .folder = folder.path()});
  EXPECT_TRUE(done.ok()) << done.output;
  return done.output;
}

}  // namespace

TEST(PowerScript, ReportsThePowerOfItsActivity) {
  const verif::TempFolder folder;
  EXPECT_THAT(opensta(folder, "a 0.5 0.25\n"), HasSubstr("power done"));
  const std::string half = folder.content("power.txt");
  EXPECT_THAT(half, HasSubstr("Total"));
  opensta(folder, "a 1 0.25\n");
  EXPECT_NE(folder.content("power.txt"), half);
}

TEST(PowerScript, AnUnknownPortIsAnError) {
  const verif::TempFolder folder;
  const std::string said = opensta(folder, "a 0.5 0.25\nnowhere 0.5 0.5\n");
  EXPECT_THAT(said, HasSubstr("ERROR: "));
  EXPECT_THAT(said, HasSubstr("nowhere"));
  EXPECT_THAT(said, Not(HasSubstr("power done")));
}
