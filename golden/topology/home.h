// Golden home selection: which slice, home and node an address belongs to, and what a node's cache sees of it
// (DC-L1 thesis, chapter 5; docs/dc-l1-timing.md).
#pragma once
#include <bit>
#include <cstdint>

#include "hw/topology/home_params.h"

namespace golden {

// Bits that number n things.
constexpr int bits_for(int n) { return std::bit_width(static_cast<unsigned>(n - 1)); }

// The sizes that follow from a topology's: Z, M, O of the contract.
struct TopologySizes {
  int clusters = 1;  // Z
  int homes = 1;     // M: nodes a cluster
  int outputs = 1;   // O: outputs of a NoC#2 request crossbar

  int cluster_cores = 1;   // inputs of a NoC#1 request crossbar
  int noc1_crossbars = 0;  // one way
  int noc2_crossbars = 1, noc2_inputs = 1;
};

constexpr bool in_clusters(hw::TopologyKind kind) {
  return kind == hw::TopologyKind::clustered || kind == hw::TopologyKind::cdxbar;
}
// The caches stand between the networks, not at the cores.
constexpr bool caches_in_nodes(hw::TopologyKind kind) {
  return kind != hw::TopologyKind::baseline && kind != hw::TopologyKind::cdxbar;
}

constexpr TopologySizes sizes_of(const hw::TopologyShape& s) {
  TopologySizes z;
  z.outputs = s.slices;
  switch (s.kind) {
    case hw::TopologyKind::baseline:
      z.noc2_inputs = s.cores;
      return z;
    case hw::TopologyKind::private_nodes:
      z.clusters = s.nodes;
      break;
    case hw::TopologyKind::shared_nodes:
      z.homes = s.nodes;
      break;
    case hw::TopologyKind::clustered:
    case hw::TopologyKind::cdxbar:
      z.clusters = s.clusters;
      z.homes = s.nodes / s.clusters;
      z.outputs = s.slices / z.homes;
      z.noc2_crossbars = z.homes;
      break;
  }
  z.noc2_inputs = s.nodes / z.noc2_crossbars;
  z.noc1_crossbars = z.clusters;
  z.cluster_cores = s.cores / z.clusters;
  return z;
}

// The address bits low + bits - 1 down to low.
struct BitField {
  int low = 0, bits = 0;

  constexpr std::uint64_t cut(std::uint64_t address) const {
    return (address & below()) | (address >> bits & ~below());
  }
  constexpr std::uint64_t put_in(std::uint64_t address, std::uint64_t value) const {
    return (address & below()) | value << low | (address & ~below()) << bits;
  }

 private:
  constexpr std::uint64_t below() const { return (std::uint64_t{1} << low) - 1; }
};

class Home {
 public:
  // What an address comes to.
  struct Place {
    int slice = 0, home = 0;
    int output = 0;  // of the NoC#2 crossbar
    std::uint64_t cache_address = 0;
    bool operator==(const Place&) const = default;
  };

  constexpr Home(const hw::TopologyShape& shape, bool squeeze)
      : shape_(shape), sizes_(sizes_of(shape)), field_(squeeze ? home_field() : BitField{}) {}
  constexpr explicit Home(const hw::HomeParams& p) : Home(p.shape, p.squeeze) {}

  constexpr Place of(std::uint64_t address) const {
    const auto above = [&](int n) { return static_cast<int>((address >> 8) % static_cast<unsigned>(n)); };
    Place p{.slice = above(shape_.slices), .cache_address = field_.cut(address)};
    if (in_clusters(shape_.kind)) p.home = p.slice / sizes_.outputs;
    if (shape_.kind == hw::TopologyKind::shared_nodes)
      p.home = nodes_divide_slices() ? p.slice / (shape_.slices / shape_.nodes) : above(shape_.nodes);
    p.output = in_clusters(shape_.kind) ? p.slice - p.home * sizes_.outputs : p.slice;
    return p;
  }

  // The node that serves a core's requests for this home.
  constexpr int node(int core, int home) const { return core / sizes_.cluster_cores * sizes_.homes + home; }

  // What is cut; no bits where the whole address goes in.
  constexpr const BitField& field() const { return field_; }
  constexpr const TopologySizes& sizes() const { return sizes_; }

 private:
  constexpr bool nodes_divide_slices() const { return shape_.slices % shape_.nodes == 0; }

  // The home, where it is a field of the address that a node's cache would see.
  constexpr BitField home_field() const {
    const auto power_of_two = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
    if (!caches_in_nodes(shape_.kind) || sizes_.homes == 1) return {};
    if (shape_.kind == hw::TopologyKind::shared_nodes && !nodes_divide_slices())
      return power_of_two(shape_.nodes) ? BitField{8, bits_for(shape_.nodes)} : BitField{};
    if (!power_of_two(shape_.slices) || !power_of_two(sizes_.homes)) return {};
    return {8 + bits_for(shape_.slices / sizes_.homes), bits_for(sizes_.homes)};
  }

  hw::TopologyShape shape_;
  TopologySizes sizes_;
  BitField field_;
};

}  // namespace golden
