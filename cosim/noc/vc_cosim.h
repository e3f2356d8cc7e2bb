// Lock step of a crossbar with virtual channels and its reference model: every port and every register of the
// allocator in every cycle, with properties that do not come from the model.
#pragma once
#include <array>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/noc/flit_compare.h"
#include "cosim/noc/flit_ports.h"
#include "cosim/noc/vc_faults.h"
#include "cosim/noc/vc_scoreboard.h"
#include "cosim/noc/vc_traffic.h"
#include "golden/noc/vc_crossbar.h"

namespace verif {

// `Ports` names the ports: see gen/units/noc/vc_crossbar_unit.h, which writes it.
template <class Dut, hw::CrossbarParams P, class Ports>
class VcBench {
 public:
  static constexpr int data_bits = 8 * P.flit_bytes, width = data_bits + P.side_bits,
                       input_vcs = P.inputs * P.vcs;
  using Payload = std::bitset<width>;
  using Golden = golden::VcCrossbar<P, Payload>;
  using Flit = typename Golden::Flit;
  using Flits = FlitPorts<Ports, Flit, &Flit::port, data_bits, P.side_bits>;
  struct Inputs {
    bool rst = false;
    typename Golden::template Flits<P.inputs> in{};
    typename Golden::template Credits<P.outputs> credit{};
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
    Inputs in{.rst = once_in(draw, 4000)};
    if (in.rst) return in;
    traffic_.draw(draw, scoreboard_, golden_.outputs().out, golden_.outputs().credit, in.in, in.credit);
    if constexpr (P.checks) faults_.alter(draw, golden_.check(), golden_.outputs(), in.in, in.credit);
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) { Flits::drive(dut, in.in, in.credit); }

  static std::string words(const Inputs& in) { return Flits::words(in.in, in.credit); }

  std::optional<Difference> compare(Dut& dut, [[maybe_unused]] const Inputs& in) {
    if constexpr (P.checks) {
      const std::uint64_t code = hw::code_of(golden_.check().code());
      if (const auto d = difference<4>("protocol_error_code", dut.protocol_error_code, code)) return d;
      if (const auto d = difference<1>("protocol_error", dut.protocol_error, code != 0)) return d;
      if (in.rst)
        if (const auto d = faults_.reset(dut.protocol_error_code)) return d;
      if (golden_.undefined()) return in.rst ? std::nullopt : faults_.undefined();
    }
    if (const auto d = compare_.differ(dut, golden_.outputs(), "source", false)) return d;
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
    const auto h = golden_.head_pointers(), g = golden_.vc_pointers();
    const auto a = golden_.accept_pointers();
    golden_.edge(in.in, in.credit);
    if (const auto d = scoreboard_.enter(in.in, in.credit)) throw std::logic_error(d->what);
    const auto& step = golden_.last_step();
    if (input_vcs > 1) seen_["a head pointer wraps"] += wrapped(h, golden_.head_pointers());
    if (P.vcs > 1) seen_["a VC pointer wraps"] += wrapped(g, golden_.vc_pointers());
    if (P.outputs > 1) seen_["an accept pointer wraps"] += wrapped(a, golden_.accept_pointers());
    if (P.vcs > 1 && P.outputs > 1) seen_["a refused offer"] += step.refused > 0;
    if (P.vcs > 1 && P.outputs > 1 && P.inputs > 1 && P.iterations > 1)
      seen_["a match in a later iteration"] +=
          std::ranges::any_of(step.matches, [](const auto& m) { return m.iteration > 1; });
    for (const auto& m : step.matches)
      served_.set(static_cast<std::size_t>((m.input_vc * P.outputs + m.output) * P.vcs + m.output_vc));
    for (int j = 0; j < P.outputs; ++j) {
      shown_[j] = static_cast<std::uint64_t>(golden_.head_pointers()[j]);
      pointed_.set(static_cast<std::size_t>(j * input_vcs + golden_.head_pointers()[j]));
    }
  }

  void see_state(const SeenState& seen) { compare_.see_state(seen, golden_); }

  void add_golden(Waves& waves) {
    for (int j = 0; j < P.outputs; ++j) waves.add_golden(fmt::format("head_pointer{}", j), 10, &shown_[j]);
  }

  Goals goals() {
    Goals all = scoreboard_.goals();
    for (const auto& [goal, times] : seen_) all[goal] = times;
    if constexpr (P.checks) faults_.goals(all);
    all["each input VC to each output VC"] = served_.all();
    all["each head pointer at each input VC"] = pointed_.all();
    return all;
  }

 private:
  template <std::size_t n>
  static bool wrapped(const std::array<int, n>& before, const std::array<int, n>& after) {
    for (std::size_t k = 0; k < n; ++k)
      if (after[k] < before[k]) return true;
    return false;
  }

  Golden golden_;
  FlitCompare<Golden, Flits> compare_;
  VcScoreboard<P, Flit> scoreboard_;
  VcTraffic<P, Flit> traffic_;
  VcFaults<P, Flit> faults_;
  std::array<std::uint64_t, P.outputs> shown_{};
  std::bitset<static_cast<std::size_t>(input_vcs* P.outputs* P.vcs)> served_;
  std::bitset<static_cast<std::size_t>(input_vcs* P.outputs)> pointed_;
  Goals seen_{{"reset", 0}};
};

}  // namespace verif
