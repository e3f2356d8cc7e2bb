// Accel-Sim traces: every form of an instruction line, its traps, the blocks around it, and every complaint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden/trace/traceg/traceg_opcode.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/trace/traceg_text.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using verif::traceg;
using verif::traceg_block;
using verif::traceg_header;
using verif::traceg_warp;

class TracegTest : public testing::Test {
 protected:
  std::vector<std::string> read(const std::string& text) {
    const auto content = verif::read_source(folder_.write("k.traceg", text));
    EXPECT_EQ(content.error, "");
    return verif::texts(content.records);
  }
  std::vector<std::string> lines(const std::vector<std::string>& lines, const std::string& version = "5",
                                 const std::string& more = "") {
    return read(traceg(lines, version, more));
  }
  // What is said about the file, without its name.
  std::string error(const std::string& text) {
    const std::string path = folder_.write("k.traceg", text);
    const std::string all = verif::read_source(path).error;
    return all.starts_with(path + ":") ? all.substr(path.size() + 1) : "elsewhere: " + all;
  }
  // About the only instruction of a file.
  std::string line_error(const std::string& line, const std::string& version = "5") {
    const std::string all = error(traceg({line}, version));
    return all.starts_with("17:") ? all.substr(3) : "elsewhere: " + all;
  }
  verif::TempFolder folder_;
};

TEST_F(TracegTest, TheExampleOfTheFormat) {
  EXPECT_THAT(lines({"0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0 ",
                     "0050 0000000d 1 R5 LDG.E.64.SYS 1 R6 8 2 0x7f2a30001000 256 -64 0 ",
                     "0060 00000100 0 STG.E.SYS 2 R8 R4 4 2 0x7f2a30002020 0 ",
                     "0070 00000000 0 STG.E.SYS 2 R8 R4 4 1 0x0 0 0 ", "0080 ffffffff 0 EXIT 0 0 0 "}),
              ElementsAre("load 8 0000000d: 7f2a30001000 7f2a30001100 7f2a300010c0",
                          "store 4 00000100: 7f2a30002020"));
}

TEST_F(TracegTest, ModesWithAndWithoutImmediate) {
  for (const char* immediate : {"", " 0", " -5", " 123"}) {
    const std::string i = immediate;
    for (const char* version : {"4", "5"})
      EXPECT_THAT(
          lines({"0 f 1 R1 LDG.E 1 R2 4 0 0x0000000000000010 0x0000000000000020 0x80 0x01fffffffffffff0" + i,
                 "10 f0 1 R1 LDG.E 1 R2 4 1 0x1000 -4" + i, "20 f0 1 R1 LDG.E 1 R2 4 1 0x1000 0" + i,
                 "30 11 1 R1 LDG.E 1 R2 4 2 0x1000 -256" + i, "40 80000000 1 R1 LDG.E 1 R2 4 2 0x40" + i,
                 "50 0 1 R1 LDG.E 1 R2 4 1 0x0 0" + i, "60 0 1 R1 LDG.E 1 R2 4 2 0x0" + i},
                version),
          ElementsAre("load 4 0000000f: 10 20 80 1fffffffffffff0", "load 4 000000f0: 1000 ffc ff8 ff4",
                      "load 4 000000f0: 1000 1000 1000 1000", "load 4 00000011: 1000 f00",
                      "load 4 80000000: 40"));
  }
}

TEST_F(TracegTest, VersionsDifferInFrontOfThePc) {
  for (const char* version : {"1.2", "2", "0"})
    EXPECT_THAT(lines({"0 0 0 1 0010 3 1 R1 LDG.E 1 R2 4 1 0x80 4 "}, version),
                ElementsAre("load 4 00000003: 80 84"));
  EXPECT_THAT(read("-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#\n" +
                   traceg_block("0,0,0", traceg_warp(0, {"0 0 0 1 0010 3 1 R1 LDG.E 1 R2 4 1 0x80 4"}))),
              ElementsAre("load 4 00000003: 80 84"));
  EXPECT_THAT(lines({"0010 3 1 R1 LDG.E 1 R2 4 1 0x80 4 "}, "3"), ElementsAre("load 4 00000003: 80 84"));
  EXPECT_THAT(lines({"77 0010 3 1 R1 LDG.E 1 R2 4 1 0x80 4 0"}, "4", "-enable lineinfo = 1"),
              ElementsAre("load 4 00000003: 80 84"));
}

