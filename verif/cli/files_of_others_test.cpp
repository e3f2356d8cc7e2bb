// Claims and studies that somebody else wrote are safe to run, with any names in them: no other program
// starts, nothing is written outside of their folder, and claims read nothing outside of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string list = "L 10000080 f\n";

// Folder "theirs" of the attacker, beside what is not theirs.
class FilesOfOthers : public testing::Test {
 protected:
  FilesOfOthers() {
    fs::create_directories(folder_.path("theirs/kernels"));
    fs::create_directories(folder_.path("traces"));
    for (const char* name : {"mine.txt", "theirs/list.txt", "traces/t.req"}) folder_.write(name, list);
    folder_.write("mine.toml", "preset = \"l1d\"\n");
    folder_.write("mine.csv", "kernel,a\nx,1\n");
    folder_.write("theirs/evil.sh", "#!/bin/sh\ntouch " + folder_.path("started") + "\n");
    fs::permissions(folder_.path("theirs/evil.sh"), fs::perms::all);
    folder_.write("theirs/kernels/kernelslist.g", "kernel-1.traceg\n");
    fs::create_symlink("../../mine.txt", folder_.path("theirs/kernels/kernel-1.traceg"));
    folder_.write("theirs/kernels/own.toml", "preset = \"l1d\"\n");
    folder_.write("theirs/l1d.v", "module l1d; endmodule\n");
    fs::create_symlink("..", folder_.path("theirs/up"));
    fs::create_symlink("../mine.txt", folder_.path("theirs/link.txt"));
    fs::create_symlink("../mine.svg", folder_.path("theirs/link.svg"));
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      all[entry.path().string()] = entry.is_regular_file() ? gen::read_file(entry.path()) : "";
    return all;
  }

  // Status 2 and one line that says so, with a position in the file; nothing is there that was not before.
  void refused(const std::string& file, const std::string& text, const std::vector<std::string>& arguments,
               const std::string& what) const {
    folder_.write(file, text);
    const auto before = contents();
    const gen::Finished done = verif::l1forge(arguments, folder_.path());
    EXPECT_EQ(done.status, 2) << text << done.output;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    EXPECT_THAT(done.output, HasSubstr(file + ":"));
    EXPECT_THAT(done.output, HasSubstr(what)) << text;
    EXPECT_TRUE(contents() == before) << text;
  }

  void claims(const std::string& result, const std::string& what) const {
    refused("theirs/c.toml",
            "paper = \"P\"\n[result.r]\n" + result +
                "\n[claim.c]\nsection = \"1\"\nclaim = \"c\"\nkind = \"area\"\n"
                "relation = \"equal\"\nexpected = 1\n"
                "value = \"r.x\"\n",
            {"claims", "theirs", "--traces", "traces"}, what);
  }
  void run(const std::string& words, const std::string& what) const { claims("run = [" + words + "]", what); }

  void study(const std::string& more, const std::string& what) const {
    refused("theirs/s.toml",
            "[grid.g]\nunit = \"l1d\"\n[inputs]\ntraces = [\"list.txt\"]\n[measure.untimed]\n" + more,
            {"study", "theirs/s.toml", "--jobs", "1", "--pages", "-o", "study"}, what);
  }

  verif::TempFolder folder_;
};

const std::string alone = "claims run explore, cosim, area, diff, trace alone";
const std::string no_option = "is no option that claims may have";
const std::string outside = "does not lie below";

TEST_F(FilesOfOthers, ClaimsRunNoOtherCommand) {
  run(R"("bench", "l1d", "--beside", "evil.sh")", "bench: " + alone);
  run(R"("claims", ".")", "claims: " + alone);
  run(R"("study", "s.toml")", alone);
  run(R"("gen", "l1d", "-o", "../out")", alone);
  run(R"("import", "S:64:128:4,L:L:m:N:X,A:64:8,8:0,32", "-o", "../mine.toml", "--force")", alone);
  run(R"("list", "--json", "../mine.txt")", alone);
  run(R"("/bin/sh", "evil.sh")", alone);
  run(R"("--version")", alone);
  run(R"("")", "must be a list of strings");
  run(R"("explore", "--help")", "asks for help");
}

TEST_F(FilesOfOthers, ClaimsWriteNothing) {
  const std::string explore = R"("explore", "l1d", "--requests", "list.txt", )";
  for (const char* option : {"--html", "--json", "--csv", "--dump"})
    run(explore + '"' + option + R"(", "../pwn.html")", option + (": " + no_option));
  run(explore + R"("--html=pwn.html")", "--html: " + no_option);
  const std::string cosim = R"("cosim", "l1d", "--random", "100", )";
  for (const char* option : {"--vcd", "--fst", "--svg", "--json", "--verilog-coverage"})
    run(cosim + '"' + option + R"(", "pwn.vcd")", option + (": " + no_option));
  run(R"("trace", "list.txt", "-o", "pwn.req")", "--out: " + no_option);
  run(R"("area", "index_cvi", "--svg", "../pwn.svg")", "--svg: " + no_option);
  run(R"("diff", "l1d", "l1d_tsc", "--json", "../mine.txt")", "--json: " + no_option);
  run(R"("explore", "l1d", "--scheduler", "--html=pwn.html", "--requests", "list.txt")", "--scheduler: ");
}

