// The links of a mesh and the flits that go over each of them (DC-L1 thesis, chapter 4;
// docs/contracts/mesh.md).
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "golden/noc/mesh_router.h"
#include "golden/topology/figures.h"

namespace golden {

class MeshLinks {
 public:
  MeshLinks(int width, int height)
      : width_(width), height_(height), flits_(static_cast<std::size_t>(width * height)) {}

  // The node behind a port that is not the local one.
  static std::optional<int> neighbour(int width, int height, int node, int port) {
    const int column = node % width, row = node / width;
    switch (port) {
      case hw::mesh_north:
        return row > 0 ? std::optional(node - width) : std::nullopt;
      case hw::mesh_south:
        return row + 1 < height ? std::optional(node + width) : std::nullopt;
      case hw::mesh_west:
        return column > 0 ? std::optional(node - 1) : std::nullopt;
      default:
        return column + 1 < width ? std::optional(node + 1) : std::nullopt;
    }
  }

  void add(int node, int port, std::uint64_t flits) {
    flits_[static_cast<std::size_t>(node)][static_cast<std::size_t>(port)] += flits;
  }
  // Over each link of the way from node to node.
  void carry(int from, int to, std::uint64_t flits) {
    for (int node = from; node != to;) {
      const int port = mesh_route(width_, node % width_, node / width_, to);
      add(node, port, flits);
      node = *neighbour(width_, height_, node, port);
    }
  }

  // All that there are.
  std::vector<LinkFlits> list() const {
    std::vector<LinkFlits> links;
    for (int node = 0; node < width_ * height_; ++node)
      for (int port = 1; port < hw::mesh_ports; ++port)
        if (const auto to = neighbour(width_, height_, node, port))
          links.push_back(
              {node, *to, flits_[static_cast<std::size_t>(node)][static_cast<std::size_t>(port)]});
    return links;
  }

 private:
  int width_, height_;
  std::vector<std::array<std::uint64_t, hw::mesh_ports>> flits_;  // by node and port
};

}  // namespace golden
