// `.traceg` files as Accel-Sim wants them: every CTA of the grid and every warp, EXIT at each end, and read
// back the records that went in. The examples of docs/traces.md are read too.
#include "golden/trace/traceg/traceg_writer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <regex>
#include <set>

#include "golden/trace/io/byte_source.h"
#include "golden/trace/open/open_trace.h"
#include "golden/trace/open/trace_cut.h"
#include "golden/trace/request_list.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/trace/traceg_text.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre, testing::HasSubstr;
using verif::read_source;

class TracegWriter : public testing::Test {
 protected:
  // The new file's text.
  std::string written(const std::string& trace, const golden::TraceCut& cut = {}) {
    auto source = golden::open_trace(trace);
    if (cut.any()) source = std::make_unique<golden::CutTrace>(std::move(source), cut);
    golden::write_traceg(*source, folder_.path("kernel-1.traceg"));
    return folder_.content("kernel-1.traceg");
  }
  std::string refusal(const std::string& trace) {
    try {
      written(trace);
    } catch (const golden::TraceError& error) {
      EXPECT_FALSE(std::filesystem::exists(folder_.path("kernel-1.traceg")));
      return error.what();
    }
    return "";
  }
  // A `.rec` of these records and its side file.
  std::string rec(const std::string& records, const std::string& side) const {
    folder_.write("t.json", side);
    return folder_.write("t.rec", records);
  }

  verif::TempFolder folder_;
};

// The records of each warp in their order, as texts.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> by_warp(
    const std::string& trace) {
  const auto content = read_source(trace);
  EXPECT_EQ(content.error, "");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::string>> warps;
  for (const golden::Record& record : content.records)
    warps[{record.cta, record.warp}].push_back(fmt::format("{:x} {}", record.pc, verif::texts({record})[0]));
  return warps;
}

// What the simulator needs: as many blocks as CTAs, each once, each with all its warps, these with as many
// lines as they say, and EXIT as the last.
void check_blocks(const std::string& text) {
  std::istringstream lines(text);
  std::set<std::string> blocks;
  std::size_t x = 0, y = 0, z = 0, bx = 0, by = 0, bz = 0, next_warp = 0, left = 0;
  for (std::string line, last; std::getline(lines, line); last = line) {
    if (std::sscanf(line.c_str(), "-grid dim = (%zu,%zu,%zu)", &x, &y, &z) == 3) continue;
    if (std::sscanf(line.c_str(), "-block dim = (%zu,%zu,%zu)", &bx, &by, &bz) == 3) continue;
    if (line.starts_with("thread block = ")) {
      EXPECT_TRUE(blocks.insert(line).second) << line;
      next_warp = 0;
    } else if (line.starts_with("warp = ")) {
      EXPECT_EQ(line, fmt::format("warp = {}", next_warp++));
      EXPECT_EQ(left, 0u);
    } else if (std::sscanf(line.c_str(), "insts = %zu", &left) == 1) {
      EXPECT_GT(left, 0u) << "a warp that issues nothing never ends";
    } else if (line == "#END_TB") {
      EXPECT_EQ(next_warp, (bx * by * bz + 31) / 32);
    } else if (!line.empty() && line[0] != '#' && line[0] != '-') {
      ASSERT_GT(left, 0u) << line;
      EXPECT_EQ(line.find(" EXIT ") != line.npos, --left == 0) << line;
    }
  }
  EXPECT_EQ(blocks.size(), x * y * z);
  EXPECT_TRUE(text.ends_with("\n"));
}

TEST_F(TracegWriter, ReadBackItIsTheSame) {
  const std::string bundled = verif::in_source("verif/traces/");
  for (const std::string& trace :
       {bundled + "atax256_first_warps.rec.xz", bundled + "accelsim/kernel-2.traceg.xz",
        std::string("builtin:histogram?bytes=16384"), std::string("builtin:kmeans?points=600")}) {
    const std::string text = written(trace);
    check_blocks(text);
    EXPECT_EQ(by_warp(folder_.path("kernel-1.traceg")), by_warp(trace)) << trace;
    const auto before = read_source(trace).kernels.at(0),
               after = read_source(folder_.path("kernel-1.traceg")).kernels.at(0);
    EXPECT_EQ(after.grid, before.grid);
    EXPECT_EQ(after.block, before.block);
    EXPECT_EQ(after.name, before.name);
  }
}

TEST_F(TracegWriter, BundledKernelsAreWhole) {
  for (const std::string name : {"kernel-1.traceg.xz", "kernel-2.traceg.xz"}) {
    SCOPED_TRACE(name);
    golden::ByteSource source(verif::in_source("verif/traces/accelsim/") + name);
    std::string text;
    std::array<std::uint8_t, 65536> block;
    while (const std::size_t got = source.read(block)) text.append(block.begin(), block.begin() + got);
    check_blocks(text);
  }
}

