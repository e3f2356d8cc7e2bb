// Lock step of DynEB and its reference model, over samples that end and are judged for every reason; and
// properties that do not come from the model: the order and length of phases, sets that change over only when
// nothing is under way, and a choice that agrees with the thesis' fractions.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "cosim/units/dyneb_fractions.h"
#include "cosim/units/dyneb_stimulus.h"

namespace verif {

template <class Dut, hw::DynebParams P>
class DynebBench {
 public:
  using Inputs = DynebInputs;
  using In = golden::Dyneb::In;
  using Phase = golden::Dyneb::Phase;
  struct Alone {
    golden::Dyneb golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.hold();
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& inputs) {
    const In& in = inputs.in;
    dut.flush = in.flush, dut.answer = in.answer;
    dut.request = in.request.valid, dut.request_load = in.request.load;
    dut.request_odd = in.request.odd, dut.request_home = in.request.home;
    dut.probe = in.probe.valid, dut.probe_odd = in.probe.odd;
    dut.probe_served = in.probe.served, dut.probe_miss = in.probe.miss;
    dut.slice_reply = in.slice.valid, dut.slice_odd = in.slice.odd, dut.slice_served = in.slice.served;
    dut.home_reply = in.home.valid, dut.home_odd = in.home.odd;
    dut.home_load = in.home.load, dut.home_hit = in.home.hit;
  }

  static std::string words(const Inputs& inputs) {
    const In& in = inputs.in;
    return fmt::format(
        "flush {:d}, request {:d} load {:d} odd {:d} home {:d}, answer {:d}, probe {:d} odd {:d} served {:d} "
        "miss {:d}, slice {:d} odd {:d} served {:d}, home {:d} odd {:d} load {:d} hit {:d}",
        in.flush, in.request.valid, in.request.load, in.request.odd, in.request.home, in.answer,
        in.probe.valid, in.probe.odd, in.probe.served, in.probe.miss, in.slice.valid, in.slice.odd,
        in.slice.served, in.home.valid, in.home.odd, in.home.load, in.home.hit);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& inputs) {
    const std::tuple<const char*, std::uint64_t, std::uint64_t> outputs[] = {
        {"phase", dut.phase, static_cast<std::uint64_t>(golden_.phase())},
        {"even_shared", dut.even_shared, golden_.even_shared()},
        {"odd_shared", dut.odd_shared, golden_.odd_shared()},
        {"hold", dut.hold, golden_.hold()},
        {"idle", dut.idle, golden_.idle()}};
    for (const auto& [port, got, want] : outputs)
      if (got != want) return Difference{port, got, want};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    phase_shown_ = dut.phase;
    return broken_property(dut, inputs.in);
  }

