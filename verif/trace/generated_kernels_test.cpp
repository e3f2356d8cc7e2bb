// Built-in kernels over generated matrices, trees, texts and layers: what they read and write is what a plain
// serial program over the same input reads and writes.
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "golden/trace/kernels/matrix.h"
#include "golden/trace/kernels/octree.h"
#include "golden/trace/kernels/random.h"
#include "verif/trace/touched.h"

namespace {

using golden::AccessKind;
using golden::Record;
using verif::run_kernels;

using verif::Addresses;
using verif::base;
using verif::behind;
using verif::touched;

// The buffers of y = A x, in the order in which the programs ask for them.
struct Buffers {
  std::uint64_t values, columns, lengths, x, y, end;
  Buffers(std::uint64_t elements, std::uint64_t lengths_of, std::uint64_t rows)
      : values(base),
        columns(behind(values, 4 * elements)),
        lengths(behind(columns, 4 * elements)),
        x(behind(lengths, 4 * lengths_of)),
        y(behind(x, 4 * rows)),
        end(y + 4 * rows) {}
};

Addresses words(std::uint64_t from, std::uint64_t count) {
  Addresses out;
  for (std::uint64_t i = 0; i < count; ++i) out.insert(from + 4 * i);
  return out;
}

// The vector's elements that the rows of a cube of nodes need, from its geometry.
Addresses neighbours(std::uint64_t x, std::int64_t side) {
  Addresses out;
  for (std::int64_t row = 0; row < side * side * side; ++row)
    for (std::int64_t other = 0; other < side * side * side; ++other) {
      const auto near = [&](std::int64_t step) {
        return std::abs(row / step % side - other / step % side) <= 1;
      };
      if (near(1) && near(side) && near(side * side)) out.insert(x + 4 * static_cast<std::uint64_t>(other));
    }
  return out;
}

TEST(GeneratedKernels, SpmvVectorReadsEachElementOnce) {
  const auto run = run_kernels("builtin:spmv_vector?side=4")[0];
  const Buffers at(1000, 65, 64);
  EXPECT_EQ(run.kernel.ctas(), 16u);
  EXPECT_EQ(touched(run.records, AccessKind::load, at.values, at.columns), words(at.values, 1000));
  EXPECT_EQ(touched(run.records, AccessKind::load, at.columns, at.lengths), words(at.columns, 1000));
  EXPECT_EQ(touched(run.records, AccessKind::load, at.x, at.y), neighbours(at.x, 4));
  EXPECT_EQ(touched(run.records, AccessKind::store, base, at.end), words(at.y, 64));
  // Row 21 has all 27 neighbours, in one step of warp 1 of CTA 5.
  std::vector<Record> warp;
  for (const Record& record : run.records)
    if (record.cta == 5 && record.warp == 1) warp.push_back(record);
  ASSERT_EQ(warp.size(), 2u + 3 + 1);
  EXPECT_EQ(warp[0].address[0], at.lengths + 4 * 21);
  EXPECT_EQ(warp[0].address[31], at.lengths + 4 * 21);
  EXPECT_EQ(warp[2].lanes(), 27);
  EXPECT_EQ(warp[4].address[0], at.x);
  EXPECT_EQ(warp[4].address[26], at.x + 4 * (2 * 16 + 2 * 4 + 2));
  EXPECT_EQ(warp[5].mask, 1u);
}

TEST(GeneratedKernels, SpmvEllpackReadsColumnsOfElements) {
  const auto run = run_kernels("builtin:spmv_ellpackr?side=4")[0];
  const Buffers at(27 * 64, 64, 64);
  const auto values = touched(run.records, AccessKind::load, at.values, at.columns);
  EXPECT_EQ(values.size(), 1000u);
  EXPECT_EQ(std::set<std::uint64_t>(values.begin(), values.end()).size(), 1000u);
  EXPECT_EQ(touched(run.records, AccessKind::load, at.lengths, at.x), words(at.lengths, 64));
  EXPECT_EQ(touched(run.records, AccessKind::load, at.x, at.y), neighbours(at.x, 4));
  EXPECT_EQ(touched(run.records, AccessKind::store, base, at.end), words(at.y, 64));
  // All rows have 8 elements; lanes stand side by side there.
  const Record& eighth = run.records[1 + 3 * 7];
  EXPECT_EQ(eighth.lanes(), 32);
  EXPECT_EQ(eighth.address[0], at.columns + 4 * 7 * 64);
  EXPECT_EQ(eighth.address[31], at.columns + 4 * (7 * 64 + 31));
}

TEST(GeneratedKernels, SpmvJaggedDiagonalsPadRowsToTheirWarps) {
  const auto run = run_kernels("builtin:spmv_jds?side=4")[0];
  // 8 rows of 27, 24 of 18, 24 of 12, 8 of 8: the first warp is padded to 27, the second to 12.
  const std::uint64_t elements = 32 * 27 + 32 * 12;
  const Buffers at(elements, 64, 64);
  EXPECT_EQ(touched(run.records, AccessKind::load, at.values, at.columns), words(at.values, elements));
  EXPECT_EQ(touched(run.records, AccessKind::load, at.columns, at.lengths), words(at.columns, elements));
  EXPECT_EQ(touched(run.records, AccessKind::store, base, at.end), words(at.y, 64));
  auto expected = neighbours(at.x, 4);
  for (std::size_t i = 1000; i < elements; ++i) expected.insert(at.x);
  EXPECT_EQ(touched(run.records, AccessKind::load, at.x, at.y), expected);
  EXPECT_EQ(run.records.back().address[0] % 4, 0u);
  // Diagonal 12 has the first warp's rows alone, behind 12 of both.
  for (const Record& record : run.records) {
    if (record.address[0] != at.values + 4 * 12 * 64) continue;
    EXPECT_EQ(record.address[31], record.address[0] + 124);
  }
  // The longest row of all is the first inner node.
  const Record* first_store = nullptr;
  for (const Record& record : run.records)
    if (!first_store && record.kind == AccessKind::store) first_store = &record;
  ASSERT_TRUE(first_store);
  EXPECT_EQ(first_store->address[0], at.y + 4 * (16 + 4 + 1));
}

TEST(GeneratedKernels, ConvolutionLayerRunsTheLoopsOfTheProgram) {
  constexpr std::int64_t side = 7, kernel = 5, pad = 2, features = 3, outputs = 2;
  const auto run = run_kernels("builtin:convolution_layer?outputs=2,size=7,kernel=5,pad=2,features=3")[0];
  const std::uint64_t input = base + 256, weights = behind(input, 4 * side * side * features),
                      output = behind(weights, 4 * outputs * features * kernel * kernel);
  Addresses expected, written;
  for (std::int64_t out = 0; out < outputs; ++out)
    for (std::int64_t row = 0; row < side; ++row)
      for (std::int64_t col = 0; col < side; ++col) {
        const std::int64_t rows_ahead = std::max<std::int64_t>(pad - row, 0),
                           columns_ahead = std::max<std::int64_t>(pad - col, 0);
        std::int64_t rows = kernel - rows_ahead, columns = kernel - columns_ahead;
        if (row >= side - pad) rows = side + pad - row;
        if (col >= side - pad) columns = side + pad - col;
        const std::int64_t from = (row > pad ? (row - pad) * side : 0) + (col >= pad ? col : 0);
        for (std::int64_t f = 0; f < features; ++f)
          for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
              expected.insert(input +
                              static_cast<std::uint64_t>(4 * (f * side * side + i * side + j + from)));
              expected.insert(weights + static_cast<std::uint64_t>(
                                            4 * (((out * features + f) * kernel + i + rows_ahead) * kernel +
                                                 j + columns_ahead)));
            }
        written.insert(output + static_cast<std::uint64_t>(4 * ((out * side + row) * side + col)));
      }
  EXPECT_EQ(touched(run.records, AccessKind::load, input, output), expected);
  EXPECT_EQ(touched(run.records, AccessKind::load, base, input).size(), 2u * 49);
  EXPECT_EQ(touched(run.records, AccessKind::store, base, ~0ull), written);
  // Lanes 0 to 6 of the first load are the rows of column 0: rows 0 to 2 begin in row 0, the others a row
  // further.
  const Record& first = run.records[0];
  EXPECT_EQ(first.address[2], input);
  EXPECT_EQ(first.address[3], input + 4 * 7);
  EXPECT_EQ(first.address[7], input);           // row 0, column 1
  EXPECT_EQ(first.address[14], input + 4 * 2);  // row 0, column 2
}

