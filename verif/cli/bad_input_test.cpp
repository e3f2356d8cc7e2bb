// Bad use and bad input: exit status 2, one clear line, nothing half-written.
#include <gmock/gmock.h>

#include <algorithm>

#include "gen/files.h"
#include "verif/cli/run_l1forge.h"

namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class BadInput : public testing::Test {
 protected:
  // The command fails with one line that says `what`, and leaves the folder as it was.
  void refused(const std::vector<std::string>& arguments, const std::string& what,
               std::vector<std::pair<std::string, std::string>> environment = {}) {
    const auto before = names();
    const gen::Finished done = verif::l1forge(arguments, work_.path(), std::move(environment));
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    EXPECT_THAT(done.output, testing::StartsWith("l1forge: "));
    EXPECT_THAT(done.output, HasSubstr(what));
    EXPECT_EQ(names(), before);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(work_.path()))
      out.push_back(entry.path().string());
    std::ranges::sort(out);
    return out;
  }

  std::string file(const std::string& name, const std::string& text) {
    gen::write_file_atomically(work_ / name, text);
    return name;
  }

  gen::TempDir work_{"cli"};
};

TEST_F(BadInput, UnknownKey) {
  refused({"gen", file("a.toml", "preset = \"index_pli\"\n[index]\nsetts = 64\n")}, "a.toml:3:1: ");
  refused({"gen", "index_pli", "-s", "index.setts=64"}, "index.setts");
}

TEST_F(BadInput, WrongType) {
  refused({"gen", file("a.toml", "preset = \"index_pli\"\nindex.sets = \"many\"\n")}, "a.toml:2:14: ");
}

TEST_F(BadInput, NoSets) { refused({"gen", "index_cvi", "-s", "index.sets=0"}, "index.sets = 0"); }

TEST_F(BadInput, OneSet) { refused({"gen", "index_cvi", "-s", "index.sets=1"}, "index.sets = 1"); }

TEST_F(BadInput, NumbersOfOptions) {
  for (const char* seed : {"-1", "", "010", "0x10", "12345678901234567890123", "1.5", " 1"})
    refused({"cosim", "index_cvi", "--seed", seed}, "is not a whole number from 0 to 18446744073709551615");
}

TEST_F(BadInput, EmptyPaths) {
  refused({"explore", "l1d", "--trace", "builtin:atax", "--json", ""}, "names no file");
  refused({"cosim", "index_cvi", "--vcd", ""}, "names no file");
  refused({"area", "index_cvi", "--liberty", ""}, "names no file");
}

TEST_F(BadInput, TwoFilesOfOneName) {
  fs::create_directory(work_ / "a");
  file("index_cvi.v", "module index_cvi; endmodule\n");
  file("a/index_cvi.v", "module index_cvi; endmodule\n");
  refused({"cosim", "index_cvi", "--verilog", "index_cvi.v", "a/index_cvi.v"},
          "--verilog a/index_cvi.v: a second index_cvi.v; give one");
}

TEST_F(BadInput, SetsThatLeaveNoTag) {
  refused({"gen", "index_cvi", "-s", "geometry.address_bits=20", "-s", "geometry.line_bytes=256", "-s",
           "index.sets=4096"},
          "index.sets = 4096: leaves no tag bit of the 12-bit block address; use at most 2048 sets or more "
          "address bits");
}

TEST_F(BadInput, ReduciblePolynomial) {
  refused({"gen", "index_pli", "-s", "index.poly=0x21"}, "x^5 + 1 is reducible, it has the factor x + 1");
}

TEST_F(BadInput, SingularMatrix) {
  refused(
      {"gen", file("lin.toml", "preset = \"index_lin\"\n[index]\nsets = 4\ntaps = [[7, 8], [7, 8, 20]]\n")},
      "lists 0, 1: sum to nothing over A7..A8");
}

TEST_F(BadInput, OtherShapesOfRxi) {
  refused({"gen", "index_rxi", "-s", "index.sets=64"}, "rxi is published for 32 sets only");
}

