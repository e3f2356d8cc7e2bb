// Built-in kernels without a recording: accesses worked out by hand from the published programs, and what a
// plain serial program reads and writes.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "golden/trace/coalesce.h"
#include "golden/trace/kernels/random.h"
#include "verif/trace/kernel_run.h"

namespace {

using golden::AccessKind;
using golden::Record;
using verif::KernelRun;
using verif::run_kernels;

constexpr std::uint64_t base = 0x10000000;

// The accesses of one warp, barriers as records without lanes.
std::vector<Record> of_warp(const KernelRun& run, std::uint32_t cta, std::uint32_t warp) {
  std::vector<Record> out;
  for (const Record& record : run.records)
    if (record.cta == cta && record.warp == warp) out.push_back(record);
  return out;
}

std::size_t lines(const Record& record) {
  std::vector<std::uint64_t> out;
  golden::coalesce(record, 128, out);
  return out.size();
}

// "load 4 x32 [0 4 64 124] 1": kind, bytes a lane, lanes, addresses of lanes 0, 1, 16 and the last behind the
// first buffer, lines.
std::string text(const Record& record) {
  if (record.is_barrier()) return "barrier";
  static constexpr const char* kinds[] = {"load", "store", "atomic", "non_l1"};
  const auto addresses = record.addresses();
  std::string out = fmt::format("{} {} x{} [", kinds[static_cast<std::size_t>(record.kind)],
                                record.bytes_per_lane, record.lanes());
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{16}})
    if (i + 1 < addresses.size()) out += fmt::format("{} ", addresses[i] - base);
  return out + fmt::format("{}] {}", addresses.back() - base, lines(record));
}

std::vector<std::string> texts(const std::vector<Record>& records, std::size_t from, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = from; i < std::min(from + count, records.size()); ++i) out.push_back(text(records[i]));
  return out;
}

using Texts = std::vector<std::string>;

// How often each address is touched.
std::map<std::uint64_t, int> touched(const std::vector<Record>& records, AccessKind kind,
                                     std::uint64_t bytes = 4) {
  std::map<std::uint64_t, int> out;
  for (const Record& record : records) {
    if (record.is_barrier() || record.kind != kind) continue;
    for (const std::uint64_t address : record.addresses())
      for (std::uint64_t b = 0; b < record.bytes_per_lane; b += bytes) ++out[address + b];
  }
  return out;
}

TEST(UnrecordedKernels, NnReadsPlacesSideBySide) {
  const auto run = run_kernels("builtin:nn?records=300");
  ASSERT_EQ(run.size(), 1u);
  EXPECT_EQ(texts(of_warp(run[0], 0, 0), 0, 9),
            (Texts{"load 4 x32 [0 8 128 248] 2", "load 4 x32 [4 12 132 252] 2",
                   "store 4 x32 [2560 2564 2624 2684] 1"}));
  // Records 288 to 299.
  EXPECT_EQ(texts(of_warp(run[0], 1, 1), 0, 1), (Texts{"load 4 x12 [2304 2312 2392] 1"}));
  EXPECT_TRUE(of_warp(run[0], 1, 2).empty());
}

TEST(UnrecordedKernels, SgemmReadsATileOfBAndColumnsOfA) {
  const auto run = run_kernels("builtin:sgemm?m=128,n=32,k=16");
  ASSERT_EQ(run.size(), 1u);
  const auto warp = of_warp(run[0], 1, 1);  // second block of columns, rows 32 to 63
  EXPECT_EQ(warp.size(), 2u * (1 + 8 + 2) + 2 * 16);
  EXPECT_EQ(texts(warp, 0, 4), (Texts{"load 4 x32 [8512 8516 8640 8700] 2", "barrier",
                                      "load 4 x32 [128 132 192 252] 1", "load 4 x32 [640 644 704 764] 1"}));
  EXPECT_EQ(texts(warp, 10, 3), (Texts{"barrier", "load 4 x32 [9536 9540 9664 9724] 2", "barrier"}));
  EXPECT_EQ(texts(warp, 22, 3),
            (Texts{"load 4 x32 [18560 18564 18624 18684] 1", "store 4 x32 [18560 18564 18624 18684] 1",
                   "load 4 x32 [19072 19076 19136 19196] 1"}));
  const auto written = touched(run[0].records, AccessKind::store);
  EXPECT_EQ(written.size(), 128u * 32);
  for (const auto& [address, times] : written) EXPECT_EQ(times, 1);
  // A is read for each of two blocks of columns, B once a block of rows, C once.
  for (const auto& [address, times] : touched(run[0].records, AccessKind::load))
    EXPECT_EQ(times, address < base + 8192 ? 2 : 1);
}

