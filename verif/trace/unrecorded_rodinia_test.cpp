// Kernels of Rodinia without a recording, beside their programs' loops run thread by thread.
#include <gtest/gtest.h>

#include <map>

#include "golden/trace/kernels/glibc_random.h"
#include "verif/trace/touched.h"

namespace {

using golden::AccessKind;
using golden::Record;
using verif::Addresses;
using verif::base;
using verif::behind;
using verif::run_kernels;
using verif::touched;

// A node as the program has it.
struct Knode {
  std::vector<std::int64_t> keys, indices;
};

// The tree of the keys 0, 1, 2, ..., level by level from its leaves: a node but the last of its level has 128
// children. A leaf begins with a key below all others; unused keys are above all others.
std::vector<Knode> tree_of(std::int64_t keys, std::int64_t& height) {
  constexpr std::int64_t above = 1 << 30;
  std::vector<std::vector<Knode>> levels(1);
  for (std::int64_t first = 0; first < keys;) {
    const std::int64_t count = keys - first < 256 ? keys - first : 128;
    Knode& leaf = levels[0].emplace_back();
    leaf.keys = {std::int64_t{-1}}, leaf.indices = {std::int64_t{0}};
    for (std::int64_t i = 0; i < count; ++i)
      leaf.keys.push_back(first + i), leaf.indices.push_back(first + i);
    first += count;
  }
  std::vector<std::int64_t> lowest;  // key below each node of the level
  for (std::size_t n = 0; n < levels[0].size(); ++n) lowest.push_back(n == 0 ? -1 : levels[0][n].keys[1]);
  while (levels.back().size() > 1) {
    const auto below = static_cast<std::int64_t>(levels.back().size());
    std::vector<Knode> level;
    std::vector<std::int64_t> next;
    for (std::int64_t first = 0; first < below;) {
      const std::int64_t count = below - first <= 256 ? below - first : 128;
      Knode& node = level.emplace_back();
      next.push_back(lowest[static_cast<std::size_t>(first)]);
      for (std::int64_t i = first; i < first + count; ++i) {
        node.keys.push_back(lowest[static_cast<std::size_t>(i)]);
        node.indices.push_back(i);
      }
      first += count;
    }
    levels.push_back(std::move(level));
    lowest = std::move(next);
  }
  std::vector<Knode> nodes;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const auto behind = static_cast<std::int64_t>(nodes.size() + level->size());
    for (Knode& node : *level) {
      if (level + 1 != levels.rend())
        for (std::int64_t& index : node.indices) index += behind;
      node.keys.resize(257, above), node.indices.resize(257, 0);
      nodes.push_back(std::move(node));
    }
  }
  height = static_cast<std::int64_t>(levels.size()) - 1;
  return nodes;
}

