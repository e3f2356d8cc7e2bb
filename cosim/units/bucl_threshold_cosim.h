// Lock step of BUCL's update unit and its reference model, under rates, sums and profiles at their limits;
// and a property that does not come from the model: with dynamic update TUCD stays in its range and moves by
// one at the end of a period at most, but for kernel starts.
#pragma once
#include <algorithm>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/port_name.h"
#include "cosim/harness/state_compare.h"
#include "cosim/stimulus/bucl_threshold_stimulus.h"

namespace verif {

template <class Dut, hw::BuclParams P, class Ports>
class BuclThresholdBench {
 public:
  using Unit = golden::BuclThresholdUnit;
  using Inputs = BuclThresholdInputs;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.tucd();
      step(golden, in);
    }
  };

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& in) {
    Ports::each_input(dut, [&]<PortName name>(auto& port) {
      if constexpr (name.view() == "access")
        port = in.access;
      else if constexpr (name.view() == "hit")
        port = in.hit;
      else if constexpr (name.view() != "rst")
        port = in.gpu[hw::MonitorInput(name.view())];
    });
  }

  static std::string words(const Inputs& in) {
    return fmt::format("kernel_start {}, access {:d}, hit {:d}, occupancy0 {}, issued0 {}",
                       in.gpu["kernel_start"], in.access, in.hit, in.gpu["occupancy0"], in.gpu["issued0"]);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    const std::tuple<const char*, std::uint64_t, std::uint64_t> outputs[] = {
        {"profiling", dut.profiling, golden_.profiling()},
        {"tucd", dut.tucd, golden_.tucd()},
        {"hit_rate_low", dut.hit_rate_low, golden_.hit_rate_low()},
        {"buffer_free", dut.buffer_free, golden_.buffer_free()}};
    for (const auto& [port, got, want] : outputs)
      if (got != want) return Difference{port, got, want};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    tucd_shown_ = golden_.tucd();
    if (hw::profiles(P)) return {};
    const auto tucd = static_cast<int>(dut.tucd);
    if (tucd < P.lowest || tucd > P.highest) return Difference{"tucd, which left its range", dut.tucd, 0};
    const int step = moved_ && since_restart_ > 0 ? std::abs(tucd - before_) : 0;
    if (step > 1 || (step == 1 && since_restart_ % P.period != 0))
      return Difference{"tucd, which moves by one at the end of a period", dut.tucd,
                        static_cast<unsigned>(before_)};
    before_ = tucd;
    moved_ = true;
    return {};
  }

  void edge(const Inputs& in) {
    see(in);
    const bool restarts = in.rst || in.gpu["kernel_start"];
    since_restart_ = restarts ? 0 : since_restart_ + 1;
    step(golden_, in);
    if (hw::profiles(P)) return;  // a profile alone sets it
    seen_["TUCD at its lowest"] += golden_.tucd() == static_cast<unsigned>(P.lowest);
    seen_["TUCD at its highest"] += golden_.tucd() == static_cast<unsigned>(P.highest);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("tucd", hw::tucd_bits(P), &tucd_shown_); }

  Goals goals() { return seen_; }

 private:
  static void step(Unit& unit, const Inputs& in) {
    if (in.rst) return unit.reset();
    unit.edge({.kernel_start = in.gpu["kernel_start"] != 0,
               .access = in.access,
               .hit = in.hit,
               .occupancy = in.gpu.from("occupancy0"),
               .issued = in.gpu.from("issued0")});
  }

  void see(const Inputs& in) {
    const bool last = golden_.cycle() == P.period - 1, starts = in.gpu["kernel_start"];
    if (P.period > 1) seen_["reset inside a period"] += in.rst && golden_.cycle() > 0;
    if (P.period > 1) seen_["kernel start in the last cycle of a period"] += starts && last && !in.rst;
    if (hw::profiles(P))
      seen_["kernel start during a search"] += starts && !in.rst && golden_.phase() == Unit::Phase::search;
    if (in.rst || starts) return;
    if (last) see_period(in);
    if (hw::profiles(P)) see_profile();
  }

  // Of periods and profiles that end.
  static Goals stated(std::int64_t limit) {
    Goals goals{{"a period without accesses", 0},
                {"a period with an access in each cycle", 0},
                {"a buffer's sum exactly at the limit", 0}};
    if (P.period >= P.hit_rate[1]) {  // fewer accesses have no hits that are the threshold
      goals["a hit rate exactly at the threshold"] = 0;
      if (P.hit_rate[0] > 0) goals["a hit rate by one hit below the threshold"] = 0;
      if (P.hit_rate[0] < P.hit_rate[1]) goals["a hit rate by one hit above the threshold"] = 0;
    }
    if (limit > 0) goals["a buffer's sum one below the limit"] = 0;
    if (!hw::profiles(P)) return goals;
    goals["a profile of nothing"] = goals["a winner that is the last SM"] = 0;
    if (P.sms > 1) goals["a tie of the best"] = 0;
    return goals;
  }

  void see_period(const Inputs& in) {
    const std::int64_t accesses = golden_.accesses() + in.access,
                       hits = golden_.hits() + (in.access && in.hit);
    seen_["a period without accesses"] += accesses == 0;
    seen_["a period with an access in each cycle"] += accesses == P.period;
    if (P.period >= P.hit_rate[1] && accesses > 0) {
      const std::int64_t above = hits * P.hit_rate[1] - accesses * P.hit_rate[0];
      seen_["a hit rate exactly at the threshold"] += above == 0;
      if (above < 0) seen_["a hit rate by one hit below the threshold"] += above + P.hit_rate[1] >= 0;
      if (above > 0) seen_["a hit rate by one hit above the threshold"] += above - P.hit_rate[1] <= 0;
    }
    const auto occupancy = in.gpu.from("occupancy0");
    for (int p = 0; p < P.sub_partitions; ++p) {
      const std::int64_t sum = golden_.sum(p) + occupancy[static_cast<std::size_t>(p)];
      seen_["a buffer's sum exactly at the limit"] += sum == stimulus_.limit();
      if (stimulus_.limit() > 0) seen_["a buffer's sum one below the limit"] += sum == stimulus_.limit() - 1;
    }
  }

  // A search that ends: what it will come to.
  void see_profile() {
    if (golden_.phase() != Unit::Phase::search) return;
    std::vector<std::int64_t> ran;
    for (int s = 0; s < P.sms; ++s) ran.push_back(golden_.ran(s));
    const std::int64_t best = std::ranges::max(ran);
    seen_["a profile of nothing"] += best == 0;
    if (P.sms > 1) seen_["a tie of the best"] += best > 0 && std::ranges::count(ran, best) > 1;
    seen_["a winner that is the last SM"] +=
        best > 0 && std::ranges::count(ran, best) == 1 && ran.back() == best;
  }

  Unit golden_{P};
  BuclThresholdStimulus stimulus_{P};
  std::optional<StateCompare> state_;
  int before_ = 0;
  bool moved_ = false;
  std::int64_t since_restart_ = 0;
  std::uint64_t tucd_shown_ = 0;
  Goals seen_ = stated(stimulus_.limit());
};

}  // namespace verif
