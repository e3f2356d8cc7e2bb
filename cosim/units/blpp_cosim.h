// Lock step of page placement and its reference model; and properties that do not come from the model: no
// page goes to a full node while the other is not full, the part is one of two, and moves 64 cycles behind a
// period's last.
#pragma once
#include <algorithm>
#include <array>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "cosim/units/blpp_stimulus.h"

namespace verif {

template <class Dut, hw::BlppParams P>
class BlppBench {
 public:
  using Inputs = BlppInputs;
  struct Alone {
    golden::Blpp golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.place_cpu(in.in);
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& in) {
    dut.a1 = static_cast<std::uint8_t>(in.in.events.a1);
    dut.m1 = static_cast<std::uint8_t>(in.in.events.m1);
    dut.a2 = static_cast<std::uint8_t>(in.in.events.a2);
    dut.m2 = static_cast<std::uint8_t>(in.in.events.m2);
    dut.flits = static_cast<std::uint8_t>(in.in.events.flits);
    dut.request = in.in.request;
    dut.gpu_full = in.in.gpu_full;
    dut.cpu_full = in.in.cpu_full;
  }

  static std::string words(const Inputs& in) {
    const golden::BlppEvents& e = in.in.events;
    return fmt::format("a1 {}, m1 {}, a2 {}, m2 {}, flits {}, request {:d}, gpu_full {:d}, cpu_full {:d}",
                       e.a1, e.m1, e.a2, e.m2, e.flits, in.in.request, in.in.gpu_full, in.in.cpu_full);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    if (dut.p != golden_.part()) return Difference{"p", dut.p, golden_.part()};
    if (dut.place_cpu != golden_.place_cpu(in.in))
      return Difference{"place_cpu", dut.place_cpu, golden_.place_cpu(in.in)};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    p_shown_ = dut.p, cpu_shown_ = dut.place_cpu;
    return broken_property(dut.p, dut.place_cpu, in.in);
  }

  void edge(const Inputs& in) {
    see(in);
    since_last_ = in.rst || (dynamic && golden_.cycle() == P.period - 1) ? 0 : since_last_ + 1;
    was_reset_ = in.rst;
    in.rst ? golden_.reset() : golden_.edge(in.in);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) {
    waves.add_golden("p", 17, &p_shown_);
    waves.add_golden("place_cpu", 1, &cpu_shown_);
  }

  Goals goals() { return seen_; }

 private:
  static constexpr bool dynamic = P.mode == hw::BlppMode::dynamic;

  std::optional<Difference> broken_property(std::uint64_t p, bool cpu, const golden::Blpp::In& in) {
    const std::uint64_t before = std::exchange(part_before_, p);
    if (in.gpu_full != in.cpu_full && cpu != in.gpu_full)
      return Difference{"place_cpu: a page for the node that is full", cpu, in.gpu_full};
    if (dynamic && p != golden::Blpp::one && p != hw::shared_part(P))
      return Difference{"p, which is one of two", p, hw::shared_part(P)};
    // The period's last cycle is followed by 63 others.
    if (dynamic && p != before && !was_reset_ && since_last_ != 63)
      return Difference{"p, which moves 64 cycles behind a period's last", since_last_, 63};
    return {};
  }

  void see(const Inputs& in) {
    const golden::Blpp::In& i = in.in;
    const bool counts = !in.rst;
    seen_["reset"] += in.rst;
    seen_["a full GPU node"] +=
        counts && i.request && i.gpu_full && !i.cpu_full && golden_.draw() < golden_.part();
    seen_["a full CPU node"] +=
        counts && i.request && i.cpu_full && !i.gpu_full && golden_.draw() >= golden_.part();
    seen_["both full"] += counts && i.request && i.cpu_full && i.gpu_full;
    if constexpr (dynamic) {
      seen_["pages while a decision is under way"] += counts && i.request && golden_.step() == 63;
      seen_["reset while a decision is under way"] += in.rst && golden_.step() > 0;
      const golden::BlppEvents& e = i.events;
      const std::uint64_t events[] = {e.a1, e.m1, e.a2, e.m2, e.flits};
      for (std::size_t k = 0; k < full_.size(); ++k) full_[k] += counts && events[k] == 255;
      seen_["255 of each event in a cycle"] = *std::ranges::min_element(full_);
      if (!counts || golden_.cycle() != P.period - 1) return;
      const auto limit = static_cast<std::uint64_t>(hw::traffic_limit(P));
      const std::uint64_t before = golden_.sums().flits, last = e.flits;
      seen_["traffic at the limit before the period's last cycle"] += before == limit;
      seen_["traffic comes above the limit in the period's last cycle"] +=
          before < limit && before + last > limit;
      golden::BlppEvents sums = golden_.sums();
      sums.a1 += i.events.a1, sums.m1 += i.events.m1, sums.a2 += i.events.a2, sums.m2 += i.events.m2;
      sums.flits += i.events.flits;
      see_period(sums, golden::Blpp::decision(P, sums));
    }
  }