// findRangeK, line by line: each condition is evaluated with the loads that the compiler keeps.
void follow_ranges(std::int64_t keys, std::int64_t queries, std::int64_t range,
                   std::int64_t expected_height) {
  const auto run = run_kernels(
      fmt::format("builtin:btree_range?keys={},queries={},range={},seed=5", keys, queries, range))[0];
  std::int64_t height = 0;
  const std::vector<Knode> nodes = tree_of(keys, height);
  ASSERT_EQ(height, expected_height);
  const auto count = static_cast<std::uint64_t>(queries);
  const std::uint64_t knodes = base, current = behind(knodes, 2068 * nodes.size()),
                      offset = behind(current, 8 * count), last = behind(offset, 8 * count),
                      offset_2 = behind(last, 8 * count), start = behind(offset_2, 8 * count),
                      end = behind(start, 4 * count), records = behind(end, 4 * count),
                      lengths = behind(records, 4 * count);
  golden::GlibcRandom random(5);
  Addresses loads, stores;
  std::int64_t found = 0, at_the_end = 0;
  for (std::uint64_t query = 0; query < count; ++query) {
    std::int64_t from = random.below(static_cast<std::uint32_t>(keys)), to = from + range;
    if (to >= keys) from -= to - keys, to = keys - 1, ++at_the_end;
    const auto load = [&](std::uint64_t address) { loads.insert(address); };
    const auto store = [&](std::uint64_t address) { stores.insert(address); };
    std::int64_t place[2] = {0, 0}, next[2] = {0, 0};
    const std::int64_t wanted[2] = {from, to};
    const std::uint64_t place_at[2] = {current, last}, next_at[2] = {offset, offset_2},
                        wanted_at[2] = {start, end};
    const auto at = [&](int side) { return knodes + 2068 * static_cast<std::uint64_t>(place[side]); };
    for (std::int64_t level = 0; level < height; ++level) {
      for (int side = 0; side < 2; ++side)
        for (std::uint64_t thread = 0; thread < 256; ++thread) {
          const Knode& node = nodes[static_cast<std::size_t>(place[side])];
          load(place_at[side] + 8 * query), load(at(side) + 1032 + 4 * thread);
          load(wanted_at[side] + 4 * query);
          if (node.keys[thread] > wanted[side]) continue;
          load(at(side) + 1032 + 4 * (thread + 1));
          if (node.keys[thread + 1] <= wanted[side]) continue;
          load(at(side) + 4 + 4 * thread);
          next[side] = node.indices[thread];
          store(next_at[side] + 8 * query);
        }
      for (int side = 0; side < 2; ++side) {
        load(next_at[side] + 8 * query), store(place_at[side] + 8 * query);
        place[side] = next[side];
      }
    }
    for (int side = 0; side < 2; ++side)
      for (std::uint64_t thread = 0; thread < 256; ++thread) {
        const Knode& node = nodes[static_cast<std::size_t>(place[side])];
        load(place_at[side] + 8 * query), load(at(side) + 1032 + 4 * thread);
        load(wanted_at[side] + 4 * query);
        if (node.keys[thread] != wanted[side]) continue;
        load(at(side) + 4 + 4 * thread);
        if (side == 1) load(records + 4 * query);
        store((side == 0 ? records : lengths) + 4 * query);
        ++found;
      }
  }
  EXPECT_EQ(found, 2 * queries);
  EXPECT_GT(at_the_end, 0);
  EXPECT_EQ(touched(run.records, AccessKind::load), loads);
  EXPECT_EQ(touched(run.records, AccessKind::store), stores);
  // Two barriers a level, and one.
  EXPECT_EQ(std::ranges::count_if(run.records, [](const Record& r) { return r.is_barrier(); }),
            queries * 8 * (2 * height + 1));
}

TEST(UnrecordedRodinia, BTreeRangeFollowsTheProgram) {
  follow_ranges(40000, 40, 900, 2);
  follow_ranges(300, 400, 150, 1);  // some ranges end one key behind the last
}

// Where a level's input is read and its output is written, by the mathematics of the transform: a window and
// two rows and columns in front of it, one behind it, mirrored at the edges; the coefficients band by band.
struct Level {
  std::int64_t width, height, window, rows;

  static std::int64_t mirrored(std::int64_t at, std::int64_t size) {
    return std::min(std::abs(at), 2 * size - 2 - at);
  }
  Addresses reads(std::uint64_t from) const {
    Addresses out;
    for (std::int64_t top = 0; top < height; top += rows)
      for (std::int64_t left = 0; left < width; left += window)
        for (std::int64_t y = top - 2; y <= top + rows; ++y)
          for (std::int64_t x = left - 2; x <= left + window; ++x)
            out.insert(from +
                       4 * static_cast<std::uint64_t>(mirrored(y, height) * width + mirrored(x, width)));
    return out;
  }
  Addresses writes(std::uint64_t to) const {
    Addresses out;
    for (std::int64_t i = 0; i < width * height; ++i) out.insert(to + 4 * static_cast<std::uint64_t>(i));
    return out;
  }
};

