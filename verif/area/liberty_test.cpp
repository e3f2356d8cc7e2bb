// The standard-cell library: osu018's wrong areas put right from its LEF, other libraries taken as they are.
#include "gen/liberty/liberty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gen/liberty/liberty_reader.h"
#include "gen/process.h"
#include "verif/environment.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(Liberty, Osu018HasExactlyThreeWrongAreas) {
  const verif::TempFolder folder;
  const verif::Environment cache("XDG_CACHE_HOME", folder.path());
  const gen::Liberty liberty = gen::default_liberty();
  EXPECT_THAT(liberty.fixes, ElementsAre(gen::AreaFix{"LATCH", 0, 56}, gen::AreaFix{"NAND3X1", 36, 32},
                                         gen::AreaFix{"OAI21X1", 23, 32}));
  EXPECT_EQ(liberty.file, folder.path("l1forge/osu018_stdcells_patched.lib"));
  EXPECT_EQ(liberty.nand2_area(), 24);
  EXPECT_EQ(liberty.cells.inverter, "INVX1");
  EXPECT_THAT(liberty.cells.flops, ElementsAre("DFFNEGX1", "DFFPOSX1", "DFFSR"));
  EXPECT_THAT(liberty.cells.latches, ElementsAre("LATCH"));
}

TEST(Liberty, PatchedFileDiffersInThreeLinesOnly) {
  const std::string shipped = gen::read_file("/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
  const std::string patched = gen::read_file(gen::default_liberty().file);
  std::istringstream before(shipped), after(patched);
  std::vector<std::pair<std::string, std::string>> changes;
  std::string old_line, new_line;
  while (std::getline(before, old_line)) {
    ASSERT_TRUE(std::getline(after, new_line));
    if (old_line != new_line) changes.emplace_back(old_line, new_line);
  }
  EXPECT_FALSE(std::getline(after, new_line));
  EXPECT_THAT(changes, ElementsAre(Pair("area : 0;", "area : 56;"), Pair("area : 36;", "area : 32;"),
                                   Pair("area : 23;", "area : 32;")));
}

TEST(Liberty, PatchesAgainstEveryLayout) {
  const auto areas = gen::lef_areas(
      "MACRO A\n  SIZE 1.5 BY 10 ;\n  PIN X\n  END X\nEND A\nSITE core\n  SIZE 0.8 BY 10 ;\nEND core\n"
      "MACRO B\n  SIZE 2 BY 10 ;\nEND B\n");
  EXPECT_THAT(areas, ElementsAre(Pair("A", 15), Pair("B", 20)));
  std::vector<gen::AreaFix> fixes;
  const std::string patched = gen::patch_areas(
      "/* area : 1; */ library(l) { cell (A) { area : 15.0; } cell(\"B\") { pin(X) { area : 3; } area:19 ; } "
      "cell (C) { area : 7; } }",
      areas, fixes);
  EXPECT_EQ(
      patched,
      "/* area : 1; */ library(l) { cell (A) { area : 15.0; } cell(\"B\") { pin(X) { area : 3; } area:20 ; } "
      "cell (C) { area : 7; } }");
  EXPECT_THAT(fixes, ElementsAre(gen::AreaFix{"B", 19, 20}));
}

TEST(Liberty, WritesToATemporaryFolderWithoutACache) {
  const verif::Environment cache("XDG_CACHE_HOME", ""), home("HOME", "/dev/null");
  const gen::Liberty liberty = gen::default_liberty();
  ASSERT_NE(liberty.keep, nullptr);
  EXPECT_EQ(liberty.file.parent_path(), liberty.keep->path());
}

TEST(Liberty, SaysHowToInstallTheDefault) {
  const verif::TempFolder folder;
  EXPECT_EQ(complaint([&] { gen::default_liberty(folder.path("none")); }),
            folder.path("none") +
                "/osu018_stdcells.lib: not found; install it by: apt-get install qflow-tech-osu018, "
                "or name "
                "another library with --liberty FILE");
}

TEST(Liberty, TakesAnotherLibraryAsItIs) {
  const std::string file = verif::in_source("verif/area/samples/other.lib");
  const gen::Liberty liberty = gen::user_liberty({file});
  EXPECT_EQ(liberty.file, file);
  EXPECT_TRUE(liberty.fixes.empty());
  EXPECT_EQ(liberty.cells.nand2, "my_nand2_1");
  EXPECT_EQ(liberty.nand2_area(), 3.75);
  EXPECT_EQ(liberty.cells.inverter, "my_inv_1");
  EXPECT_THAT(liberty.cells.flops, ElementsAre("my_dff"));
}

const std::string samples = verif::in_source("verif/area/samples/");

TEST(Liberty, SeveralFilesAreOne) {
  const verif::TempFolder folder;
  const std::string packed = folder.path("states.lib.gz");
  gen::run_checked({.argv = {"gzip", "-c", samples + "small_states.lib"}, .output_file = packed});
  const gen::Liberty liberty = gen::user_liberty({samples + "small_gates.lib", packed});
  EXPECT_EQ(liberty.cells.areas.size(), 7u);
  EXPECT_THAT(liberty.cells.flops, ElementsAre("small_dff"));
  ASSERT_TRUE(liberty.cells.latch);
  EXPECT_EQ(liberty.cells.latch->name, "small_latch");
  EXPECT_EQ(liberty.cells.latch->enable, "G");
  EXPECT_THAT(liberty.cells.unused, ElementsAre(Pair("small_fill", "no logic function"),
                                                Pair("small_tri", "drives only at times")));
  EXPECT_NEAR(liberty.load_ff, 15 * 2 / 9.32456, 1e-9);  // 2 fF at the inverter's input
  EXPECT_EQ(gen::user_liberty({samples + "small_gates.lib", packed}, 7).load_ff, 7);
  EXPECT_EQ(liberty.file.parent_path(), liberty.keep->path());
  const std::string truncated = folder.path("half.lib.gz");
  gen::write_file_atomically(truncated, gen::read_file(packed).substr(0, 300));
  EXPECT_EQ(complaint([&] { gen::user_liberty({truncated}); }), truncated + ": ends inside its gzip data");
}

TEST(Liberty, RefusesFilesThatCannotBeOne) {
  const verif::TempFolder folder;
  const std::string gates = samples + "small_gates.lib";
  EXPECT_EQ(complaint([&] {
              gen::user_liberty({gates, gates});
            }),
            gates + ": has a cell small_inv, as " + gates + " has");
  std::string other = gen::read_file(samples + "small_states.lib");
  other.replace(other.find("1ns"), 3, "1ps");
  const std::string file = folder.write("ps.lib", other);
  EXPECT_EQ(complaint([&] {
              gen::user_liberty({gates, file});
            }),
            file + ": its time_unit is not that of " + gates + "; such libraries cannot be one");
}

// Names reach scripts of yosys, abc and OpenSTA.
TEST(Liberty, RefusesWhatAScriptWouldRun) {
  const verif::TempFolder folder;
  const std::string name =
      folder.write("n.lib", "library (l) { cell (\"[exec touch /tmp/x]\") { area : 1; } }");
  EXPECT_EQ(complaint([&] { gen::user_liberty({name}); }),
            name + ": has a cell called \"[exec touch /tmp/x]\"; names have letters, digits and underscores");
  const std::string include = folder.write("i.lib", "library (l) { include_file (/etc/passwd); }");
  EXPECT_EQ(complaint([&] { gen::user_liberty({include}); }),
            include + ": includes another file; name all files with --liberty or in [cells]");
  const std::string open = folder.write("o.lib", "library (l) { cell (a) { area : 1; }");
  EXPECT_EQ(complaint([&] { gen::user_liberty({open}); }),
            open + ": is no whole Liberty file: a group or a string does not end");
}

TEST(Liberty, RefusesWhatIsNoLibrary) {
  const verif::TempFolder folder;
  const std::string none = folder.path("none.lib");
  EXPECT_EQ(complaint([&] { gen::user_liberty({none}); }),
            "cannot read " + none + ": No such file or directory");
  EXPECT_EQ(complaint([] { gen::liberty_cells("module m; endmodule", "m.v"); }),
            "m.v: no cell in this Liberty file; name another with --liberty");
  EXPECT_THAT(complaint([] { gen::liberty_cells("library(l) { cell(X) { area : 1; } }", "l.lib"); }),
              HasSubstr("l.lib: no NAND2 cell with an area"));
  EXPECT_THAT(complaint([] { gen::liberty_cells("library(l) { cell(NAND2X1) { area : 1; } }", "l.lib"); }),
              HasSubstr("l.lib: no inverter"));
}

TEST(LibertyReader, EndsOnAnyText) {
  for (const char* text :
       {"", "{", "}", "}}}", "a", "a :", "a (", "a (b", "a (b) {", "a (b) { c", "/*", "\"", "a : \"x;"})
    gen::liberty_items(text);
  const auto items = gen::liberty_items("a : \"x;y\" ;\nb (\"c)\", d) ;\ne (f) { g : h; }");
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].value, "\"x;y\"");
  EXPECT_EQ(items[1].value, "\"c)\", d");
  EXPECT_TRUE(items[2].is_group);
  EXPECT_EQ(items[2].body, " g : h; ");
}

}  // namespace