TEST(GeneratedKernels, FullyConnectedLayerReadsOneInputAfterTheOther) {
  const auto run = run_kernels("builtin:fully_connected_layer?outputs=3,inputs=10")[0];
  EXPECT_EQ(run.kernel.ctas(), 3u);
  ASSERT_EQ(run.records.size(), 3u * 22);
  for (std::size_t i = 0; i < 10; ++i) {
    const Record &input = run.records[22 + 2 * i], &weight = run.records[22 + 2 * i + 1];
    EXPECT_EQ(input.cta, 1u);
    EXPECT_EQ(input.mask, 1u);
    EXPECT_EQ(input.address[0], base + 256 + 4 * i);
    EXPECT_EQ(weight.address[0], base + 512 + 4 * (10 + i));
  }
  EXPECT_EQ(run.records[22 + 20].address[0], base + 4);
  EXPECT_EQ(run.records[22 + 21].address[0], base + 768 + 4);
}

TEST(GeneratedKernels, Im2colWritesColumnsAndReadsInsideTheImage) {
  constexpr std::int64_t channels = 3, side = 9, kernel = 5, stride = 2, pad = 2, out = 5;
  const auto run = run_kernels("builtin:im2col?channels=3,size=9,kernel=5,stride=2,pad=2")[0];
  const std::uint64_t columns = behind(base, 4 * channels * side * side);
  Addresses expected;
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t y = -pad; y <= side + pad - kernel; y += stride)
      for (std::int64_t x = -pad; x <= side + pad - kernel; x += stride)
        for (std::int64_t i = 0; i < kernel; ++i)
          for (std::int64_t j = 0; j < kernel; ++j)
            if (x + j >= 0 && x + j < side && y + i >= 0 && y + i < side)
              expected.insert(base + static_cast<std::uint64_t>(4 * ((c * side + y + i) * side + x + j)));
  EXPECT_EQ(touched(run.records, AccessKind::load, base, ~0ull), expected);
  EXPECT_EQ(touched(run.records, AccessKind::store, base, ~0ull),
            words(columns, channels * kernel * kernel * out * out));
  // The filter's first row and column are in the image from the pixel (1, 1) on, lane 6.
  const Record &load = run.records[0], &store = run.records[1];
  EXPECT_EQ(load.mask & 0x7F, 0x40u);
  EXPECT_EQ(load.address[0], base);
  EXPECT_EQ(store.lanes(), 32);
  EXPECT_EQ(store.address[0], columns);
  EXPECT_EQ(store.address[25], columns + 4 * 25 * 25);  // the next channel's
}