TEST_F(FilesOfOthers, ClaimsBringNoVerilogOfTheirOwn) {
  run(R"("cosim", "l1d", "--random", "100", "--verilog", "l1d.v")", "--verilog: " + no_option);
}

TEST_F(FilesOfOthers, ClaimsReadBelowTheirFolder) {
  const std::string explore = R"("explore", "l1d", "--requests", )";
  for (const std::string& name :
       {std::string("../mine.txt"), folder_.path("mine.txt"), std::string("up/mine.txt"),
        std::string("link.txt"), std::string("kernels/../../mine.txt"), std::string("/dev/zero")})
    run(explore + '"' + name + '"', outside);
  run(R"("explore", "../mine.toml", "--requests", "list.txt")", outside);
  run(R"("explore", "l1d", "--memory", "../mine.toml", "--trace", "list.txt")", outside);
  run(R"("explore", "l1d", "--system", "../mine.toml", "--trace", "builtin:nw?n=64")", outside);
  run(R"("trace", "../mine.txt")", outside);
  run(R"("trace", "TRACES/../mine.txt")", outside);
  run(R"("trace", "list.txt", "../mine.txt?accesses=1")", outside);
  run(R"("explore", "l1d", "--trace", "kernels/kernelslist.g")", outside);
  run(R"("area", "index_cvi", "--liberty", "../mine.txt")", outside);
  run(R"("cosim", "l1d", "--replay", "../mine.txt")", outside);
  run(R"("diff", "l1d", "../mine.toml")", outside);
  claims("file = \"../mine.csv\"\nrows = 1\ncommand = \"`x`\"", outside);
  claims("unit = \"../mine.toml\"", outside);
}

TEST_F(FilesOfOthers, WhatClaimsMayDoTheyCan) {
  const auto runs = [&](const std::string& words) {
    folder_.write("theirs/c.toml", "paper = \"P\"\n[result.r]\nrun = [" + words +
                                       "]\n[claim.c]\nsection = \"1\"\nclaim = \"c\"\nkind = \"area\"\n"
                                       "relation = \"equal\"\n"
                                       "expected = 1\nvalue = \"1\"\n");
    const gen::Finished done = verif::l1forge({"claims", "theirs", "--traces", "traces"}, folder_.path());
    EXPECT_EQ(done.status, 0) << done.output;
  };
  runs(
      R"("explore", "-s", "geometry.ways=8", "kernels/own.toml", "l1d", "--requests", "./list.txt", "--untimed")");
  runs(R"("explore", "l1d", "--untimed", "--trace", "builtin:nw?n=64", "builtin:nw?n=32", "--sms=2")");
  runs(R"("explore", "l1d", "--system", "fermi_tsc", "--trace", "builtin:nw?n=32")");
  runs(R"("trace", "TRACES/t.req", "list.txt")");
  runs(R"("diff", "l1d", "kernels/own.toml", "-s", "geometry.ways=8")");
}

TEST_F(FilesOfOthers, StudiesWriteBelowTheirFolder) {
  const std::string plot = "[pareto.p]\ncost = \"bits\"\nvalue = \"untimed.misses\"\npicture = ";
  for (const std::string& name :
       {std::string("../pwn.svg"), folder_.path("pwn.svg"), std::string("up/pwn.svg"),
        std::string("link.svg"), std::string("kernels/../../mine.svg")})
    study(plot + '"' + name + "\"\n", "must lie below theirs");
  study(plot + "\"evil.sh\"\n", "must end in .svg");
  const std::string table = "rows = \"inputs\"\ncolumns = \"g\"\ncell = \"1\"\n";
  study("[table.t]\nfile = \"../mine.csv\"\n" + table, "must lie below theirs");
  study("[table.t]\nfile = \"" + folder_.path("mine.csv") + "\"\n" + table, "must lie below theirs");
  study("[table.t]\nfile = \".bashrc\"\n" + table, "must end in .csv");
  study("[table.\"" + folder_.path("pwn") + "\"]\n" + table, "must be called by letters, digits, _ and -");
  study("[table.\"up/pwn\"]\n" + table, "must be called by letters, digits, _ and -");
  folder_.write("mine.md", "<!-- table s/t -->\n<!-- /table -->\n");
  folder_.write("theirs/s.toml", "");
  refused("theirs/s.toml",
          "pages = [\"../mine.md\"]\n[grid.g]\nunit = \"l1d\"\n[measure.random]\n[table.t]\n" + table,
          {"study", "theirs/s.toml", "--pages"}, "must lie below theirs");
}

TEST_F(FilesOfOthers, StudiesGiveCommandsNoOtherOptions) {
  const std::string more = "[measure.timed]\n";
  study(more + "scheduler = \"--html=" + folder_.path("pwn.html") + "\"\n", "measure.timed.scheduler = ");
  study(more + "sms = \"4 --html=pwn.html\"\n", "measure.timed.sms = ");
  study("[measure.random]\ncycles = \"--vcd=pwn.vcd\"\n", "measure.random.cycles = ");
  study("[measure.area]\norders = \"; touch pwn\"\n", "measure.area.orders = ");
}

}  // namespace
