// The trace reader: hand-built records, every complaint word by word, memory, and two real traces.
#include "golden/trace/rec_trace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

using golden::AccessKind;
using golden::Record;
using golden::RecTrace;
using testing::ElementsAre;
using verif::barrier;
using verif::bytes;
using verif::complaint;
using verif::Fields;
using verif::load;
using verif::read_all;
using verif::TempFolder;
using verif::xz;

const std::string bundled = verif::in_source("verif/traces/");

class RecTraceTest : public testing::Test {
 protected:
  TempFolder folder_;
};

TEST_F(RecTraceTest, ReadsEveryFieldInOrder) {
  const auto path = folder_.write(
      "t.rec", bytes(load(3, 2, {0x10000000, 0x10000080})) +
                   bytes({.cta = 0xFFFFFFFF,
                          .warp = 0xFFFF,
                          .pc = 0x12345678,
                          .is_store = 1,
                          .mask = 0x80000001,
                          .bytes_per_lane = 16,
                          .addresses = {0xFFFFFFF0, 0x20}}) +
                   bytes(barrier(3, 2)) +
                   bytes({.is_store = 2, .mask = 0x10, .bytes_per_lane = 8, .addresses = {0x40}}));
  const auto r = read_all(path);
  ASSERT_EQ(r.size(), 4u);
  EXPECT_EQ(r[0].cta, 3u);
  EXPECT_EQ(r[0].warp, 2);
  EXPECT_EQ(r[0].pc, 7u);
  EXPECT_EQ(r[0].kind, AccessKind::load);
  EXPECT_EQ(r[0].bytes_per_lane, 4);
  EXPECT_THAT(r[0].addresses(), ElementsAre(0x10000000, 0x10000080));
  EXPECT_EQ(r[1].cta, 0xFFFFFFFF);
  EXPECT_EQ(r[1].warp, 0xFFFF);
  EXPECT_EQ(r[1].pc, 0x12345678u);
  EXPECT_EQ(r[1].kind, AccessKind::store);
  EXPECT_EQ(r[1].mask, 0x80000001);
  EXPECT_THAT(r[1].addresses(), ElementsAre(0xFFFFFFF0, 0x20));
  EXPECT_TRUE(r[2].is_barrier());
  EXPECT_EQ(r[2].lanes(), 0);
  EXPECT_EQ(r[3].kind, AccessKind::atomic);
  EXPECT_THAT(r[3].addresses(), ElementsAre(0x40));
  for (const int i : {0, 1, 3}) EXPECT_FALSE(r[i].is_barrier());
}

TEST_F(RecTraceTest, ContentNotNameTellsXz) {
  const std::string plain = bytes(load(0, 0, {4, 8, 12}));
  for (const char* name : {"a.rec", "a.rec.xz", "a"})
    for (const auto& content : {plain, xz(plain)}) {
      const auto r = read_all(folder_.write(name, content));
      ASSERT_EQ(r.size(), 1u);
      EXPECT_THAT(r[0].addresses(), ElementsAre(4, 8, 12));
    }
}

TEST_F(RecTraceTest, ConcatenatedAndPaddedStreamsAreOneTrace) {
  const std::string a = bytes(load(0, 0, {4})), b = bytes(load(0, 1, {8, 12}));
  const std::string padding(8, '\0');
  const auto whole = xz(a + b.substr(0, 5)) + padding + xz("") + xz(b.substr(5)) + padding;
  const auto r = read_all(folder_.write("t.rec.xz", whole));
  ASSERT_EQ(r.size(), 2u);
  EXPECT_EQ(r[1].warp, 1);
  EXPECT_THAT(r[1].addresses(), ElementsAre(8, 12));
}