TEST_F(TracegWriter, EveryFormOfARecord) {
  using golden::AccessKind;
  std::string records;
  std::uint32_t pc = 0;
  const auto add = [&](AccessKind kind, std::uint32_t mask, std::uint8_t bytes,
                       std::vector<std::uint32_t> addresses, std::uint16_t warp = 0) {
    records += verif::bytes({.cta = 1,
                             .warp = warp,
                             .pc = pc++,
                             .is_store = static_cast<std::uint8_t>(kind),
                             .mask = mask,
                             .bytes_per_lane = bytes,
                             .addresses = std::move(addresses)});
  };
  add(AccessKind::load, 0xf0, 4, {0x1000, 0x1010, 0x1020, 0x1030});
  add(AccessKind::store, 0xd, 8, {0x1000, 0x1100, 0x10c0});
  add(AccessKind::atomic, 1u << 31, 4, {0x2000}, 1);
  add(AccessKind::non_l1, 3, 16, {0x3000, 0x2000});
  add(AccessKind::load, 7, 1, {5, 5, 5});
  add(AccessKind::load, 5, 2, {0x10, 0x20});
  add(AccessKind::load, 5, 4, {0xffffffe0, 0});
  const std::string trace = rec(
      records, R"({"kernel": "k", "block": [40, 1, 1], "launches": [{"cta_base": 0, "grid": [2, 1, 1]}]})");
  const std::string text = written(trace);
  check_blocks(text);
  EXPECT_EQ(by_warp(folder_.path("kernel-1.traceg")), by_warp(trace));
  for (const char* line :
       {"\n0000 000000f0 1 R4 LDG.E.SYS 1 R2 4 1 0x1000 16 0 \n",
        "\n0001 0000000d 0 STG.E.64.SYS 2 R2 R6 8 2 0x1000 256 -64 0 \n",
        "\n0002 80000000 1 R4 ATOMG.E.ADD.STRONG.GPU 2 R2 R6 4 2 0x2000 0 \n",
        "\n0003 00000003 1 R4 LDG.E.128.STRONG.GPU 1 R2 16 1 0x3000 -4096 0 \n",
        "\n0004 00000007 1 R4 LDG.E.U8.SYS 1 R2 1 1 0x5 0 0 \n",
        "\n0005 00000005 1 R4 LDG.E.U16.SYS 1 R2 2 2 0x10 16 0 \n",
        "\n0006 00000005 1 R4 LDG.E.SYS 1 R2 4 2 0xffffffe0 -4294967264 0 \n",
        "\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0 0 \n\nwarp = 1\ninsts = 1\n"
        "0000 000000ff 0 EXIT 0 0 0 \n"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST_F(TracegWriter, GridsOfCutTracesAreCut) {
  const auto grid = [&](std::uint32_t ctas) {
    const std::string text = written("builtin:2dconv?ni=64,nj=64", {.ctas = ctas});
    check_blocks(text);
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, std::regex("grid dim = (\\S+)")));
    return found[1].str();
  };
  const auto whole = read_source("builtin:2dconv?ni=64,nj=64").kernels.at(0).grid;
  ASSERT_THAT(whole, ElementsAre(2, 8, 1));
  EXPECT_EQ(grid(1), "(1,1,1)");
  EXPECT_EQ(grid(3), "(3,1,1)");
  EXPECT_EQ(grid(4), "(2,2,1)");
  EXPECT_EQ(grid(16), "(2,8,1)");
  EXPECT_EQ(grid(1000), "(2,8,1)");
}

TEST_F(TracegWriter, RefusesWhatHasNoSuchForm) {
  const std::string two = verif::in_source("verif/traces/streamcluster_two_launches.rec.xz");
  EXPECT_EQ(refusal(two), two + ": holds more kernels than one, which a .traceg cannot");
  const std::string bare = folder_.write("bare.rec", verif::bytes({.mask = 1, .addresses = {4}}));
  EXPECT_EQ(refusal(bare),
            bare + ": states no grid and block, which a .traceg must; a side file of the .rec has them");
  const std::string large =
      rec(verif::bytes({.mask = 1, .addresses = {4}}),
          R"({"block": [32, 1, 1], "launches": [{"cta_base": 0, "grid": [2000000, 1, 1]}]})");
  EXPECT_EQ(refusal(large),
            large + ": has records of 1 CTAs of the 2000000 of its grid; keep the first ones with --ctas");
}

// What stands between ``` in docs/traces.md.
TEST_F(TracegWriter, ExamplesOfTheDocumentationAreRead) {
  const std::string page = gen::read_file(verif::in_source("docs/traces.md"));
  std::vector<std::string> blocks;
  for (std::size_t at = 0; (at = page.find("\n```\n", at)) != page.npos;) {
    const std::size_t end = page.find("\n```\n", at + 5);
    blocks.push_back(page.substr(at + 5, end + 1 - at - 5));
    at = end + 4;
  }
  ASSERT_EQ(blocks.size(), 4u);
  const auto kernel = read_source(folder_.write("kernel-1.traceg", blocks[0]));
  EXPECT_EQ(kernel.error, "");
  EXPECT_EQ(kernel.records.size(), 2u);
  folder_.write("kernel-2.traceg.xz", verif::xz(blocks[0]));
  const auto list = read_source(folder_.write("kernelslist.g", blocks[1]));
  EXPECT_EQ(list.error, "");
  EXPECT_EQ(list.kernels.size(), 3u);
  for (const std::uint32_t cores : {0u, 4u}) {
    golden::RequestList requests(folder_.write("list", blocks[cores ? 3 : 2]), {.cores = cores});
    int items = 0;
    for (golden::RequestList::Item item; requests.next(item);) ++items;
    EXPECT_EQ(items, cores ? 3 : 9);
  }
}

}  // namespace