// The text is generated once more, and its links are found by a search.
TEST(GeneratedKernels, InvertedIndexCountsTheLinks) {
  constexpr std::uint64_t blocks = 40, bytes = 512, seed = 3;
  const auto run = run_kernels("builtin:inverted_index?blocks=40,bytes=512,seed=3")[0];
  std::map<std::uint64_t, std::uint64_t> links;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::string text;
    for (std::uint64_t draw = 0; text.size() < bytes; ++draw) {
      const std::uint64_t bits = golden::random_bits(seed, (block << 32) + draw), kind = bits % 16;
      const char letter = static_cast<char>('a' + (bits >> 16) % 26);
      if (kind < 14) text += std::string(1 + (bits >> 8) % 9, letter) + " ";
      if (kind == 14) text += (bits >> 8 & 1) != 0 ? "<b>" : "<area>";
      const std::string link = "<a href=\"" + std::string(8 + (bits >> 8) % 48, letter) + "\">";
      if (kind == 15 && text.size() + link.size() < bytes) text += link;
    }
    text.resize(bytes);
    for (std::size_t at = 0; (at = text.find("<a href=\"", at)) != std::string::npos; ++at) ++links[block];
  }
  const std::uint64_t all =
      std::accumulate(links.begin(), links.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& one) { return sum + one.second; });
  EXPECT_GT(all, 30u);
  // Each byte is read once, the five behind a link's blank by the comparison, too, of which three are
  // skipped.
  std::size_t read = 0;
  std::map<std::uint64_t, std::uint64_t> counted;
  const std::uint64_t sums =
      behind(behind(behind(base + blocks * bytes, 16 * blocks), 12 * blocks), 16 * blocks);
  for (const Record& record : run.records) {
    if (record.bytes_per_lane == 1) read += static_cast<std::size_t>(record.lanes());
    if (record.kind != AccessKind::store) continue;
    for (const std::uint64_t address : record.addresses())
      if (address < sums + 256) ++counted[(address - sums) / 4];
  }
  EXPECT_EQ(read, blocks * bytes + 2 * all);
  EXPECT_EQ(counted, links);
  // The first bytes of 32 blocks: a line each.
  EXPECT_EQ(run.records[4].address[1] - run.records[4].address[0], 512u);
  EXPECT_EQ(run.records[4].lanes(), 32);
}

// Bodies below a node, by octants instead of insertion.
struct Tree {
  explicit Tree(const golden::Octree& octree) : octree_(octree) {}
  // Loads of masses, and of all nodes' positions, by a warp that walks through the octants of these bodies.
  struct Walk {
    std::size_t masses = 0, positions = 0;
  };
  void visit(const std::vector<std::uint32_t>& below, int depth, const std::vector<std::uint32_t>& warp,
             Walk& walk) const {
    std::map<int, std::vector<std::uint32_t>> octants;
    for (const std::uint32_t body : below) {
      const auto& p = octree_.point(static_cast<std::int32_t>(body));
      const std::int64_t half = golden::Octree::side >> (depth + 1);
      octants[(p.x / half % 2) + 2 * (p.y / half % 2) + 4 * (p.z / half % 2)].push_back(body);
    }
    for (const auto& [octant, bodies] : octants) {
      ++walk.positions;
      if (bodies.size() == 1 || far(bodies, depth, warp))
        ++walk.masses;
      else
        visit(bodies, depth + 1, warp, walk);
    }
  }