TEST_F(RecTraceTest, RefusesBrokenRecords) {
  const std::string good = bytes(load(0, 0, {4}));  // 21 bytes
  const auto check = [&](const std::string& tail, const std::string& rule, std::uint64_t at = 21) {
    const auto path = folder_.write("t.rec", good + tail);
    EXPECT_EQ(complaint(path, 1), fmt::format("{}: byte {}: {}", path, at, rule));
    const auto packed = folder_.write("t.rec.xz", xz(good + tail));
    EXPECT_EQ(complaint(packed, 1), fmt::format("{}: byte {}: {}", packed, at, rule));
  };
  const std::string whole = bytes(load(1, 1, {4, 8}));
  check(whole.substr(0, 1), "truncated record: 1 of its 17 header bytes are there");
  check(whole.substr(0, 16), "truncated record: 16 of its 17 header bytes are there");
  check(whole.substr(0, 17), "truncated record: 17 of its 25 bytes are there");
  check(whole.substr(0, 24), "truncated record: 24 of its 25 bytes are there");
  for (const int wrong : {4, 5, 255})
    check(bytes({.is_store = static_cast<std::uint8_t>(wrong), .mask = 1, .addresses = {4}}),
          fmt::format("is_store is {}, must be 0 (load), 1 (store), 2 (atomic) or 3 (load past the L1)",
                      wrong));
  check(bytes({.space = 3, .mask = 1, .addresses = {4}}), "space is 3, must be 0 (global) or 255 (barrier)");
  check(bytes({.space = 255, .mask = 0x30, .addresses = {4, 8}}),
        "active_mask of a barrier is 0x30, must be 0");
  check(bytes({.mask = 0}), "active_mask is 0, must have a lane in every record but a barrier");
  for (const int wrong : {0, 3, 6, 12, 17, 32, 255})
    check(bytes({.mask = 1, .bytes_per_lane = static_cast<std::uint8_t>(wrong), .addresses = {4}}),
          fmt::format("bytes_per_lane is {}, must be 1, 2, 4, 8 or 16", wrong));
}

TEST_F(RecTraceTest, RefusesUnreadableAndEmptyFiles) {
  const auto missing = folder_.path("missing.rec");
  EXPECT_EQ(complaint(missing), missing + ": cannot open: No such file or directory");
  const auto folder = folder_.path("");
  EXPECT_EQ(complaint(folder), folder + ": byte 0: cannot read: Is a directory");
  const auto empty = folder_.write("empty.rec", "");
  EXPECT_EQ(complaint(empty), empty + ": byte 0: the trace is empty, must hold at least one record");
  const auto nothing = folder_.write("empty.rec.xz", xz(""));
  EXPECT_EQ(complaint(nothing), nothing + ": byte 0: the trace is empty, must hold at least one record");
}

TEST_F(RecTraceTest, RefusesBrokenXz) {
  std::string plain;
  for (std::uint16_t i = 0; i < 40; ++i) plain += bytes(load(0, i, {i * 64u, i * 77u}));  // 25 bytes each
  const std::string packed = xz(plain);
  const auto check = [&](const std::string& content, size_t good, std::uint64_t at, const std::string& rule) {
    const auto path = folder_.write("t.rec.xz", content);
    EXPECT_EQ(complaint(path, good), fmt::format("{}: byte {}: {}", path, at, rule));
  };
  const std::string truncated = "truncated .xz stream: the file ends inside it";
  for (const size_t size : {1, 5, 6, 11, 12, 20}) check(packed.substr(0, size), 0, 0, truncated);
  check(packed.substr(0, packed.size() - 1), 40, 1000, truncated);
  check(packed + packed.substr(0, 3), 40, 1000, truncated);
  check(packed + "more", 40, 1000, "trailing garbage after the .xz stream");
  check(packed + plain, 40, 1000, "trailing garbage after the .xz stream");
  check(packed + std::string(3, '\0'), 40, 1000, "trailing garbage after the .xz stream");

  std::string damaged = packed;
  damaged[8] ^= 1;  // the stream header's own check
  check(damaged, 0, 0, "corrupt .xz stream: damaged data");
  damaged = packed;
  damaged[packed.size() - 36] ^= 1;  // the CRC of the block: every record has been handed out by then
  check(damaged, 40, 1000, "corrupt .xz stream: damaged data");
}

TEST_F(RecTraceTest, EveryTruncationAndDamageOfAnXzFileIsNoticed) {
  std::string plain;
  for (std::uint16_t i = 0; i < 20; ++i) plain += bytes(load(0, i, {i * 64u, i * i * 77u}));
  const std::string packed = xz(plain);
  for (size_t size = 1; size < packed.size(); ++size) {
    EXPECT_ANY_THROW(read_all(folder_.write(fmt::format("cut{}", size), packed.substr(0, size)))) << size;
    std::string damaged = packed;
    damaged[size - 1] ^= 0x10;
    EXPECT_ANY_THROW(read_all(folder_.write(fmt::format("damaged{}", size), damaged))) << size;
  }
}

