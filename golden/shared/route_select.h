// Golden homes and routes of shared L1s (DC-L1 thesis, section 4.3; docs/contracts/shared-l1.md).
#pragma once
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "hw/shared/route_params.h"

namespace golden {

enum class Way { local, home, direct };

class RouteSelect {
 public:
  explicit RouteSelect(const hw::RouteParams& p) : p_(p) {
    std::vector<bool> taken(static_cast<std::size_t>(p.width * p.height));
    for (const int node : p.memory_nodes) taken[static_cast<std::size_t>(node)] = true;
    for (int node = 0; node < p.width * p.height; ++node)
      if (!taken[static_cast<std::size_t>(node)]) cores_.push_back(node);
  }

  // The core bits of an address, before they are folded.
  int core_bits(std::uint64_t address) const {
    return static_cast<int>(tag(address) % std::bit_ceil(static_cast<unsigned>(p_.cores)));
  }
  int home(std::uint64_t address) const {
    const auto cores = static_cast<unsigned>(p_.cores);
    if (p_.home == hw::HomeKind::tag_mod) return static_cast<int>(tag(address) % cores);
    return core_bits(address) % p_.cores;
  }
  int slice(std::uint64_t address) const {
    return static_cast<int>(address / 256 % static_cast<unsigned>(p_.slices));
  }

  int core_node(int core) const { return cores_[static_cast<std::size_t>(core)]; }
  int slice_node(int slice) const { return p_.memory_nodes[slice]; }
  int hops(int from, int to) const {
    return std::abs(from % p_.width - to % p_.width) + std::abs(from / p_.width - to / p_.width);
  }
  int hops_to_home(int core, std::uint64_t address) const {
    return hops(core_node(core), core_node(home(address)));
  }
  int hops_to_slice(int core, std::uint64_t address) const {
    return hops(core_node(core), slice_node(slice(address)));
  }

  // A load, store or atomic; or another request, which passes all L1s. `shared`: the organisation of the
  // line's set; `written`: the core may have stored to the line past its home.
  Way way(int core, std::uint64_t address, bool of_l1, bool shared, bool written) const {
    if (!of_l1) return Way::direct;
    if (!shared || home(address) == core) return Way::local;
    if (written) return Way::direct;
    if (p_.min_home_l2 && hops_to_slice(core, address) < hops_to_home(core, address)) return Way::direct;
    return Way::home;
  }

 private:
  std::uint64_t tag(std::uint64_t address) const {
    return address / (static_cast<unsigned>(p_.line_bytes) * std::uint64_t{static_cast<unsigned>(p_.sets)});
  }

  hw::RouteParams p_;
  std::vector<int> cores_;  // nodes that no slice takes
};

}  // namespace golden