// Version 3 before November 2020: the mask leaves out predicated lanes, the list does not.
TEST_F(TracegTest, ListsLongerThanTheMask) {
  const std::string mov = "0 ffffffff 1 R1 MOV 0 0";
  std::string deltas, list;
  for (int i = 0; i < 32; ++i) {
    if (i > 0) deltas += i == 7 ? " 100" : " 4";
    list += fmt::format(" 0x{:x}", 0x100 + 8 * i);
  }
  EXPECT_THAT(lines({mov, "10 80000081 1 R1 LDG.E 1 R2 4 2 0x1000" + deltas,
                     "20 81 1 R1 LDG.E 1 R2 4 0" + list, "30 0 1 R1 LDG.E 1 R2 4 2 0x80 4 4"},
                    "3"),
              ElementsAre("load 4 80000081: 1000 107c 10dc", "load 4 00000081: 100 138"));
  const std::string lost =
      ": whose they are is lost (tracers before November 2020 list predicated lanes too); trace again with a "
      "newer one";
  EXPECT_EQ(error(traceg({mov, "10 3 1 R1 LDG.E 1 R2 4 2 0x1000 4 4"}, "3")),
            "18:24: 3 addresses for the 2 lanes of mask 00000003" + lost);
  EXPECT_EQ(error(traceg({mov, "10 5 1 R1 LDG.E 1 R2 4 1 0x1000 4"}, "3")),
            "18:24: a stride over mask 00000005" + lost);
  // Lines without addresses show an immediate, else there being just one number more.
  EXPECT_THAT(lines({"0 ffffffff 1 R1 MOV 0 0 0", "10 3 1 R1 LDG.E 1 R2 4 2 0x1000 4 4"}, "3"),
              ElementsAre("load 4 00000003: 1000 1004"));
  EXPECT_THAT(lines({"10 3 1 R1 LDG.E 1 R2 4 2 0x1000 4 4"}, "3"), ElementsAre("load 4 00000003: 1000 1004"));
  EXPECT_EQ(line_error("10 5 1 R1 LDG.E 1 R2 4 1 0x1000 4 0"),
            "4: mask is 00000005, must be one run of lanes with a stride");
}

TEST_F(TracegTest, OnlyWhatReachesAnL1) {
  EXPECT_THAT(
      lines({"0 1 1 R1 LDS.U.64 1 R2 8 2 0x80 0", "0 1 0 STS 2 R1 R2 4 2 0x80 0",
             "0 1 1 R1 ATOMS.ADD 2 R1 R2 4 2 0x80 0", "0 1 1 R1 LDSM.16.M88.4 1 R2 2 2 0x80 0",
             "0 1 1 R1 LDC 1 R2 4 2 0x80 0", "0 1 0 CCTL.E.PF1 1 R2 4 2 0x80 0",
             "0 ffffffff 0 LDGDEPBAR 0 0 0", "0 ffffffff 0 BAR.ARV 0 0 0",
             "0 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0", "0 00000000 0 BAR.SYNC 0 0 0",
             // generic: shared, global, the two mixed
             "0 3 1 R1 LD.E 1 R2 4 1 0x7f0000000000 4 0", "0 3 0 ST.E.U8 2 R1 R2 1 2 0x7f0000ffffff 1 0",
             // an asynchronous copy, with its shared address and without
             "0 1 0 LDGSTS.E.BYPASS.LTC128B.128 2 R1 R2 16 2 0x7f0000000100 0",
             "0 1 0 LDGSTS.E.BYPASS.LTC128B.128 2 R1 R2 16 2 0x100 0",
             "0 1 0 LDGSTS.E.BYPASS.LTC128B.128 2 R1 R2 16 2 0x7a0000000100 0"}),
      ElementsAre("barrier", "store 1 00000002: 7f0001000000", "load 16 00000001: 7a0000000100"));
}

TEST_F(TracegTest, LocalMemoryIsInterleavedByThread) {
  // The grid has 12 CTAs of 64 threads: 768 words for each word of a thread.
  const auto local = [](int word, int thread, int byte = 0) {
    return fmt::format("{:x}", 0x7e0000000000 + 4 * (word * 768 + thread) + byte);
  };
  const std::string text =
      traceg_header() +
      traceg_block("1,0,0", traceg_warp(1, {"0 3 1 R1 LDL 1 R2 4 1 0x7e0000000010 0 0",
                                            "0 2 0 STL.U8 2 R1 R2 1 2 0x13 0",
                                            "0 1 1 R1 LDL.64 1 R2 8 2 0x7e0000000010 0",
                                            "0 3 1 R1 LD.E 1 R2 4 2 0x7e0000000008 256 0"}));
  EXPECT_THAT(read(text), ElementsAre("load 4 00000003: " + local(4, 96) + " " + local(4, 97),
                                      "store 1 00000002: " + local(4, 97, 3),
                                      "load 4 00000001: " + local(4, 96), "load 4 00000001: " + local(5, 96),
                                      "load 4 00000003: " + local(2, 96) + " " + local(66, 97)));
}