 private:
  bool far(const std::vector<std::uint32_t>& bodies, int depth,
           const std::vector<std::uint32_t>& warp) const {
    double x = 0, y = 0, z = 0;
    for (const std::uint32_t body : bodies) {
      const auto& p = octree_.point(static_cast<std::int32_t>(body));
      x += static_cast<double>(p.x) / static_cast<double>(bodies.size());
      y += static_cast<double>(p.y) / static_cast<double>(bodies.size());
      z += static_cast<double>(p.z) / static_cast<double>(bodies.size());
    }
    const double reach = static_cast<double>(golden::Octree::side >> depth);
    bool all = true;
    for (const std::uint32_t body : warp) {
      const auto& p = octree_.point(static_cast<std::int32_t>(body));
      const double dx = static_cast<double>(p.x) - x, dy = static_cast<double>(p.y) - y,
                   dz = static_cast<double>(p.z) - z;
      all &= dx * dx + dy * dy + dz * dz >= reach * reach;
    }
    return all;
  }
  const golden::Octree& octree_;
};

TEST(GeneratedKernels, BarnesHutWalksThroughTheTree) {
  constexpr std::uint32_t bodies = 700, nodes = 1407;
  const golden::Octree octree(bodies, nodes, 4);
  const auto run = run_kernels("builtin:barnes_hut?bodies=700,ctas=1,seed=4")[0];
  const std::uint64_t children = base, masses = behind(children, 32 * (nodes + 1)),
                      x = behind(masses, 4 * (nodes + 1)), y = behind(x, 4 * (nodes + 1));
  std::vector<std::uint32_t> all(bodies);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(std::set(octree.sorted().begin(), octree.sorted().end()), std::set(all.begin(), all.end()));
  std::size_t visited = 0;
  for (std::uint16_t warp = 0; warp < 8; ++warp) {
    Tree::Walk expected, got;
    std::vector<std::uint32_t> met;  // bodies below the nodes whose masses were read
    for (const Record& record : run.records) {
      if (record.is_barrier() || record.warp != warp) continue;
      const std::uint64_t at = record.address[0];
      got.positions += record.pc == 112 && at >= x && at < y;
      if (at < masses || at >= x) continue;
      ++got.masses;
      std::vector<std::int32_t> open{static_cast<std::int32_t>((at - masses) / 4)};
      while (!open.empty()) {
        const std::int32_t node = open.back();
        open.pop_back();
        if (octree.is_body(node))
          met.push_back(static_cast<std::uint32_t>(node));
        else
          for (const std::int32_t child : octree.children(node))
            if (child != golden::Octree::none) open.push_back(child);
      }
    }
    std::size_t turns = 0;
    for (std::uint32_t first = 32u * warp; first < bodies; first += 256, ++turns) {
      const std::vector<std::uint32_t> own(octree.sorted().begin() + first,
                                           octree.sorted().begin() + std::min(first + 32, bodies));
      Tree(octree).visit(all, 0, own, expected);
    }
    EXPECT_EQ(got.masses, expected.masses) << warp;
    EXPECT_EQ(got.positions, expected.positions) << warp;
    EXPECT_EQ(met.size(), turns * bodies);  // each body counts once
    visited += got.masses;
  }
  EXPECT_LT(visited, 22u * bodies);  // cells stand for their bodies
}

TEST(GeneratedKernels, RefuseLayersThatDoNotFit) {
  const auto error = [](const std::string& name) { return verif::read_source(name).error; };
  EXPECT_EQ(error("builtin:convolution_layer?pad=2"),
            "builtin:convolution_layer?pad=2: pad is not below half of kernel");
  EXPECT_EQ(error("builtin:convolution_layer?size=2"),
            "builtin:convolution_layer?size=2: size is below kernel");
  EXPECT_EQ(error("builtin:convolution_layer?size=33"),
            "builtin:convolution_layer?size=33: size is \"33\", must be from 1 to 32");
  EXPECT_EQ(error("builtin:im2col?size=4,kernel=9"),
            "builtin:im2col?size=4,kernel=9: size + 2 * pad is below kernel");
  EXPECT_EQ(error("builtin:inverted_index?bytes=130"),
            "builtin:inverted_index?bytes=130: bytes is \"130\", must be a multiple of 4");
}

}  // namespace