TEST_F(BadInput, UnwritableFolder) {
  refused({"gen", "index_pli", "-o", "/dev/null/out"}, "/dev/null/out: cannot create the folder");
  refused({"gen", "index_pli", "-o", file("taken", "a file\n")}, "taken");
}

TEST_F(BadInput, FolderWithForeignVerilog) {
  fs::create_directory(work_ / "mine");
  file("mine/design.v", "module design; endmodule\n");
  refused({"gen", "index_pli", "-o", "mine"}, "mine: already holds design.v, which l1forge did not write");
}

TEST_F(BadInput, FilesThatGenDidNotWrite) {
  fs::create_directory(work_ / "mine");
  file("mine/index_pli.v", "// mine\n");
  refused({"gen", "index_pli", "-o", "mine"}, "mine: already holds index_pli.v, which l1forge did not write");
  EXPECT_EQ(gen::read_file(work_ / "mine/index_pli.v"), "// mine\n");
  fs::create_directories(work_ / "deep/down");
  file("deep/down/other.v", "module other; endmodule\n");
  refused({"gen", "index_pli", "-o", "deep"}, "deep: already holds down/other.v");
}

TEST_F(BadInput, NumbersThatDoNotFit) {
  refused({"cosim", "index_pli", "--random", "99999999999999999999"},
          "is not a whole number from 1 to 1000000000000");
  refused({"area", "index_pli", "--clock-ns", "nan"}, "nan is not a period from 0.001 to 1000000 ns");
}

TEST_F(BadInput, UnknownCommand) {
  refused({"desrcibe"}, "desrcibe: no such command, did you mean describe?");
}

TEST_F(BadInput, OneNameForTwoResults) {
  refused({"cosim", "index_pli", "--vcd", "a.vcd", "--json", "a.vcd"},
          "--vcd a.vcd: is also the result of --json a.vcd");
}

TEST_F(BadInput, MissingFileAndUnknownPreset) {
  refused({"gen", "none.toml"}, "none.toml");
  refused({"gen", "index_plli"}, "index_pli");
}

TEST_F(BadInput, OptionsThatDoNotExistOrExclude) {
  refused({"gen", "index_pli", "--frobnicate"}, "--frobnicate");
  refused({"cosim", "index_pli", "--random", "-5"}, "--random");
  refused({"cosim", "index_pli", "--random", "5", "--trace", "x"}, "--");
  refused({}, "subcommand");
  refused({"describe"}, "--schema");
}

TEST_F(BadInput, TruncatedTrace) {
  const std::string whole =
      gen::read_file(fs::path(L1FORGE_SOURCE_DIR) / "verif/traces/atax256_first_warps.rec.xz");
  refused({"cosim", "index_pli", "--trace", file("cut.rec.xz", whole.substr(0, whole.size() / 2))},
          "cut.rec.xz");
  refused({"cosim", "index_pli", "--trace", file("cut.rec", std::string(20, '\1'))}, "cut.rec");
  refused({"cosim", "index_pli", "--trace", "none.rec"}, "none.rec");
}

TEST_F(BadInput, RecordedCacheTrafficNeedsACache) {
  refused({"cosim", "index_pli", "--replay", "any.txt.xz"}, "index_pli is an index unit");
}

TEST_F(BadInput, MissingTools) {
  fs::create_directory(work_ / "empty");
  const std::vector<std::pair<std::string, std::string>> no_path{{"PATH", (work_ / "empty").string()}};
  refused({"area", "index_pli"}, "yosys", no_path);
  // Of a seed that no other run has built.
  refused({"cosim", "index_pli", "-s", "name=never_built_before"}, "verilator", no_path);
}

TEST_F(BadInput, UnwritableResults) {
  refused({"cosim", "index_pli", "--json", "/dev/null/x.json"}, "/dev/null/x.json");
  refused({"cosim", "index_pli", "--vcd", "/dev/null/x.vcd"}, "/dev/null/x.vcd");
  refused({"area", "index_pli", "--json", "/dev/null/x.json"}, "/dev/null/x.json");
}

}  // namespace
