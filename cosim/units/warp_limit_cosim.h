// Lock step of the warp limiter and its reference model; and properties that do not come from the model: the
// number of warps allowed is the lesser of limit and present, and none that is left out is older.
#pragma once
#include <array>
#include <bit>

#include "cosim/harness/cycle_cosim.h"
#include "golden/monitors/warp_limit.h"
#include "hw/monitors/limit_params.h"

namespace verif {

template <class Dut, hw::LimitParams P>
class WarpLimitBench {
 public:
  struct Inputs {
    bool rst = false;
    std::uint64_t launch = 0, finish = 0, waiting = 0;
    unsigned limit = 0;
  };
  struct Alone {
    golden::WarpLimit golden;
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += golden.allowed(in.waiting, in.limit);
      in.rst ? golden.reset() : golden.edge(in.launch, in.finish);
    }
  };

  Inputs draw(std::mt19937_64& draw) {
    if (phase_.next(draw)) {
      static constexpr std::array<unsigned, 5> rates{0, 1, 16, 64, 200};
      launch_rate_ = rates[1 + draw() % 4], finish_rate_ = rates[draw() % 5], wait_rate_ = rates[draw() % 5];
      limit_ = 1 + static_cast<unsigned>(draw() % P.warps);
    }
    Inputs in{.rst = once_in(draw, 4000), .limit = limit_};
    for (int w = 0; w < P.warps; ++w) {
      const std::uint64_t bit = std::uint64_t{1} << w;
      const bool here = launched_ & bit;
      if (here && draw() % 256 < finish_rate_) in.finish |= bit;
      if ((!here || in.finish & bit) && draw() % 256 < launch_rate_) in.launch |= bit;
      if (draw() % 256 < wait_rate_) waiting_ ^= bit;
    }
    if (once_in(draw, 500)) in.launch = ~launched_ & slots;
    if (once_in(draw, 2000)) limit_ = static_cast<unsigned>(draw() % (P.warps + 1));
    in.waiting = waiting_ & slots;
    return in;
  }

  static void drive(Dut& dut, const Inputs& in) {
    using Bits = std::remove_reference_t<decltype(dut.launch)>;
    dut.launch = static_cast<Bits>(in.launch);
    dut.finish = static_cast<Bits>(in.finish);
    dut.waiting = static_cast<Bits>(in.waiting);
    dut.limit = static_cast<std::uint8_t>(in.limit);
  }

  static std::string words(const Inputs& in) {
    return fmt::format("launch {:#x}, finish {:#x}, waiting {:#x}, limit {}", in.launch, in.finish,
                       in.waiting, in.limit);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs& in) {
    const std::uint64_t got = dut.allowed, want = golden_.allowed(in.waiting, in.limit);
    shown_ = want;
    const std::uint64_t present = launched_ & ~in.waiting;
    const auto least = std::min(in.limit, static_cast<unsigned>(std::popcount(present)));
    if (static_cast<unsigned>(std::popcount(got)) != least || (got & ~present))
      return Difference{"allowed, as many as the lesser of limit and present", got, least};
    if (got != want) return Difference{"allowed", got, want};
    return youngest_allowed(got) > oldest_left_out(present & ~got)
               ? std::optional(Difference{"allowed, none younger than one left out", got, present})
               : std::nullopt;
  }

  void edge(const Inputs& in) {
    const std::uint64_t present = launched_ & ~in.waiting;
    const auto warps = static_cast<unsigned>(std::popcount(present));
    seen_["more warps than the limit"] += warps > in.limit;
    seen_["exactly the limit"] += warps == in.limit && warps > 0;
    seen_["an older warp waits, a younger goes"] += P.warps > 1 && (in.waiting & launched_) && present;
    seen_["a slot that ends and launches at once"] += (in.launch & in.finish) != 0;
    if (P.warps > 1) seen_["several launches at once"] += std::popcount(in.launch) > 1;
    seen_["reset"] += in.rst;
    seen_["all slots with a warp"] += launched_ == slots;
    if (P.warps == 1) seen_.erase("an older warp waits, a younger goes");
    in.rst ? golden_.reset() : golden_.edge(in.launch, in.finish);
    launched_ = in.rst ? 0 : (launched_ & ~in.finish) | in.launch;
    for (int w = 0; w < P.warps; ++w)
      if (in.launch >> w & 1) born_[static_cast<std::size_t>(w)] = ++births_;
  }

  void add_golden(Waves& waves) { waves.add_golden("allowed", P.warps, &shown_); }

  Goals goals() { return seen_; }

 private:
  static constexpr std::uint64_t slots = ~std::uint64_t{0} >> (64 - P.warps);

  std::uint64_t youngest_allowed(std::uint64_t warps) const {
    std::uint64_t born = 0;
    for (; warps; warps &= warps - 1)
      born = std::max(born, born_[static_cast<std::size_t>(std::countr_zero(warps))]);
    return born;
  }
  std::uint64_t oldest_left_out(std::uint64_t warps) const {
    std::uint64_t born = ~std::uint64_t{0};
    for (; warps; warps &= warps - 1)
      born = std::min(born, born_[static_cast<std::size_t>(std::countr_zero(warps))]);
    return born;
  }

  golden::WarpLimit golden_;
  Phase phase_;
  unsigned launch_rate_ = 16, finish_rate_ = 1, wait_rate_ = 1, limit_ = 1;  // rates in 256ths
  std::uint64_t launched_ = 0, waiting_ = 0, shown_ = 0, births_ = 0;
  std::array<std::uint64_t, 64> born_{};  // when its warp came, by slot
  Goals seen_;
};

}  // namespace verif