  void see_period(const golden::BlppEvents& sums, const golden::Blpp::Decision& decision) {
    const auto limit = static_cast<std::uint64_t>(hw::traffic_limit(P));
    const auto at = [&](const char* goal, bool reached) { seen_.at(goal) += reached; };
    const bool loads = decision.loads, shared = loads && decision.shared();
    golden::BlppEvents more = sums, less = sums;
    ++more.m1, less.m1 -= sums.m1 > 0;
    const auto nearly_most = [](std::uint64_t a, std::uint64_t b) {
      return 32 * std::min(a, b) >= 31 * 255 * static_cast<std::uint64_t>(P.period);
    };
    const bool most_misses = nearly_most(sums.m1, sums.m2);
    at("nearly the most of loads and misses", most_misses && nearly_most(sums.a1, sums.a2));
    at("nearly the most of misses, of few loads",
       most_misses && sums.a1 > 0 && std::max(sums.a1, sums.a2) < golden::Blpp::one);
    at("no load at the L1s", sums.a1 == 0);
    at("no load at the L2 banks", sums.a1 > 0 && sums.a2 == 0);
    at("more misses than loads", sums.m1 > sums.a1 && sums.m2 > sums.a2);
    at("sums of loads with a byte of ones", (sums.a1 & sums.a2 & 0xFF00) == 0xFF00);
    if (can_shift)
      at("far more misses than loads", sums.a1 > 0 && sums.a2 > 0 && sums.m1 / 4096 > sums.a1 &&
                                           sums.m2 / 4096 > sums.a2 && sums.flits > limit);
    if (can_shift) at("both pairs are shifted", sums.a1 >= 65536 && sums.a2 >= 65536);
    at("both tests hold", shared);
    at("the latency test alone fails", loads && !decision.near && decision.busy);
    at("the latency test holds by one miss", shared && !golden::Blpp::decision(P, less).near);
    at("the latency test fails by one miss",
       loads && decision.busy && !decision.near && golden::Blpp::decision(P, more).near);
    at("the traffic test alone fails", loads && decision.near && !decision.busy);
    at("traffic exactly at the limit", sums.flits == limit);
    at("traffic just above the limit", sums.flits == limit + 1);
    at("the part falls", shared && golden_.part() == golden::Blpp::one);
    at("the part rises", loads && !shared && golden_.part() != golden::Blpp::one);
  }

  // Of the decisions of the dynamic mode.
  static Goals stated() {
    Goals goals;
    if (!dynamic) return goals;
    goals["255 of each event in a cycle"] = 0;
    for (const char* goal :
         {"nearly the most of loads and misses", "nearly the most of misses, of few loads",
          "no load at the L1s", "no load at the L2 banks", "more misses than loads",
          "sums of loads with a byte of ones", "both tests hold", "the latency test alone fails",
          "the latency test holds by one miss", "the latency test fails by one miss",
          "the traffic test alone fails", "traffic exactly at the limit", "traffic just above the limit",
          "traffic at the limit before the period's last cycle",
          "traffic comes above the limit in the period's last cycle", "the part falls", "the part rises"})
      goals[goal] = 0;
    if (can_shift) goals["both pairs are shifted"] = goals["far more misses than loads"] = 0;
    return goals;
  }

  // A period in which so many loads can come.
  static constexpr bool can_shift = 255 * std::int64_t{P.period} >= 4 * 65536;

  golden::Blpp golden_{P};
  BlppStimulus stimulus_{P};
  std::optional<StateCompare> state_;
  std::uint64_t part_before_ = golden_.part(), p_shown_ = 0, cpu_shown_ = 0;
  std::uint64_t since_last_ = 0;
  bool was_reset_ = true;
  std::array<std::int64_t, 5> full_ = {};  // cycles with the most of an event
  Goals seen_ = stated();
};

}  // namespace verif