TEST(TracegOpcode, KindsAndTrueWidths) {
  using golden::AccessKind;
  const auto check = [](const char* opcode, AccessKind kind, int bytes) {
    const auto found = golden::traceg_opcode(opcode);
    EXPECT_EQ(found.what, golden::TracegOpcode::What::access) << opcode;
    EXPECT_EQ(found.kind, kind) << opcode;
    EXPECT_EQ(found.bytes, bytes) << opcode;
  };
  check("LDG.E.SYS", AccessKind::load, 4);
  check("LDG", AccessKind::load, 4);
  check("LDG.E.U8.CONSTANT.SYS", AccessKind::load, 1);
  check("LDG.E.S8", AccessKind::load, 1);
  check("LDG.E.S16.SYS", AccessKind::load, 2);
  check("LDG.E.U16", AccessKind::load, 2);
  check("LDG.E.64.CONSTANT", AccessKind::load, 8);
  check("LDG.E.LTC128B.128.CONSTANT", AccessKind::load, 16);
  check("LDG.E.128.STRONG.GPU", AccessKind::non_l1, 16);
  check("LDG.E.STRONG.SYS", AccessKind::load, 4);
  check("LD.E.64.STRONG.GPU", AccessKind::non_l1, 8);
  check("STG.E.STRONG.GPU", AccessKind::store, 4);
  check("ATOMG.E.ADD.STRONG.GPU", AccessKind::atomic, 4);
  check("ATOM.E.CAS.64.STRONG.GPU", AccessKind::atomic, 8);
  check("RED.E.ADD.F64.RN.STRONG.GPU", AccessKind::atomic, 8);
  check("RED.E.ADD.F16x2.RN.STRONG.GPU", AccessKind::atomic, 4);
  check("LDGSTS.E.BYPASS.LTC128B.128", AccessKind::load, 16);
  check("LDGSTS.E.64", AccessKind::load, 8);
  for (const char* none :
       {"LDS.128", "REDUX.SUM", "ARRIVES.LDGSTSBAR.64", "SULD.P", "CCTL.IVALL", "LDGDEPBAR"})
    EXPECT_EQ(golden::traceg_opcode(none).what, golden::TracegOpcode::What::none) << none;
  for (const char* unknown : {"MOV", "", ".", "LDX.E", "LGD.E", "FROB.64"})
    EXPECT_EQ(golden::traceg_opcode(unknown).what, golden::TracegOpcode::What::unknown) << unknown;
}

TEST_F(TracegTest, HeadersAndBlocksInAnyOrder) {
  const std::string load = "0 1 1 R1 LDG.E 1 R2 4 2 0x80 0";
  const std::string path = folder_.write(
      "k.traceg",
      "\n-accelsim tracer version = 5\n\n-something new = = 3\n-no value\n-block dim = (8,2,5)\n"
      "-shmem base_addr = 0x10000000\n-shmem = 99\n-grid dim = (2,3,4)\r\n-kernel name = a b = c \n"
      "#\n\n\n" +
          traceg_block("1,2,3", "cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n" +
                                    traceg_warp(2, {load}) + traceg_warp(1, {}) +
                                    traceg_warp(0, {"", load, "   "}).replace(9, 9, "insts = 1")) +
          traceg_block("1,0,0", traceg_warp(0, {load})) + traceg_block("0,0,0", ""));
  const auto content = verif::read_source(path);
  EXPECT_EQ(content.error, "");
  ASSERT_EQ(content.kernels.size(), 1u);
  EXPECT_EQ(content.kernels[0].name, "a b = c");
  EXPECT_THAT(content.kernels[0].grid, ElementsAre(2, 3, 4));
  EXPECT_THAT(content.kernels[0].block, ElementsAre(8, 2, 5));
  EXPECT_EQ(content.kernels[0].warps_per_cta(), 3u);
  std::vector<std::pair<int, int>> places;
  for (const auto& record : content.records) places.emplace_back(record.cta, record.warp);
  EXPECT_THAT(places, ElementsAre(std::pair(23, 2), std::pair(23, 0), std::pair(1, 0)));
}

