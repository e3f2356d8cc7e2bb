// Lock step of a butterfly and its golden twin: every port and every register of the switches' allocators in
// every cycle, with properties that do not come from the model.
#pragma once
#include <optional>
#include <utility>

#include "golden/noc/butterfly.h"
#include "verif/lockstep/harness/cycle_cosim.h"
#include "verif/lockstep/harness/state_compare.h"
#include "verif/lockstep/noc/butterfly_books.h"
#include "verif/lockstep/noc/flit_ports.h"
#include "verif/lockstep/noc/vc_traffic.h"

namespace verif {

// `Wires` names the ports: see gen/units/mesh/flit_wires.h, which writes it.
template <class Dut, hw::ButterflyParams P, class Wires>
class ButterflyBench {
 public:
  static constexpr int data_bits = 8 * P.flit_bytes, width = data_bits + P.side_bits,
                       ports = hw::ports_of(P.size);
  using Payload = std::bitset<width>;
  using Golden = golden::Butterfly<P, Payload>;
  using Flit = typename Golden::Flit;
  using Outputs = typename Golden::Outputs;
  using Flits = FlitPorts<Wires, Flit, &Flit::port, data_bits, P.side_bits>;
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
    Inputs in{.rst = std::exchange(first_, false) || once_in(draw, 4000)};
    if (!in.rst)
      traffic_.draw(draw, books_, golden_.outputs().out, golden_.outputs().credit, in.in, in.credit);
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) { Flits::drive(dut, in.in, in.credit); }
  static std::string words(const Inputs& in) { return Flits::words(in.in, in.credit); }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    Flits::read(dut, shown_);
    if (const auto d = Flits::differ(shown_, golden_.outputs(), "destination", true)) return d;
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    if (in.rst) return {};
    return books_.settle(shown_.out, shown_.credit);
  }

  void edge(const Inputs& in) {
    if (in.rst) {
      golden_.reset();
      books_.reset();
      traffic_.reset();
      ++seen_["reset"];
      return;
    }
    books_.enter(in.in, in.credit);
    for (int i = 0; i < ports; ++i) {
      if (!in.in[at(i)] || !in.in[at(i)]->head) continue;
      sent_.set(at((i * P.vcs + in.in[at(i)]->vc) * ports + in.in[at(i)]->port));
    }
    golden_.edge(in.in, in.credit);
    seen_["the butterfly is empty"] += books_.inside() == 0;
    inside_ = static_cast<std::uint64_t>(books_.inside());
    for (int s = 0; s < P.size.stages; ++s)
      for (int w = 0; w < ports / P.size.radix; ++w) {
        const auto& step = golden_.switch_at(s, w).last_step();
        StageEvents& stage = stages_[at(s)];
        stage.refused += step.refused > 0, stage.full += step.full;
        stage.no_credit += step.no_credit, stage.none_free += step.none_free;
      }
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("flits_inside", 16, &inside_); }

  MustSee must_see(std::int64_t cycles) {
    if (cycles < 50'000) return {{"a cycle", cycles}};
    MustSee all = seen_;
    all["a packet from each input VC to each output"] = sent_.all();
    for (int s = 0; s < P.size.stages; ++s) {
      const std::string where = fmt::format(" in stage {}", s);
      const StageEvents& stage = stages_[at(s)];
      all["a refused offer" + where] = stage.refused;
      all["a full FIFO" + where] = stage.full;
      all["no credit for a flit of an owner" + where] = stage.no_credit;
      all["a head whose VC is owned" + where] = stage.none_free;
    }
    return all;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static constexpr hw::CrossbarParams as_crossbar{
      .inputs = ports, .outputs = ports, .flit_bytes = P.flit_bytes, .vcs = P.vcs, .vc_depth = P.vc_flits};
  using Books = ButterflyBooks<P, Flit>;
  // Cycles and switches of a stage in which this happened.
  struct StageEvents {
    std::int64_t refused = 0, full = 0, no_credit = 0, none_free = 0;
  };

  Golden golden_;
  Books books_;
  VcTraffic<as_crossbar, Flit, Books> traffic_;
  Outputs shown_;
  std::optional<StateCompare> state_;
  std::bitset<static_cast<std::size_t>(ports* P.vcs* ports)> sent_;
  std::array<StageEvents, P.size.stages> stages_{};
  std::uint64_t inside_ = 0;
  bool first_ = true;
  MustSee seen_;
};

}  // namespace verif