  void edge(const Inputs& inputs) {
    const In& in = inputs.in;
    see(inputs);
    begun_ = inputs.rst || in.flush;
    if (phase_before_ == 0 && !begun_) tally(in);
    if (phase_before_ != 0 && phase_before_ != 1) counted_ = counting_ = {};
    if (begun_) counted_ = counting_ = {}, open_ = 0;
    open_ += in.request.valid && !begun_;
    open_ -= in.answer && !begun_;
    inputs.rst ? golden_.reset() : golden_.edge(in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) { waves.add_golden("phase", 3, &phase_shown_); }

  Goals goals() { return seen_; }

 private:
  static Goals stated() {
    Goals goals;
    for (const char* event :
         {"shared", "private: few misses", "private: no access of even sets", "private: worse",
          "private: a tie", "SAMPLE ends by accesses", "SAMPLE ends by a counter of all ones",
          "EXEC ends by accesses", "DRAIN of more than one cycle", "DRAIN of one cycle",
          "a request in the first cycle of DRAIN", "1,023 open", "flush", "flush as sets would become shared",
          "reset"})
      goals[event] = 0;
    if (P.miss_percent == 0) goals.erase("private: few misses");  // no rate is below it
    if (P.sample_cap) goals["SAMPLE ends by its cap"] = 0;
    goals["private: no access of odd sets"] = 0;
    // Where a sample's loads are few, its products are small.
    if (P.count_served && P.metric == hw::DynebMetric::eb)
      for (const char* event : {"shared by far", "private by far"}) goals[event] = 0;
    if (P.execute_cap) goals["EXEC ends by its cap"] = 0;
    return goals;
  }

  // What a cycle of SAMPLE brings; its last does not count, so that the sum before is kept.
  void tally(const In& in) {
    counted_ = counting_;
    const bool own_only = !P.count_served || P.metric == hw::DynebMetric::amat;
    if (in.probe.valid && !(in.probe.served && own_only)) {
      DynebTally& group = counting_[in.probe.odd];
      ++group.accesses;
      group.misses += in.probe.miss;
    }
    counting_[in.slice.odd].slice_replies += in.slice.valid && (P.count_served || !in.slice.served);
    counting_[in.home.odd].home_replies += in.home.valid;
    counting_[1].sent += in.request.valid && in.request.load && in.request.odd && in.request.home;
    counting_[1].sent_missed += in.home.valid && in.home.load && in.home.odd && !in.home.hit;
  }

  std::optional<Difference> broken_property(Dut& dut, const In& in) {
    const std::uint64_t phase = dut.phase, before = phase_before_;
    const bool even = dut.even_shared, odd = dut.odd_shared;
    phase_before_ = phase;
    cycles_ = phase == before && !begun_ ? cycles_ + 1 : 0;
    const bool even_before = std::exchange(even_before_, even), odd_before = std::exchange(odd_before_, odd);
    if (begun_) {
      begun_ = false;
      drained_ = false;
      return phase == 0 && !even && odd
                 ? std::nullopt
                 : std::optional(Difference{"phase behind a reset or flush", phase, 0});
    }
    if (phase != before && phase != (before + 1) % 5) return Difference{"phase out of order", phase, before};
    if (before == 1 && phase != 1 && evaluated_ != 127) return Difference{"cycles of EVAL", evaluated_, 127};
    evaluated_ = phase == 1 ? static_cast<std::uint64_t>(cycles_) + 1 : 0;
    if ((even != even_before || odd != odd_before) && !drained_)
      return Difference{"sets change over while requests are open", open_, 0};
    drained_ = (phase == 2 || phase == 4) && open_ == 0 && !in.request.valid;
    if (dut.hold != (phase == 2 || phase == 4 || open_ == 1023))
      return Difference{"hold", dut.hold, !dut.hold};
    if (phase == 0 && (even || !odd)) return Difference{"private sets in SAMPLE", even, odd};
    if (phase != 3 || before == 3) return {};
    const bool better = chosen_;
    return even == better && odd == better ? std::nullopt
                                           : std::optional(Difference{"the choice", even, better});
  }

  void see(const Inputs& inputs) {
    seen_["reset"] += inputs.rst;
    if (inputs.rst) return;
    seen_["flush"] += inputs.in.flush;
    seen_["flush as sets would become shared"] +=
        inputs.in.flush && golden_.idle() && chosen_ && golden_.phase() == Phase::drain_to_execute;
    if (inputs.in.flush) return;
    seen_["1,023 open"] += golden_.open() == golden::Dyneb::most_open;
    const auto phase = golden_.phase();
    if (const auto end = golden_.ends(); end != golden::Dyneb::End::no) {
      static constexpr const char* ends[] = {"accesses", "its cap", "a counter of all ones"};
      ++seen_[fmt::format("{} ends by {}", phase == Phase::sample ? "SAMPLE" : "EXEC",
                          ends[static_cast<std::size_t>(end) - 1])];
    }
    if (golden_.draining()) {
      const bool last = golden_.idle() && !inputs.in.request.valid;
      seen_["DRAIN of one cycle"] += last && drain_cycles_ == 0;
      seen_["DRAIN of more than one cycle"] += last && drain_cycles_ > 0;
      seen_["a request in the first cycle of DRAIN"] += inputs.in.request.valid && golden_.idle();
    }
    drain_cycles_ = golden_.draining() ? drain_cycles_ + 1 : 0;
    if (phase == Phase::evaluate && golden_.evaluated() == 1) {
      chosen_ = shared_is_better(P, counted_[0], counted_[1]);
      see_cause();
    }
  }

  void see_cause() {
    static constexpr const char* causes[] = {"private: few misses",
                                             "private: no access of even sets",
                                             "private: no access of odd sets",
                                             "private: a tie",
                                             "private: worse",
                                             "shared"};
    ++seen_[causes[static_cast<std::size_t>(golden::compared(P, golden_.sample()))]];
    if (!seen_.contains("shared by far")) return;
    // Equation 4.3 without fractions: the difference fills the highest bits of the comparison.
    constexpr double far = 8e12;
    const auto product = [&](int of, int other) {
      const DynebTally& t = counted_[of];
      const auto at_least_one = [](std::uint64_t misses) {
        return static_cast<double>(std::max<std::uint64_t>(1, misses));
      };
      const double bandwidth = static_cast<double>(t.slice_replies) * static_cast<double>(t.accesses) +
                               static_cast<double>(t.home_replies) * at_least_one(t.misses);
      return bandwidth * at_least_one(counted_[other].misses);
    };
    const double apart = product(1, 0) - product(0, 1);
    seen_["shared by far"] += chosen_ && apart > far;
    seen_["private by far"] += !chosen_ && apart < -far;
  }

  golden::Dyneb golden_{P};
  DynebStimulus stimulus_{P};
  std::optional<StateCompare> state_;
  std::array<DynebTally, 2> counted_ = {}, counting_ = {};  // of even and odd sets
  std::uint64_t phase_before_ = 0, phase_shown_ = 0, evaluated_ = 0, open_ = 0;
  std::int64_t cycles_ = 0, drain_cycles_ = 0;
  bool even_before_ = false, odd_before_ = true, begun_ = true, drained_ = false, chosen_ = false;
  Goals seen_ = stated();
};

}  // namespace verif