TEST_F(RecTraceTest, RefusesAnXzDictionaryWithoutBound) {
  lzma_options_lzma options;
  ASSERT_FALSE(lzma_lzma_preset(&options, 0));
  options.dict_size = 256 << 20;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  const std::string plain = bytes(load(0, 0, {4}));
  std::string packed(1000, '\0');
  size_t size = 0;
  ASSERT_EQ(lzma_stream_buffer_encode(filters, LZMA_CHECK_CRC32, nullptr,
                                      reinterpret_cast<const std::uint8_t*>(plain.data()), plain.size(),
                                      reinterpret_cast<std::uint8_t*>(packed.data()), &size, packed.size()),
            LZMA_OK);
  const auto path = folder_.write("t.rec.xz", packed.substr(0, size));
  EXPECT_EQ(
      complaint(path),
      path +
          ": byte 0: the .xz stream needs 257 MiB to decode, at most 128 are allowed; compress it with xz -9 "
          "or less");
}

TEST_F(RecTraceTest, ReadsStandardInput) {
  const std::string plain = bytes(load(5, 1, {4})) + bytes(barrier(5, 1));
  for (const auto& content : {plain, xz(plain), plain.substr(0, 30)}) {
    const int saved = ::dup(STDIN_FILENO);
    const int file = ::open(folder_.write("in", content).c_str(), O_RDONLY);
    ASSERT_EQ(::dup2(file, STDIN_FILENO), STDIN_FILENO);
    const bool whole = content != plain.substr(0, 30);
    if (whole) {
      EXPECT_EQ(read_all("-").size(), 2u);
    } else {
      EXPECT_EQ(complaint("-", 1),
                "standard input: byte 21: truncated record: 9 of its 17 header bytes are there");
    }
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
    ::close(file);
  }
}

size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  size_t pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

// Reads a long trace and says how far memory rose above its level before.
size_t growth(const std::string& path, std::uint64_t expected) {
  const size_t before = resident_bytes();
  size_t most = before;
  RecTrace trace(path);
  std::uint64_t records = 0;
  for (Record record; trace.next(record);)
    if (++records % 4096 == 0) most = std::max(most, resident_bytes());
  EXPECT_EQ(records, expected);
  return most - before;
}

TEST_F(RecTraceTest, MemoryDoesNotGrowWithTheTrace) {
  std::string block;
  for (std::uint32_t i = 0; i < 2000; ++i) {
    std::vector<std::uint32_t> addresses(32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) addresses[lane] = i * 0x10001 + lane * 4;
    block += bytes(load(i / 8, i % 8, addresses));
  }
  constexpr int blocks = 220;  // 64 MB
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread writer([&] {
    for (int i = 0; i < blocks; ++i)
      EXPECT_EQ(::write(ends[1], block.data(), block.size()), static_cast<ssize_t>(block.size()));
    ::close(ends[1]);
  });
  EXPECT_LT(growth(fmt::format("/proc/self/fd/{}", ends[0]), blocks * 2000), 4u << 20);
  writer.join();
  ::close(ends[0]);

  const std::string packed = xz(block);
  std::ofstream out(folder_.path("long.rec.xz"), std::ios::binary);
  for (int i = 0; i < blocks; ++i) out << packed;
  out.close();
  EXPECT_LT(growth(folder_.path("long.rec.xz"), blocks * 2000), 4u << 20);
}

TEST_F(RecTraceTest, PlainAndXzOfARealTraceAreEqual) {
  for (const char* name : {"atax256_first_warps.rec.xz", "streamcluster_two_launches.rec.xz"}) {
    std::string plain;
    golden::ByteSource source(bundled + name);
    std::vector<std::uint8_t> chunk(1000);
    while (const size_t got = source.read(chunk)) plain.append(chunk.begin(), chunk.begin() + got);
    EXPECT_EQ(source.offset(), plain.size());
    const auto packed = read_all(bundled + name), flat = read_all(folder_.write("t.rec", plain));
    ASSERT_EQ(packed.size(), flat.size());
    std::string again;
    for (size_t i = 0; i < flat.size(); ++i) {
      const Record& r = flat[i];
      const Fields fields{r.cta,
                          r.warp,
                          r.pc,
                          static_cast<std::uint8_t>(r.kind),
                          r.space,
                          r.mask,
                          r.bytes_per_lane,
                          {r.addresses().begin(), r.addresses().end()}};
      again += bytes(fields);
      ASSERT_TRUE(std::ranges::equal(r.addresses(), packed[i].addresses())) << i;
    }
    EXPECT_TRUE(again == plain);
  }
}

}  // namespace
