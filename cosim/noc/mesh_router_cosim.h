// Lock step of a router of a mesh and its reference model, at every position in the mesh: every port and
// every register of the allocator in every cycle, with properties that do not come from the model.
#pragma once
#include <optional>
#include <utility>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/noc/flit_compare.h"
#include "cosim/noc/flit_ports.h"
#include "cosim/noc/mesh_scoreboard.h"
#include "cosim/noc/mesh_traffic.h"
#include "cosim/noc/vc_faults.h"
#include "golden/noc/mesh_router.h"

namespace verif {

// `Wires` names the ports: see gen/units/noc/flit_keys.h, which writes it.
template <class Dut, hw::MeshRouterParams P, class Wires>
class MeshRouterBench {
 public:
  static constexpr int data_bits = 8 * P.flit_bytes, width = data_bits + P.side_bits, ports = hw::mesh_ports;
  using Payload = std::bitset<width>;
  using Golden = golden::MeshRouter<P, Payload>;
  using Flit = typename Golden::Flit;
  using Flits = FlitPorts<Wires, Flit, &Flit::destination, data_bits, P.side_bits>;
  struct Inputs {
    bool rst = false;
    int column = 0, row = 0;
    typename Golden::template Ports<Flit> in{};
    typename Golden::template Ports<int> credit{};
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs().out[0].has_value();
      in.rst ? golden.reset(in.column, in.row) : golden.edge(in.in, in.credit);
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    const bool behind_a_fault = faults_.running();
    Inputs in{.rst = std::exchange(first_, false) || (behind_a_fault ? faults_.ends() : once_in(draw, 2000))};
    if (in.rst)
      traffic_.reset(draw);
    else if (!behind_a_fault)
      traffic_.draw(draw, in.in, in.credit);
    if constexpr (P.checks)
      if (!in.rst && !behind_a_fault)
        faults_.alter(draw, golden_.crossbar().check(), golden_.crossbar().outputs(), in.in, in.credit);
    in.column = traffic_.column(), in.row = traffic_.row();
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    dut.column = static_cast<std::uint8_t>(in.column), dut.row = static_cast<std::uint8_t>(in.row);
    Flits::drive(dut, in.in, in.credit);
  }

  static std::string words(const Inputs& in) {
    return fmt::format("at {},{}: {}", in.column, in.row, Flits::words(in.in, in.credit));
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if constexpr (P.checks) {
      const std::uint64_t code = hw::code_of(golden_.crossbar().check().code());
      if (const auto d = difference<4>("protocol_error_code", dut.protocol_error_code, code)) return d;
      if (const auto d = difference<1>("protocol_error", dut.protocol_error, code != 0)) return d;
      if (in.rst)
        if (const auto d = faults_.reset(dut.protocol_error_code)) return d;
      if (golden_.crossbar().undefined()) return in.rst ? std::nullopt : faults_.undefined();
    }
    if (const auto d = compare_.differ(dut, golden_.outputs(), "destination", true)) return d;
    if (in.rst) return {};  // the traffic is that of the next position already
    for (int n = 0; n < ports; ++n)
      if (!traffic_.exists(n) && (compare_.shown().out[n] || compare_.shown().credit[n]))
        return Difference{fmt::format("port {} at the edge of the mesh", n), 1, 0};
    if (const auto d = scoreboard_.leave(compare_.shown().out)) return d;
    emptying_ = traffic_.empties() ? emptying_ + 1 : 0;
    if (emptying_ > 200 && !scoreboard_.empty()) return Difference{"flits that stay inside", 1, 0};
    return {};
  }

  void edge(const Inputs& in) {
    faults_.edge();
    if (in.rst) {
      golden_.reset(in.column, in.row);
      scoreboard_.reset();
      emptying_ = 0;
      ++seen_["reset"];
      return;
    }
    if (faults_.running()) return golden_.edge(in.in, in.credit);
    nodes_.set(static_cast<std::size_t>(in.row * P.width + in.column));
    traffic_.see(compare_.shown().out, compare_.shown().credit);
    scoreboard_.enter(in.column, in.row, in.in);
    golden_.edge(in.in, in.credit);
    const auto& step = golden_.crossbar().last_step();
    allocator_.add(step);
    seen_["emptied"] += emptying_ > 200;
    for (const auto& m : step.matches) served_.set(static_cast<std::size_t>((m.input_vc * ports + m.output)));
    if (!in.in[0]) return;
    for (int n = 1; n < ports; ++n) seen_["the edge of the mesh"] += !traffic_.exists(n);
  }

  void see_state(const SeenState& seen) { compare_.see_state(seen, golden_); }

  void add_golden(Waves& waves) { waves.add_golden("emptying", 16, &emptying_); }

  Goals goals() {
    allocator_.add_goals(seen_);
    if constexpr (P.checks) faults_.goals(seen_);
    seen_["each node of the mesh"] = nodes_.all();
    seen_["each input VC to each output"] = all_served();
    return seen_;
  }

 private:
  // Straight through a router takes three in line: in a mesh of two no router has both of those ports.
  static bool reachable(int input, int output) {
    const auto both = [&](int a, int b) {
      return (input == a && output == b) || (input == b && output == a);
    };
    return !(both(hw::mesh_west, hw::mesh_east) && P.width < 3) &&
           !(both(hw::mesh_north, hw::mesh_south) && P.height < 3);
  }

  bool all_served() const {
    for (int k = 0; k < ports * P.vcs; ++k)
      for (int j = 0; j < ports; ++j)
        if (reachable(k / P.vcs, j) && !served_[static_cast<std::size_t>(k * ports + j)]) return false;
    return true;
  }

  static constexpr hw::CrossbarParams crossbar{.inputs = ports,
                                               .outputs = ports,
                                               .flit_bytes = P.flit_bytes,
                                               .vcs = P.vcs,
                                               .vc_depth = P.vc_flits,
                                               .checks = P.checks};

  Golden golden_;
  VcFaults<crossbar, Flit, &Flit::destination, true> faults_;
  MeshScoreboard<P, Flit> scoreboard_;
  MeshTraffic<P, Flit> traffic_;
  FlitCompare<Golden, Flits> compare_;
  AllocatorEvents<std::remove_cvref_t<decltype(std::declval<Golden>().crossbar().last_step())>> allocator_;
  std::bitset<static_cast<std::size_t>(P.width* P.height)> nodes_;
  std::bitset<static_cast<std::size_t>(ports* P.vcs* ports)> served_;
  std::uint64_t emptying_ = 0;  // cycles since nothing enters
  bool first_ = true;
  Goals seen_{{"reset", 0}, {"emptied", 0}, {"the edge of the mesh", 0}};
};

}  // namespace verif
