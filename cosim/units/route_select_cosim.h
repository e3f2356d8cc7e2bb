// Lock step of routes of shared L1s and their reference model, for each core; and properties that do not come
// from the model: one way is taken, and the nodes it leads to are of the right sort.
#pragma once
#include <algorithm>
#include <bitset>

#include "cosim/harness/cycle_cosim.h"
#include "golden/shared/route_select.h"

namespace verif {

template <class Dut, hw::RouteParams P>
class RouteSelectBench {
 public:
  struct Inputs {
    bool rst = false;  // not a port
    int core = 0, kind = 0;
    std::uint64_t address = 0;
    bool shared = false, written = false;
  };
  struct Alone {
    golden::RouteSelect golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += static_cast<std::uint64_t>(golden.way(in.core, in.address, in.kind < 3, in.shared, in.written));
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    return {.core = static_cast<int>(draw() % P.cores),
            .kind = static_cast<int>(draw() % 4),
            .address = draw() & ~std::uint64_t{0} >> (64 - P.address_bits),
            .shared = draw() % 4 > 0,
            .written = draw() % 4 == 0};
  }

  static void drive(Dut& dut, const Inputs& in) {
    static const golden::RouteSelect route{P};
    dut.core = static_cast<std::uint8_t>(in.core);
    if constexpr (requires { dut.node; }) dut.node = static_cast<std::uint8_t>(route.core_node(in.core));
    put(dut.request_address, std::bitset<64>(in.address));
    dut.request_kind = static_cast<std::uint8_t>(in.kind);
    dut.request_shared = in.shared, dut.request_written = in.written;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("core {}, kind {}, {:#x}, shared {:d}, written {:d}", in.core, in.kind, in.address,
                       in.shared, in.written);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const auto differs = [](const char* what, auto got, auto want) {
      return Difference{what, static_cast<std::uint64_t>(got), static_cast<std::uint64_t>(want)};
    };
    if (dut.to_l1 + dut.to_home + dut.direct != 1)
      return differs("ways that are taken", dut.to_l1 + dut.to_home + dut.direct, 1);
    const golden::Way way = golden_.way(in.core, in.address, in.kind < 3, in.shared, in.written);
    if (dut.to_l1 != (way == golden::Way::local)) return differs("to_l1", dut.to_l1, !dut.to_l1);
    if (dut.direct != (way == golden::Way::direct)) return differs("direct", dut.direct, !dut.direct);
    const int home = golden_.core_node(golden_.home(in.address)),
              slice = golden_.slice_node(golden_.slice(in.address));
    if (dut.home_node != home) return differs("home_node", dut.home_node, home);
    if (dut.slice_node != slice) return differs("slice_node", dut.slice_node, slice);
    if (std::ranges::find(P.memory_nodes, dut.home_node) != P.memory_nodes.end())
      return differs("home_node, a slice's", dut.home_node, 0);
    if (std::ranges::find(P.memory_nodes, dut.slice_node) == P.memory_nodes.end())
      return differs("slice_node, a core's", dut.slice_node, 0);
    return {};
  }

  void edge(const Inputs& in) {
    const golden::Way way = golden_.way(in.core, in.address, in.kind < 3, in.shared, in.written);
    const bool asks_home = in.shared && in.kind < 3 && golden_.home(in.address) != in.core;
    seen_["local, a private L1"] += way == golden::Way::local && !in.shared;
    seen_["local, the own home"] += way == golden::Way::local && in.shared;
    seen_["to the home"] += way == golden::Way::home;
    seen_["direct, not of L1s"] += way == golden::Way::direct && in.kind == 3;
    seen_["direct, written"] += asks_home && in.written;
    const int far = golden_.hops_to_home(in.core, in.address),
              near = golden_.hops_to_slice(in.core, in.address);
    if (P.min_home_l2) {
      seen_["direct, nearer"] += asks_home && !in.written && near < far;
      seen_["a tie goes home"] += asks_home && !in.written && near == far;
    }
    if (P.home == hw::HomeKind::core_bits && !std::has_single_bit(static_cast<unsigned>(P.cores)))
      seen_["a fold"] += golden_.core_bits(in.address) >= P.cores;
    homes_.set(static_cast<std::size_t>(golden_.home(in.address)));
    slices_.set(static_cast<std::size_t>(golden_.slice(in.address)));
    shown_ = static_cast<std::uint64_t>(way);
  }

  void add_golden(Waves& waves) { waves.add_golden("way", 2, &shown_); }

  Goals goals() {
    seen_["each home"] = homes_.count() == static_cast<std::size_t>(P.cores);
    seen_["each slice"] = slices_.count() == static_cast<std::size_t>(P.slices);
    return seen_;
  }

 private:
  golden::RouteSelect golden_{P};
  std::bitset<128> homes_, slices_;
  std::uint64_t shown_ = 0;
  Goals seen_;
};

}  // namespace verif