TEST(UnrecordedRodinia, Dwt2dReadsMirroredWindowsAndWritesBands) {
  const auto run = run_kernels("builtin:dwt2d?width=1001,height=131,levels=2");
  ASSERT_EQ(run.size(), 7u);
  constexpr std::uint64_t bytes = 4 * 1001 * 131;
  std::uint64_t at[8] = {base};
  for (int n = 1; n < 8; ++n) at[n] = behind(at[n - 1], bytes);
  // Red's output, the copy, green's, blue's, the components, the source.
  const std::uint64_t to[] = {at[0], at[2], at[3]}, from[] = {at[4], at[5], at[6]};
  Addresses source, separated;
  for (std::uint64_t word = 0; word < (1001 * 131 + 255) / 256 * 192; ++word) source.insert(at[7] + 4 * word);
  for (const std::uint64_t component : from)
    for (std::uint64_t i = 0; i < 1001 * 131; ++i) separated.insert(component + 4 * i);
  EXPECT_EQ(touched(run[0].records, AccessKind::load), source);
  EXPECT_EQ(touched(run[0].records, AccessKind::store), separated);
  // 131 rows are two steps of eight a window, 66 are one.
  const Level levels[] = {{1001, 131, 192, 16}, {501, 66, 128, 8}};
  for (std::size_t n = 0; n < 6; ++n) {
    const auto& records = run[1 + n].records;
    EXPECT_EQ(touched(records, AccessKind::load), levels[n % 2].reads(from[n / 2])) << n;
    EXPECT_EQ(touched(records, AccessKind::store), levels[n % 2].writes(to[n / 2])) << n;
  }
  // Columns 2 and 3 of row 1, which threads 1 and 97 of the first window write, are in the lower bands:
  // behind the upper ones, 66 rows of 1001.
  const auto store = [&](std::uint16_t warp, int lane) {
    int row = 0;
    for (const Record& record : run[1].records)
      if (record.cta == 0 && record.warp == warp && record.kind == AccessKind::store && row++ == 1)
        return (record.address[static_cast<std::size_t>(lane)] - to[0]) / 4;
    return std::uint64_t{0};
  };
  EXPECT_EQ(store(0, 1), 66u * 1001 + 1);
  EXPECT_EQ(store(3, 1), 66u * 1001 + 65 * 501 + 1);
}

// The program's loops, thread by thread; neighbours by their distance.
TEST(UnrecordedRodinia, LavaMdVisitsNeighboursBoxes) {
  constexpr std::int64_t side = 3, boxes = side * side * side;
  for (const bool registers : {false, true}) {
    const auto run =
        run_kernels(registers ? "builtin:lavamd?boxes=3,registers=1" : "builtin:lavamd?boxes=3")[0];
    const std::uint64_t box_at = base, positions = behind(box_at, 656 * boxes),
                        charges = behind(positions, 3200 * boxes), forces = behind(charges, 800 * boxes);
    const auto near = [&](std::int64_t a, std::int64_t b) {
      bool all = true;
      for (const std::int64_t step : {1, 3, 9}) all = all && std::abs(a / step % side - b / step % side) <= 1;
      return all;
    };
    std::map<std::uint64_t, std::int64_t> loads, stores;  // times by address
    for (std::int64_t home = 0; home < boxes; ++home)
      for (std::uint64_t thread = 0; thread < 128; ++thread) {
        const auto of = [&](std::uint64_t buffer, std::uint64_t bytes, std::int64_t box) {
          return buffer + bytes * (100 * static_cast<std::uint64_t>(box) + thread);
        };
        const auto field = [&](std::int64_t box, std::uint64_t at) {
          return box_at + 656 * static_cast<std::uint64_t>(box) + at;
        };
        ++loads[field(home, 16)], ++loads[field(home, 24)];
        for (std::uint64_t part = 0; part < 32 && thread < 100; part += 8)
          ++loads[of(positions, 32, home) + part];
        std::uint64_t neighbours = 0;
        for (std::int64_t other = 0; other < boxes; ++other) {
          if (!near(home, other)) continue;
          if (other != home) ++loads[field(home, 32 + 24 * neighbours++ + 12)];
          ++loads[field(other, 16)], ++loads[field(home, 24)];
          if (thread >= 100) continue;
          ++loads[of(charges, 8, other)];
          for (std::uint64_t part = 0; part < 32; part += 8) {
            ++loads[of(positions, 32, other) + part];
            loads[of(forces, 32, home) + part] += registers ? 1 : 100;
            stores[of(forces, 32, home) + part] += registers ? 1 : 100;
          }
        }
      }
    std::map<std::uint64_t, std::int64_t> loaded, stored;
    for (const Record& record : run.records)
      for (const std::uint64_t address : record.addresses())
        ++(record.kind == AccessKind::load ? loaded : stored)[address];
    EXPECT_EQ(loaded, loads) << registers;
    EXPECT_EQ(stored, stores) << registers;
  }
  // A pair's force is read and written part by part.
  std::string order;
  const auto records = run_kernels("builtin:lavamd?boxes=1")[0].records;
  for (const Record& record : records)
    if (record.warp == 3 && record.pc >= 130 && record.pc < 160 && order.size() < 16) {
      EXPECT_EQ(record.lanes(), 4);
      order += record.kind == AccessKind::load ? 'l' : 's';
    }
  EXPECT_EQ(order, "lslslslslslslsls");
}

}  // namespace