TEST(UnrecordedKernels, MriQReadsPointsAndAddsToQ) {
  const auto run = run_kernels("builtin:mri_q?samples=1027,points=512");
  ASSERT_EQ(run.size(), 3u);  // 1,024 samples, and 3
  EXPECT_EQ(run[0].kernel.name, "ComputePhiMag_GPU");
  // Sample 1,024 is the first of the third CTA; buffers are 4,108 bytes and begin every 4,352.
  EXPECT_EQ(texts(of_warp(run[0], 2, 0), 0, 9),
            (Texts{"load 4 x3 [4096 4100 4104] 1", "load 4 x3 [8448 8452 8456] 1",
                   "store 4 x3 [12800 12804 12808] 1"}));
  for (const std::size_t launch : {1u, 2u}) {
    EXPECT_EQ(run[launch].kernel.ctas(), 2u);
    EXPECT_EQ(texts(of_warp(run[launch], 1, 3), 0, 9),
              (Texts{"load 4 x32 [14464 14468 14528 14588] 1", "load 4 x32 [16512 16516 16576 16636] 1",
                     "load 4 x32 [18560 18564 18624 18684] 1", "load 4 x32 [20608 20612 20672 20732] 1",
                     "load 4 x32 [22656 22660 22720 22780] 1", "store 4 x32 [20608 20612 20672 20732] 1",
                     "store 4 x32 [22656 22660 22720 22780] 1"}));
  }
}

TEST(UnrecordedKernels, ScanSumsPartsAndThenTheirLastElements) {
  const auto run = run_kernels("builtin:scan?elements=4096,array=2048");
  ASSERT_EQ(run.size(), 3u);
  const auto part = of_warp(run[0], 1, 2);  // elements 1,280 to 1,407
  EXPECT_EQ(part.size(), 1u + 16 + 1);
  EXPECT_EQ(text(part[0]), "load 16 x32 [5120 5136 5376 5616] 4");
  EXPECT_EQ(text(part[17]), "store 16 x32 [21504 21520 21760 22000] 4");
  EXPECT_EQ(texts(of_warp(run[1], 0, 0), 0, 9),
            (Texts{"load 4 x4 [20476 24572 32764] 4", "load 4 x4 [4092 8188 16380] 4", "barrier", "barrier",
                   "store 4 x4 [32768 32772 32780] 1"}));
  EXPECT_EQ(texts(of_warp(run[1], 0, 1), 0, 9), (Texts{"barrier", "barrier"}));
  EXPECT_EQ(texts(of_warp(run[2], 2, 0), 0, 9),
            (Texts{"load 4 x1 [32776] 1", "barrier", "load 16 x32 [24576 24592 24832 25072] 4",
                   "store 16 x32 [24576 24592 24832 25072] 4"}));
  EXPECT_EQ(texts(of_warp(run[2], 2, 1), 0, 1), (Texts{"barrier"}));
}

TEST(UnrecordedKernels, ConvolutionSeparableReadsHalosInsideTheImage) {
  const auto run = run_kernels("builtin:convolution_separable?width=384,height=128");
  ASSERT_EQ(run.size(), 2u);
  EXPECT_EQ(run[0].kernel.grid, (std::array<std::uint32_t, 3>{3, 32, 1}));
  EXPECT_EQ(run[1].kernel.grid, (std::array<std::uint32_t, 3>{24, 2, 1}));
  // Rows 2 and 3 of the image: columns 128 to 255 with both halos, and the last 128 without the right one.
  const auto middle = of_warp(run[0], 1, 1), last = of_warp(run[0], 2, 1);
  EXPECT_EQ(middle.size(), 8u + 2 + 1 + 8);
  EXPECT_EQ(texts(middle, 0, 2),
            (Texts{"load 4 x32 [3584 3588 5120 5180] 2", "load 4 x32 [3648 3652 5184 5244] 2"}));
  EXPECT_EQ(texts(middle, 8, 4),
            (Texts{"load 4 x32 [3520 3524 5056 5116] 2", "load 4 x32 [4096 4100 5632 5692] 2", "barrier",
                   "store 4 x32 [396800 396804 398336 398396] 2"}));
  EXPECT_EQ(last.size(), 8u + 1 + 1 + 8);
  // Lower half of the image: no halo below.
  const auto column = of_warp(run[1], 24 + 5, 3);
  EXPECT_EQ(column.size(), 8u + 1 + 1 + 8);
  EXPECT_EQ(texts(column, 0, 1), (Texts{"load 4 x32 [501056 501060 502592 502652] 2"}));
  EXPECT_EQ(texts(column, 7, 2), (Texts{"load 4 x32 [587072 587076 588608 588668] 2",
                                        "load 4 x32 [488768 488772 490304 490364] 2"}));
  for (const KernelRun& one : run) {
    const auto written = touched(one.records, AccessKind::store);
    EXPECT_EQ(written.size(), 384u * 128);
  }
}

