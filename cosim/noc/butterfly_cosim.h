// Lock step of a butterfly and its reference model: every port and every register of the switches' allocators
// in every cycle, with properties that do not come from the model.
#pragma once
#include <optional>
#include <utility>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/noc/butterfly_scoreboard.h"
#include "cosim/noc/flit_compare.h"
#include "cosim/noc/flit_ports.h"
#include "cosim/noc/vc_faults.h"
#include "cosim/noc/vc_traffic.h"
#include "golden/noc/butterfly.h"

namespace verif {

// `Wires` names the ports: see gen/units/noc/flit_keys.h, which writes it.
template <class Dut, hw::ButterflyParams P, class Wires>
class ButterflyBench {
 public:
  static constexpr int data_bits = 8 * P.flit_bytes, width = data_bits + P.side_bits,
                       ports = hw::ports_of(P.size), switches = ports / P.size.radix;
  using Payload = std::bitset<width>;
  using Golden = golden::Butterfly<P, Payload>;
  using Flit = typename Golden::Flit;
  using Flits = FlitPorts<Wires, Flit, &Flit::destination, data_bits, P.side_bits>;
  struct Inputs {
    bool rst = false;
    typename Golden::template Ports<Flit> in{};
    typename Golden::template Ports<int> credit{};
  };
  struct Alone {
    Golden golden;
    std::size_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.outputs().out[0].has_value();
      in.rst ? golden.reset() : golden.edge(in.in, in.credit);
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    if (faults_.running()) return {.rst = faults_.ends()};
    Inputs in{.rst = std::exchange(first_, false) || once_in(draw, 4000)};
    if (in.rst) return in;
    traffic_.draw(draw, scoreboard_, golden_.outputs().out, golden_.outputs().credit, in.in, in.credit);
    if constexpr (P.checks) faults_.alter(draw, golden_.port_check(), golden_.outputs(), in.in, in.credit);
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) { Flits::drive(dut, in.in, in.credit); }
  static std::string words(const Inputs& in) { return Flits::words(in.in, in.credit); }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if constexpr (P.checks) {
      const std::uint64_t code = hw::code_of(golden_.error());
      if (const auto d = difference<4>("protocol_error_code", dut.protocol_error_code, code)) return d;
      if (const auto d = difference<1>("protocol_error", dut.protocol_error, code != 0)) return d;
      if (in.rst)
        if (const auto d = faults_.reset(dut.protocol_error_code)) return d;
      if (golden_.undefined()) return in.rst ? std::nullopt : faults_.undefined();
    }
    if (const auto d = compare_.differ(dut, golden_.outputs(), "destination", true)) return d;
    if (in.rst) return {};
    return scoreboard_.settle(compare_.shown().out, compare_.shown().credit);
  }

  void edge(const Inputs& in) {
    faults_.edge();
    if (in.rst) {
      golden_.reset();
      scoreboard_.reset();
      traffic_.reset();
      ++seen_["reset"];
      return;
    }
    if (faults_.running()) return golden_.edge(in.in, in.credit);
    scoreboard_.enter(in.in, in.credit);
    for (int i = 0; i < ports; ++i) {
      if (!in.in[at(i)] || !in.in[at(i)]->head) continue;
      sent_.set(at((i * P.vcs + in.in[at(i)]->vc) * ports + in.in[at(i)]->destination));
    }
    golden_.edge(in.in, in.credit);
    seen_["the butterfly is empty"] += scoreboard_.inside() == 0;
    inside_ = static_cast<std::uint64_t>(scoreboard_.inside());
    for (int s = 0; s < P.size.stages; ++s)
      for (int w = 0; w < switches; ++w) stages_[at(s)].add(golden_.crossbar(s, w).last_step(), at(w));
  }

  void see_state(const SeenState& seen) { compare_.see_state(seen, golden_); }

  void add_golden(Waves& waves) { waves.add_golden("flits_inside", 16, &inside_); }

  Goals goals() {
    Goals all = seen_;
    if constexpr (P.checks) faults_.goals(all);
    all["a packet from each input VC to each output"] = sent_.all();
    for (int s = 0; s < P.size.stages; ++s) stages_[at(s)].add_goals(all, fmt::format(" in stage {}", s));
    return all;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static constexpr hw::CrossbarParams as_crossbar{
      .inputs = ports, .outputs = ports, .flit_bytes = P.flit_bytes, .vcs = P.vcs, .vc_depth = P.vc_flits};
  using Scoreboard = ButterflyScoreboard<P, Flit>;
  using Step = std::remove_cvref_t<decltype(std::declval<Golden>().crossbar(0, 0).last_step())>;

  Golden golden_;
  Scoreboard scoreboard_;
  VcTraffic<as_crossbar, Flit, Scoreboard, &Flit::destination> traffic_;
  VcFaults<as_crossbar, Flit, &Flit::destination, true> faults_;
  FlitCompare<Golden, Flits> compare_;
  std::bitset<static_cast<std::size_t>(ports* P.vcs* ports)> sent_;
  std::array<AllocatorEvents<Step, switches>, P.size.stages> stages_{};
  std::uint64_t inside_ = 0;
  bool first_ = true;
  Goals seen_{{"reset", 0}, {"the butterfly is empty", 0}};
};

}  // namespace verif
