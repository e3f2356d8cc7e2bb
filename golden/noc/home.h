// Golden home selection: which slice, home and node an address belongs to, and what a node's cache sees of it
// (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <bit>
#include <cstdint>

#include "golden/bits.h"

namespace golden {

// How addresses and cores are dealt to slices and nodes: L, M, O and X/Z of the contract.
struct HomeRule {
  int slices = 1;         // L
  int homes = 1;          // M: nodes a cluster
  int slices_a_home = 1;  // slices in a row that have one home; 0: homes are (A >> 8) mod M
  int outputs = 1;        // of a NoC#2 request crossbar: L, or O
  int cluster_cores = 1;  // X/Z
  bool cuts = false;      // a node's cache may go without its home
};

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

  constexpr Home(const HomeRule& rule, bool squeeze)
      : rule_(rule), field_(squeeze && rule.cuts ? home_field() : BitField{}) {}

  constexpr Place of(std::uint64_t address) const {
    const auto above = [&](int n) { return static_cast<int>((address >> 8) % static_cast<unsigned>(n)); };
    Place p{.slice = above(rule_.slices), .cache_address = field_.cut(address)};
    p.home = rule_.slices_a_home ? p.slice / rule_.slices_a_home : above(rule_.homes);
    p.output = p.slice % rule_.outputs;
    return p;
  }

  // The node that serves a core's requests for this home.
  constexpr int node(int core, int home) const { return core / rule_.cluster_cores * rule_.homes + home; }

  // What is cut; no bits where the whole address goes in.
  constexpr const BitField& field() const { return field_; }
  constexpr const HomeRule& rule() const { return rule_; }

 private:
  // The home, where it is a field of the address.
  constexpr BitField home_field() const {
    const auto power_of_two = [](int n) { return std::has_single_bit(static_cast<unsigned>(n)); };
    const bool of_slices = rule_.slices_a_home > 0;
    if (!power_of_two(rule_.homes) || (of_slices && !power_of_two(rule_.slices))) return {};
    return {8 + (of_slices ? bits_for(rule_.slices / rule_.homes) : 0), bits_for(rule_.homes)};
  }

  HomeRule rule_;
  BitField field_;
};

}  // namespace golden