TEST_F(TracegTest, RefusesBrokenLines) {
  const auto check = [&](const char* line, const char* reason) {
    EXPECT_EQ(line_error(line), reason) << line;
  };
  check("0", "2: the line ends before its mask");
  check("xyz f 0 MOV 0 0 0", "1: PC is \"xyz\", must be a hex number of at most 32 bits");
  check("0 1ffffffff 0 MOV 0 0 0", "3: mask is \"1ffffffff\", must be a hex number of at most 32 bits");
  check("0 f x MOV 0 0 0",
        "5: number of destination registers is \"x\", must be a decimal number of at most 8 bits");
  check("0 f 1 MOV 0 0 0", "7: destination register is \"MOV\", must be R and a number");
  check("0 f 0 MOV 2 R1 Rx 0 0", "16: source register is \"Rx\", must be R and a number");
  check("0 f 0 MOV 0 -1 0", "13: width is \"-1\", must be a decimal number of at most 32 bits");
  check("0 f 0 MOV 0 0 0 0", "17: \"0\" follows the end of the instruction");
  check("0 f 0 MOV 0 0 x", "15: immediate is \"x\", must be a decimal number of at most 63 bits");
  check("0 f 1 R1 LDG 0 4 3 0x0", "18: address mode is 3, must be 0 (list), 1 (stride) or 2 (deltas)");
  check("0 f 1 R1 LDG 0 4 1 0x0", "23: the line ends before its stride");
  check("0 f 1 R1 LDG 0 4 1 0xg 0", "20: base address is \"0xg\", must be a hex number of at most 64 bits");
  check("0 f 1 R1 LDG 0 4 2 0x80 4 4", "18: 3 addresses for the 4 lanes of mask 0000000f");
  check("0 f 1 R1 LDG 0 4 0 0x80 0x84 0x88 0", "18: 3 addresses for the 4 lanes of mask 0000000f");
  check("0 3 1 R1 LDG 0 4 2 0x80 4 4 4", "29: \"4\" follows the end of the instruction");
  check("0 3 1 R1 LDG 0 4 2 0x80 0x4 0", "25: delta is \"0x4\", must be a decimal number of at most 63 bits");
  check("0 3 1 R1 LDG 0 4 1 0x1fffffffffffffc 4 0",
        "18: address is 0x200000000000000, must have at most 57 bits");
  for (const std::string opcode : {"LDX.E", "LGD.E", "FROB.64", "MOV"})
    check(("0 1 1 R1 " + opcode + " 0 4 2 0x80 0").c_str(),
          ("10: \"" + opcode + "\" has addresses, but is no memory instruction known here").c_str());
}

TEST_F(TracegTest, RefusesBrokenHeaders) {
  const std::string dims = "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n";
  EXPECT_EQ(error("-kernel name = k\n"), "1:17: the trace ends inside its header");
  EXPECT_EQ(error("-kernel name = k\nthread\n"),
            "2:1: \"thread\" stands in the header, which has lines \"-key = value\" up to one with #");
  EXPECT_EQ(error("-block dim = (32,1,1)\n#\n"), "2:1: the header has no grid dim of at least (1,1,1)");
  EXPECT_EQ(error("-grid dim = (1,1,1)\n#\n"), "2:1: the header has no block dim of at least (1,1,1)");
  EXPECT_EQ(error("-grid dim = (1,1)\n"), "1:13: grid dim is \"(1,1)\", must be three numbers: x,y,z");
  EXPECT_EQ(error("-grid dim = (1,1,1,1)\n"),
            "1:13: grid dim is \"(1,1,1,1)\", must be three numbers: x,y,z");
  EXPECT_EQ(error("-grid dim = (65536,65536,2)\n-block dim = (1,1,1)\n#\n"),
            "3:1: grid dim is (65536,65536,2), must have at most 4294967296 CTAs");
  EXPECT_EQ(error("-grid dim = (1,1,1)\n-block dim = (1024,2,1)\n#\n"),
            "3:1: block dim is (1024,2,1), must have at most 1024 threads");
  EXPECT_EQ(error(dims + "-accelsim tracer version = 6\n"),
            "3:28: accelsim tracer version is \"6\", must be 1.2 to 5: later ones cannot be read");
  EXPECT_EQ(error(dims + "-local mem base_addr = 0x200000000000000\n"),
            "3:24: the base address must have at most 57 bits");
  EXPECT_EQ(error(dims + "-accelsim tracer version = new\n"),
            "3:28: accelsim tracer version is \"new\", must be a decimal number of at most 16 bits");
  const std::string binary = "this is a binary .tracez, which cannot be read; write .traceg instead";
  EXPECT_EQ(error(dims + std::string("-x = 1\n\0\1\2", 10)), "4:1: " + binary);
  EXPECT_EQ(error(dims + std::string("-x = 1\0\1\2\n", 10)), "3:1: " + binary);
  EXPECT_EQ(error(dims + "#" + std::string(300000, 'x')), "3:262145: the line is longer than 262144 bytes");
}