// Bellman and Ford, 32 nodes at a time as a warp runs them: reads of all lanes, then atomics of lanes that
// saw a longer path.
void expect_serial_search(std::uint64_t seed) {
  constexpr std::uint64_t nodes = 64, edges = 8 * nodes;
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> graph;  // target, length
  std::vector<std::pair<std::uint32_t, std::uint32_t>> drawn;
  for (std::uint64_t e = 0; e < edges; ++e) {
    std::uint32_t from = 0, to = 0;
    for (std::uint64_t bit = 0; bit < 6; ++bit) {
      const auto draw = golden::random_bits(seed, e * 32 + bit) % 100;
      from = 2 * from + (draw < 76 ? 0 : 1);
      to = 2 * to + (draw < 57 || (draw >= 76 && draw < 95) ? 0 : 1);
    }
    drawn.emplace_back(from, to);
  }
  std::uint64_t position = 0;  // edges stand by their nodes, and have their lengths by their position
  for (std::uint32_t node = 0; node < nodes; ++node)
    for (const auto& [from, to] : drawn)
      if (from == node) graph[node].emplace_back(to, 1 + golden::random_bits(seed + 1, position++) % 64);
  std::vector<std::uint64_t> distance(nodes, 1000000000);
  distance[0] = 0;
  const auto launches = run_kernels(fmt::format("builtin:sssp?scale=6,seed={}", seed));
  ASSERT_GT(launches.size(), 2u);
  const std::uint64_t at = base + 2 * 2304 + 512 + 256 + 256;  // of the distances
  for (std::size_t launch = 0; launch < launches.size(); ++launch) {
    std::size_t atomics = 0, relaxed = 0, changed = 0;
    for (std::uint32_t first = 0; first < nodes; first += 32) {
      std::set<std::uint32_t> improved;
      for (std::size_t i = 0; i < edges; ++i) {
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> shorter;
        for (std::uint32_t node = first; node < first + 32; ++node) {
          if (i >= graph[node].size()) continue;
          ++relaxed;
          const auto [target, length] = graph[node][i];
          if (distance[node] + length < distance[target])
            shorter.emplace_back(node, target, distance[node] + length);
        }
        atomics += shorter.size();
        for (const auto& [node, target, length] : shorter)
          if (length < distance[target]) {
            distance[target] = length;
            improved.insert(node);
          }
      }
      changed += improved.size();
    }
    std::map<AccessKind, std::size_t> lanes;
    for (const Record& record : launches[launch].records) {
      lanes[record.kind] += static_cast<std::size_t>(record.lanes());
      if (record.kind != AccessKind::atomic) continue;
      for (const std::uint64_t address : record.addresses()) {
        EXPECT_GE(address, at);
        EXPECT_LT(address, at + 4 * nodes);
      }
    }
    EXPECT_EQ(relaxed, edges);
    EXPECT_EQ(lanes[AccessKind::load], nodes + 7 * edges) << launch;
    EXPECT_EQ(lanes[AccessKind::atomic], atomics) << launch;
    EXPECT_EQ(lanes[AccessKind::store], changed) << launch;
    EXPECT_EQ(launch + 1 == launches.size(), changed == 0) << launch;
  }
  for (std::uint32_t node = 0; node < nodes; ++node)
    for (const auto& [target, length] : graph[node]) EXPECT_LE(distance[target], distance[node] + length);
}

TEST(UnrecordedKernels, SsspRelaxesAsASerialSearch) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    expect_serial_search(seed);  // some have paths of one length
}

TEST(UnrecordedKernels, RefuseSizesThatTheProgramsDo) {
  const auto error = [](const std::string& name) { return verif::read_source(name).error; };
  EXPECT_EQ(error("builtin:scan?array=6144"), "builtin:scan?array=6144: array is no power of two");
  EXPECT_EQ(error("builtin:scan?elements=6144,array=4096"),
            "builtin:scan?elements=6144,array=4096: elements is no multiple of array");
  EXPECT_EQ(error("builtin:sgemm?k=12"), "builtin:sgemm?k=12: k is \"12\", must be a multiple of 8");
  EXPECT_EQ(error("builtin:lud?n=40"), "builtin:lud?n=40: n is \"40\", must be a multiple of 16");
  EXPECT_EQ(error("builtin:btree?keys=255"),
            "builtin:btree?keys=255: keys is \"255\", must be from 256 to 16777216");
  EXPECT_EQ(error("builtin:histo?ranges=100,first=400"),
            "builtin:histo?ranges=100,first=400: first is \"400\", must be from 0 to 127");
  EXPECT_EQ(error("builtin:histo?width=100"),
            "builtin:histo?width=100: first + ranges is above width / 2, the ranges that the program has "
            "memory for");
  EXPECT_EQ(error("builtin:convolution_separable?width=100"),
            "builtin:convolution_separable?width=100: width is \"100\", must be from 128 to 32768");
}

}  // namespace
