// No result overwrites an input or another result, under any path of either: exit status
// 2, one line, and every file as it was.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "gen/files.h"
#include "gen/paths.h"
#include "verif/run_l1forge.h"

namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class CallPaths : public testing::Test {
 protected:
  CallPaths() {
    file("unit.toml", "preset = \"l1d\"\n");
    file("list.txt", "L 10000080 f\n");
    file("l1d.v", "module l1d; endmodule\n");
    file("cells.lib", "library (cells) {\n}\n");
    const fs::path traces = gen::paths::source() / "verif/traces";
    fs::copy(traces / "streamcluster_two_launches.rec.xz", work_ / "t.rec.xz");
    fs::copy(traces / "streamcluster_two_launches.json", work_ / "t.json");
    fs::copy(traces / "accelsim", work_ / "kernels");
    fs::copy(gen::paths::source() / "verif/traffic/vortex8_vecadd.txt.xz", work_ / "v.txt.xz");
  }

  void file(const std::string& name, const std::string& text) {
    gen::write_file_atomically(work_ / name, text);
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(work_.path()))
      if (entry.is_regular_file()) all[entry.path().string()] = gen::read_file(entry.path());
    return all;
  }

  void refused(const std::vector<std::string>& arguments, const std::string& what) {
    const auto before = contents();
    const gen::Finished done = verif::l1forge(arguments, work_.path());
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    EXPECT_THAT(done.output, HasSubstr(what));
    EXPECT_TRUE(contents() == before) << what;
  }

  gen::TempDir work_{"paths"};
};

TEST_F(CallPaths, CosimReplacesNoInput) {
  refused({"cosim", "l1d", "--verilog", "l1d.v", "--json", "l1d.v"},
          "--json l1d.v: would replace l1d.v, which --verilog reads; name another file");
  refused({"cosim", "unit.toml", "--json", "unit.toml"}, "which the unit's file reads");
  refused({"cosim", "unit.toml", "--verilog-coverage", "unit.toml"},
          "--verilog-coverage unit.toml: would replace unit.toml");
  refused({"cosim", "unit.toml", "--vcd", "unit.toml"}, "--vcd unit.toml: would replace unit.toml");
  refused({"cosim", "l1d", "--replay", "v.txt.xz", "--json", "v.txt.xz"}, "which --replay reads");
  refused({"cosim", "l1d", "--trace", "t.rec.xz", "--json", "t.rec.xz"}, "which --trace reads");
}

TEST_F(CallPaths, ExploreReplacesNoInput) {
  for (const char* flag : {"--dump", "--json", "--html"})
    refused({"explore", "l1d", "--requests", "list.txt", flag, "list.txt"}, "which --requests reads");
  refused({"explore", "unit.toml", "--trace", "t.rec.xz", "--json", "unit.toml"}, "would replace unit.toml");
  for (const char* flag : {"--json", "--html"})
    refused({"explore", "l1d", "--trace", "t.rec.xz", flag, "t.rec.xz"}, "which --trace reads");
}

TEST_F(CallPaths, AreaReplacesNoInput) {
  refused({"area", "index_cvi", "--liberty", "cells.lib", "--json", "cells.lib"}, "which --liberty reads");
  refused({"area", "index_cvi", "--macro", "cells.lib", "--svg", "cells.lib"}, "which --macro reads");
  refused({"area", "unit.toml", "--svg", "unit.toml"}, "would replace unit.toml");
}

TEST_F(CallPaths, TraceReplacesNoInput) {
  refused({"trace", "t.rec.xz", "-o", "t.rec.xz"}, "-o t.rec.xz: would replace t.rec.xz");
  refused({"trace", "t.rec.xz", "--json", "t.json"}, "would replace t.json");
}

TEST_F(CallPaths, FilesThatAnInputNamesAreInputs) {
  refused({"explore", "l1d", "--trace", "t.rec.xz", "--json", "t.json"}, "would replace t.json");
  refused({"explore", "l1d", "--trace", "kernels/kernelslist.g", "--json", "kernels/kernel-1.traceg.xz"},
          "would replace kernels/kernel-1.traceg.xz");
  refused({"explore", "l1d", "--trace", "kernels", "--json", "kernels/kernelslist.g"},
          "would replace kernels/kernelslist.g");
}

TEST_F(CallPaths, OneFileHasManyNames) {
  fs::create_symlink("list.txt", work_ / "soft");
  fs::create_hard_link(work_ / "list.txt", work_ / "hard");
  const std::vector<std::string> names{"./list.txt", "kernels/../list.txt", "soft", "hard",
                                       (work_ / "list.txt").string()};
  for (const std::string& name : names)
    refused({"explore", "l1d", "--requests", "list.txt", "--json", name}, "would replace list.txt");
}

