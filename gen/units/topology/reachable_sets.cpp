#include "gen/units/topology/reachable_sets.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "hw/index/index_unit.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology.h"

namespace gen {
namespace {

// The set of a block address, by the facts of the index unit.
class SetOf {
 public:
  explicit SetOf(const hw::IndexParams& p)
      : facts_(hw::index_unit(p, "index").facts), offset_(hw::offset_bits(p)) {
    for (const auto& taps : facts_.taps) {
      rows_.push_back(0);
      for (const int tap : taps) rows_.back() |= std::uint64_t{1} << tap;
    }
  }

  std::uint64_t operator()(std::uint64_t address) const {
    if (facts_.prime) return (address >> offset_) % static_cast<unsigned>(facts_.prime);
    std::uint64_t set = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      set |= std::uint64_t{std::popcount(address & rows_[i]) % 2u} << i;
    return set;
  }

 private:
  hw::IndexFacts facts_;
  int offset_;
  std::vector<std::uint64_t> rows_;
};

std::uint64_t home_of(const hw::HomeMap& map, std::uint64_t address) {
  const std::uint64_t block = address >> 8;
  if (map.by_address) return block % static_cast<unsigned>(map.homes);
  return block % static_cast<unsigned>(map.slices) / static_cast<unsigned>(map.slices_a_home);
}

}  // namespace

std::vector<int> reachable_sets(const hw::TopologyParams& p) {
  const hw::HomeMap map = hw::home_map(p.shape);
  const bool squeezed = hw::squeezed_bits(p) > 0;
  if (!hw::kind_of(p.shape.kind).caches_in_nodes || map.homes == 1 || squeezed ||
      p.l1d.index.kind == hw::IndexKind::adi)
    return {};
  const SetOf set_of(p.l1d.index);
  const auto homes = static_cast<std::uint64_t>(map.homes),
             sets = static_cast<std::uint64_t>(p.l1d.index.sets);
  const int line_bits = hw::block_address_bits(p.l1d.index), offset = hw::offset_bits(p.l1d.index);
  // Lines spread over the whole address space, as many as all pairs of home and set are likely to be met by.
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - line_bits);
  const std::uint64_t wanted = std::clamp<std::uint64_t>(32 * homes * sets, 1 << 16, 1 << 22);
  std::vector<bool> met(homes * sets);
  for (std::uint64_t n = 0; n < std::min(wanted, mask + 1); ++n) {
    const std::uint64_t address = (n * 0x9E3779B97F4A7C15u & mask) << offset;
    met[home_of(map, address) * sets + set_of(address)] = true;
  }
  std::vector<int> reached;
  for (std::uint64_t h = 0; h < homes; ++h)
    reached.push_back(
        static_cast<int>(std::count(met.begin() + static_cast<std::ptrdiff_t>(h * sets),
                                    met.begin() + static_cast<std::ptrdiff_t>((h + 1) * sets), true)));
  return reached;
}

}  // namespace gen