TEST_F(TracegTest, RefusesBrokenBlocks) {
  const std::string head = traceg_header();  // 10 lines
  const auto check = [&](const std::string& text, const std::string& reason) {
    EXPECT_EQ(error(head + text), reason) << text;
  };
  const std::string begin = "#BEGIN_TB\nthread block = 0,0,0\n";
  check("0 f 0 MOV 0 0 0\n",
        "11:1: \"0 f 0 MOV 0 0 0\" stands where #BEGIN_TB must; a raw .trace needs the post-processor first");
  check("#BEGIN_TB\n", "11:10: the trace ends inside a thread block: no #END_TB");
  check("#BEGIN_TB\n#BEGIN_TB\n", "12:1: a thread block begins inside another");
  check("#BEGIN_TB\n#END_TB\n", "12:1: the thread block has no line \"thread block = x,y,z\"");
  check("#BEGIN_TB\nwarp = 0\n", "12:1: a warp comes before the line \"thread block = x,y,z\"");
  check("#BEGIN_TB\nthread block = 0,3,0\n", "12:16: thread block is 0,3,0, outside the grid (2,3,2)");
  check(begin + "thread block = 1,0,0\n",
        "13:1: the thread block has a second line \"thread block = x,y,z\"");
  check(begin + "#END_TB\n" + begin, "15:16: thread block 0,0,0 comes a second time");
  check(begin + "warp = 1\ninsts = 0\nwarp = 1\n", "15:8: warp 1 comes a second time in its thread block");
  check(begin + "warp = 2\n", "13:8: warp is 2, but the block dim has 2 warps");
  check(begin + "insts = 2\n", "13:1: insts comes before a line \"warp = number\"");
  check(begin + "warp = 1\ninsts = -1\n",
        "14:9: insts is \"-1\", must be a decimal number of at most 64 bits");
  check(begin + "hello\n", "13:1: \"hello\" stands where a warp or #END_TB must");
  check(begin + "warp = 1\ninsts = 2\n0 f 0 MOV 0 0 0\n",
        "15:16: the trace ends while 1 instructions of warp 1 are still to come");
  check(begin + "warp = 1\ninsts = 2\n0 f 0 MOV 0 0 0\n#END_TB\n",
        "16:1: \"#END_TB\" stands where 1 instructions of warp 1 are still to come");
}

// Cut from two real traces; the records of the same accesses were written by other programs.
TEST(Traceg, BundledTracesEqualTheirRecords) {
  const std::string bundled = verif::in_source("verif/traces/");
  const auto both = verif::read_source(bundled + "accelsim");
  EXPECT_EQ(both.error, "");
  ASSERT_EQ(both.kernels.size(), 2u);
  const auto atax = verif::read_source(bundled + "accelsim/kernel-1.traceg.xz").records;
  const auto bfs = verif::read_source(bundled + "accelsim/kernel-2.traceg.xz").records;
  EXPECT_EQ(both.records.size(), atax.size() + bfs.size());

  using Warp = std::pair<std::uint32_t, std::uint16_t>;
  std::map<Warp, std::vector<golden::Record>> warps;
  for (const auto& record : verif::read_source(bundled + "atax256_first_warps.rec.xz").records)
    warps[{record.cta, record.warp}].push_back(record);
  std::map<Warp, std::size_t> next;
  std::size_t compared = 0;
  for (const auto& record : atax) {
    const auto& warp = warps[{record.cta, record.warp}];
    const std::size_t at = next[{record.cta, record.warp}]++;
    ASSERT_LT(at, warp.size());
    EXPECT_EQ(verif::texts({record}), verif::texts({warp[at]}));
    EXPECT_EQ(record.pc, 16 * warp[at].pc);  // every instruction of the traceg counts 16 bytes
    ++compared;
  }
  EXPECT_GT(compared, 5000u);

  const auto expected = verif::read_source(bundled + "accelsim/bfs_uniform.rec.xz").records;
  EXPECT_THAT(verif::texts(bfs), ElementsAreArray(verif::texts(expected)));
  ASSERT_EQ(bfs.size(), expected.size());
  for (std::size_t i = 0; i < bfs.size(); ++i) {
    EXPECT_EQ(bfs[i].cta, expected[i].cta);
    EXPECT_EQ(bfs[i].warp, expected[i].warp);
    EXPECT_EQ(bfs[i].pc, expected[i].pc);
  }
}

}  // namespace