TEST_F(CallPaths, ResultsAreApart) {
  refused({"explore", "l1d", "--requests", "list.txt", "--json", "x", "--html", "./x"},
          "--html ./x: is also the result of --json x; name another file");
  refused({"explore", "l1d", "--requests", "list.txt", "--json", "x", "--dump", "x"},
          "is also the result of");
  refused({"cosim", "l1d", "--vcd", "x.vcd", "--json", "x.gtkw"}, "is also the result of");
  refused({"cosim", "l1d", "--fst", "x.fst", "--json", "x.gtkw"}, "is also the result of");
}

TEST_F(CallPaths, GeneratedFilesReplaceNoInput) {
  file("l1d.json", "");
  fs::rename(work_ / "unit.toml", work_ / "l1d.f");
  refused({"gen", "./l1d.f", "-o", "."}, "which the unit's file reads");
}

TEST_F(CallPaths, ClaimsReplaceNothingThatTheyRead) {
  fs::create_directories(work_ / "cl/results");
  file("cl/results/t.csv", "kernel,slow\natax,200\n");
  file("cl/list.txt", "L 10000080 f\n");
  file("cl/other.toml",
       "paper = \"Q\"\n[claim.c]\nsection = \"1\"\nclaim = \"c\"\nkind = \"area\"\nvalue = \"1\"\n"
       "relation = \"equal\"\nexpected = 1\n");
  file("cl/c.toml",
       "paper = \"P\"\n[result.t]\nfile = \"results/t.csv\"\nrows = 1\ncommand = \"`l1forge explore`\"\n"
       "[result.r]\nrun = [\"explore\", \"l1d\", \"--requests\", \"list.txt\"]\n[claim.c]\nsection = \"1\"\n"
       "claim = \"c\"\nkind = \"area\"\nvalue = \"t.slow[atax]\"\nrelation = \"equal\"\nexpected = 200\n");
  fs::create_symlink("c.toml", work_ / "cl/soft");
  fs::create_hard_link(work_ / "cl/c.toml", work_ / "hard");
  for (const char* flag : {"-o", "--json", "--csv"})
    for (const char* name : {"cl/c.toml", "cl/../cl/soft", "hard"})
      refused({"claims", "cl", flag, name}, std::string(flag) + " " + name + ": would replace cl/c.toml");
  refused({"claims", "cl", "--paper", "P", "-o", "cl/other.toml"}, "would replace cl/other.toml");
  refused({"claims", "cl", "-o", "cl/results/t.csv"}, "results/t.csv, which cl/c.toml reads");
  refused({"claims", "cl", "--json", "cl/list.txt"}, "list.txt, which cl/c.toml reads");
  EXPECT_EQ(verif::l1forge({"claims", "cl", "-o", "cl/page.md"}, work_.path()).status, 0);
}

TEST_F(CallPaths, StudiesReplaceNothingThatTheyRead) {
  const std::string study =
      "[grid.g]\nunit = \"unit.toml\"\n[inputs]\ntraces = [\"study.csv\"]\n[measure.untimed]\n";
  file("study.csv", "L 10000080 f\n");
  file("s.toml", study);
  refused({"study", "s.toml", "-o", "."}, "study.csv, which the study reads; name another file");
  file("s.toml", study +
                     "[table.t]\nrows = \"inputs\"\ncolumns = \"g\"\ncell = \"1\"\nfile = "
                     "\"study.csv\"\n");
  refused({"study", "s.toml", "--pages"}, "--pages study.csv: would replace");
  fs::create_directory(work_ / "b");
  file("s.toml", study);
  file("b/s.toml", "[grid.g]\nunit = \"l1d\"\n[measure.random]\n");
  refused({"study", "s.toml", "b/s.toml"}, "is also the result of");
}

TEST_F(CallPaths, ImportReplacesNoOtherFile) {
  const std::string text = "S:64:128:4,L:L:m:N:X,A:64:8,8:0,32";
  refused({"import", text, "-o", "unit.toml"},
          "-o unit.toml: is there already; name another file, or replace it by --force");
  const auto import = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"import", text, "-o"});
    return verif::l1forge(arguments, work_.path()).status;
  };
  EXPECT_EQ(import({"new.toml"}), 0);
  const std::string written = gen::read_file(work_ / "new.toml");
  EXPECT_EQ(import({"new.toml"}), 0) << "nothing would change";
  EXPECT_EQ(import({"unit.toml", "--force"}), 0);
  EXPECT_EQ(gen::read_file(work_ / "unit.toml"), written);
}

TEST_F(CallPaths, FilesThatAreApartMayStandSideBySide) {
  file("x.json", "an older result\n");
  const gen::Finished done = verif::l1forge(
      {"explore", "l1d", "--requests", "list.txt", "--json", "x.json", "--dump", "x.txt"}, work_.path());
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(gen::read_file(work_ / "x.txt"), "M");
}

}  // namespace
