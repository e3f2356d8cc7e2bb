// Generated bodies in an octree, the same on every machine: positions are integers.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "golden/trace/kernels/random.h"

namespace golden {

// As Barnes and Hut have it: cells are split until each octant has one body at most. Bodies have the numbers
// from 0 on; cells count down from `nodes`, the root, in the order in which bodies, inserted one by one, need
// them. The children of a cell stand in the order of their octants, existing ones first.
class Octree {
 public:
  static constexpr std::int64_t side = std::int64_t{1} << 40;
  static constexpr std::int32_t none = -1;
  struct Point {
    std::int64_t x, y, z;
  };

  // Bodies are drawn around the middle: the sum of two even draws along each axis.
  Octree(std::uint32_t bodies, std::uint32_t nodes, std::uint64_t seed)
      : bodies_(bodies), nodes_(nodes), points_(nodes + 1), children_(nodes + 1) {
    for (std::uint32_t b = 0; b < bodies; ++b) {
      const auto draw = [&](std::uint64_t axis) {
        const std::uint64_t bits = random_bits(seed, 3 * std::uint64_t{b} + axis);
        return static_cast<std::int64_t>((bits >> 45) + (bits & 0x7FFFF)) << 20;  // below 2^40
      };
      points_[b] = {draw(0) + b, draw(1), draw(2)};  // no two at one position
    }
    for (auto& children : children_) children.fill(none);
    for (std::uint32_t b = 0; b < bodies; ++b) insert(static_cast<std::int32_t>(b));
    finish(static_cast<std::int32_t>(nodes), sorted_);
  }

  std::uint32_t bodies() const { return bodies_; }
  bool fits() const { return fits_; }  // there were cells for all bodies
  std::uint32_t root() const { return nodes_; }
  bool is_body(std::int32_t node) const { return node < static_cast<std::int32_t>(bodies_); }
  const std::array<std::int32_t, 8>& children(std::int32_t cell) const {
    return children_[static_cast<std::size_t>(cell)];
  }
  // Of a body, or the middle of the bodies of a cell.
  const Point& point(std::int32_t node) const { return points_[static_cast<std::size_t>(node)]; }
  // Bodies as a walk through the tree meets them.
  const std::vector<std::uint32_t>& sorted() const { return sorted_; }

  // Whether a point is so far from a child of a cell at this depth that the child counts as one body: twice
  // the child's side, the side of the cell.
  static bool is_far(const Point& a, const Point& b, int depth) {
    // In units of 2^12, so that squares stay below 2^63.
    const std::int64_t x = (a.x - b.x) >> 12, y = (a.y - b.y) >> 12, z = (a.z - b.z) >> 12;
    const std::int64_t reach = (side >> 12) >> depth;
    return x * x + y * y + z * z >= reach * reach;
  }

 private:
  static std::size_t octant(const Point& p, int depth) {
    const int bit = 39 - depth;
    return static_cast<std::size_t>((p.x >> bit & 1) | (p.y >> bit & 1) << 1 | (p.z >> bit & 1) << 2);
  }

  void insert(std::int32_t body) {
    auto cell = static_cast<std::size_t>(nodes_);
    for (int depth = 0;; ++depth) {
      std::int32_t& child = children_[cell][octant(point(body), depth)];
      if (child == none) {
        child = body;
        return;
      }
      if (is_body(child)) {  // a new cell takes both
        if (next_ < bodies_) {
          fits_ = false;
          return;
        }
        const std::int32_t other = child;
        child = static_cast<std::int32_t>(next_--);
        children_[static_cast<std::size_t>(child)][octant(point(other), depth + 1)] = other;
      }
      cell = static_cast<std::size_t>(child);
    }
  }

  // Moves children to the front and finds the middle of the bodies; returns how many they are.
  std::int64_t finish(std::int32_t cell, std::vector<std::uint32_t>& sorted) {
    auto& children = children_[static_cast<std::size_t>(cell)];
    std::array<std::int32_t, 8> kept;
    kept.fill(none);
    std::size_t count = 0;
    std::int64_t all = 0;
    Point sum{};
    for (const std::int32_t child : children) {
      if (child == none) continue;
      kept[count++] = child;
      std::int64_t below = 1;
      if (is_body(child))
        sorted.push_back(static_cast<std::uint32_t>(child));
      else
        below = finish(child, sorted);
      const Point& p = point(child);
      sum = {sum.x + p.x * below, sum.y + p.y * below, sum.z + p.z * below};
      all += below;
    }
    children = kept;
    points_[static_cast<std::size_t>(cell)] = {sum.x / all, sum.y / all, sum.z / all};
    return all;
  }

  std::uint32_t bodies_, nodes_, next_ = nodes_ - 1;
  bool fits_ = true;
  std::vector<Point> points_;
  std::vector<std::array<std::int32_t, 8>> children_;
  std::vector<std::uint32_t> sorted_;
};

}  // namespace golden
