// Bad use and bad input: exit status 2, one clear line, nothing half-written.
#include <gmock/gmock.h>

#include <algorithm>

#include "gen/files.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

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

// Without tools on the path: what is refused is refused before anything is built.
TEST_F(BadInput, VerilogThatLacksPorts) {
  const auto none = [&](const std::string& text, const std::string& what) {
    file("index_cvi.v", text);
    refused({"cosim", "index_cvi", "--verilog", "index_cvi.v"}, "l1forge: --verilog index_cvi.v: " + what,
            {{"PATH", work_.path().string()}});
  };
  none("module index_cvi(input [24:0] block_address); /* set_index */ endmodule // tag\n",
       "module index_cvi lacks ports set_index, tag; it must have all that the generated one has");
  none("module index_cvi #(parameter N = 25) (block_address, tag);\n  output set_index;\nendmodule\n",
       "module index_cvi lacks port set_index; it must");
  none("module other(input block_address, output set_index, tag); endmodule\n", "has no module index_cvi");
  // Macros may name them; the build has the word.
  file("index_cvi.v", "`define PORTS block_address, set_index, tag\nmodule index_cvi(`PORTS); endmodule\n");
  refused({"cosim", "index_cvi", "--verilog", "index_cvi.v"}, "verilator: not found",
          {{"PATH", work_.path().string()}});
}

TEST_F(BadInput, RecordingsThatDoNotFit) {
  const auto none = [&](const std::vector<std::string>& settings, const std::string& text,
                        const std::string& what) {
    std::vector<std::string> arguments{"cosim", "l1d", "--replay", file("traffic.txt", text)};
    for (const auto& s : settings) arguments.insert(arguments.end(), {"-s", s});
    refused(arguments, what, {{"PATH", work_.path().string()}});
  };
  none({}, "Q 1 300 0 1000 1\nA 2 300 1 5\n", "traffic.txt:1:5: id 300 needs more than core.id_bits = 8");
  none({"geometry.address_bits=20"}, "R 1\nQ 1 0 0 100000 1\nA 2 0 1 5\n",
       "traffic.txt:2:9: address 0x100000 needs more than geometry.address_bits = 20");
  none({"geometry.line_bytes=64"}, "Q 1 0 0 1000 1\nA 2 0 1 5\n",
       "traffic.txt:1:1: holds requests for lines of 128 bytes; this cache has lines of 64");
  none({}, "Q 1 0 0 1000 1\nA 2 0 2 5\n", "traffic.txt:2:7: mask 2 answers a request whose");
  none({}, "", "traffic.txt: holds no request");
}

TEST_F(BadInput, FilesOfOtherKindsAreNamed) {
  const std::string list = file("list.txt", "L 80 f\n"), cores = file("cores.txt", "3 L 80 f\n"),
                    recording = file("recording.txt", "Q 1 0 0 1000 1\nA 2 0 1 5\n"),
                    kernel = file("kernel.traceg", "-kernel name = k\n");
  refused({"explore", "l1d", "--requests", cores},
          "cores.txt: this list of requests names cores, for a topology; one for a cache has \"L 80 f\"");
  refused({"explore", "dc_l1", "--requests", list},
          "list.txt: this list of requests names no cores, as one for a topology must: \"3 L 80 f\"");
  for (const std::string command : {"trace", "explore"}) {
    std::vector<std::string> arguments{command};
    if (command == "explore") arguments.insert(arguments.end(), {"l1d", "--trace"});
    arguments.push_back(recording);
    refused(arguments,
            "recording.txt: this is a recording of a cache's ports, which holds no trace; l1forge "
            "cosim --replay takes it");
  }
  refused({"explore", "l1d", "--requests", recording},
          "recording.txt: this is a recording of a cache's ports, not a list of requests");
  refused({"explore", "l1d", "--requests", kernel},
          "kernel.traceg: this is a .traceg, the trace of a kernel, not a list of requests");
  refused({"cosim", "l1d", "--replay", list},
          "list.txt: this is a list of requests, not a recording of a cache's ports");
}

TEST_F(BadInput, OtherCompressionsAreNamed) {
  const std::pair<const char*, std::string> files[] = {
      {"gzip", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3ab", 12)},
      {"zstd", std::string("\x28\xb5\x2f\xfd\x04\x58\0\0", 8)},
      {"bzip2", "BZh91AY&SY"}};
  for (const auto& [name, bytes] : files) {
    const std::string packed = file("packed", bytes),
                      what = std::string("packed: byte 0: the file is compressed by ") + name +
                             "; plain and .xz can be read: " + name + " -dc FILE | xz > FILE.xz";
    refused({"trace", packed}, what);
    refused({"explore", "l1d", "--trace", packed}, what);
    refused({"explore", "l1d", "--requests", packed}, what);
    refused({"cosim", "l1d", "--replay", packed}, what);
    refused({"cosim", "l1d", "--trace", packed}, what, {{"PATH", work_.path().string()}});
  }
}

// Before anything runs: the traces of these calls are not there either.
TEST_F(BadInput, ResultsThatCannotBeWrittenNameTheirFlag) {
  const std::string lost = ": cannot write no/such: no is not a folder";
  for (const std::string flag : {"--json", "--html"})
    refused({"explore", "l1d", "--trace", "none.rec", flag, "no/such"}, "l1forge: " + flag + lost);
  for (const std::string flag : {"--json", "--svg", "--vcd"})
    refused({"cosim", "l1d", "--trace", "none.rec", flag, "no/such"}, "l1forge: " + flag + lost);
  for (const std::string flag : {"--json", "--svg"})
    refused({"area", "l1d", flag, "no/such"}, "l1forge: " + flag + lost);
  refused({"trace", "none.rec", "-o", "no/such"}, "l1forge: -o" + lost);
  refused({"bench", "--json", "no/such"}, "l1forge: --json" + lost);
}

TEST_F(BadInput, TracesAreOpenedBeforeAnythingIsBuilt) {
  refused({"cosim", "l1d", "--trace", "none.rec"}, "none.rec: cannot open: No such file or directory",
          {{"PATH", work_.path().string()}});
}

// A default is right by itself: the flags have made it wrong.
TEST_F(BadInput, FlagsThatMakeADefaultWrongAreNamed) {
  refused(
      {"gen", "l1d", "-s", "geometry.ways=5"},
      "l1forge: l1d -s geometry.ways=5: geometry.capacity_bytes = 16384 (default): must be sets of 5 ways");
  refused({"gen", file("my.toml", "preset = \"mode_selector\"\n"), "-s", "index.sets=4"},
          "l1forge: my.toml -s index.sets=4: mode.kind = dueling (default): needs 8 sets or more");
  refused({"explore", "dc_l1", "-s", "topology.cores=100", "--trace", "none.rec"},
          "l1forge: dc_l1 -s topology.cores=100: topology.nodes = 40 (default): must divide the 100 cores");
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
  refused({"--frob"}, "l1forge: --frob: no such option before a command; see l1forge --help");
  refused({"claims", "--paper", ""}, "names no paper");
  refused({"gen", "index_pli", "--frobnicate"}, "--frobnicate");
  refused({"cosim", "index_pli", "--random", "-5"}, "--random");
  refused({"cosim", "index_pli", "--random", "5", "--trace", "x"}, "--");
  refused({}, "subcommand");
  refused({"describe"}, "--schema");
}

TEST_F(BadInput, TruncatedTrace) {
  const std::string whole = gen::read_file(gen::paths::source() / "verif/traces/atax256_first_warps.rec.xz");
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
