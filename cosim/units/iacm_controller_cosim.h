// Lock step of the controller of integrated adaptive cache management and its reference model, over every row
// of its table; and properties that do not come from the model: the limit moves in AWL's phases alone, and
// adi_start is one cycle long.
#pragma once
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/state_compare.h"
#include "cosim/stimulus/iacm_stimulus.h"

namespace verif {

template <class Dut, hw::IacmParams P>
class IacmControllerBench {
 public:
  using Unit = golden::IacmController;
  using Inputs = IacmInputs;
  struct Alone {
    Unit golden{P};
    std::uint64_t kept = 0;  // so that no compiler drops the work
    void cycle(const Inputs& in) {
      kept += static_cast<unsigned>(golden.limit());
      in.rst ? golden.reset() : golden.edge(in.in);
    }
  };

  IacmControllerBench() {
    if (!seen_.empty()) stimulus_.aim_at_searches();
  }

  Inputs draw(std::mt19937_64& draw) { return stimulus_.draw(draw, golden_); }

  static void drive(Dut& dut, const Inputs& in) {
    dut.kernel_start = in.in.kernel_start;
    dut.total = static_cast<std::uint8_t>(in.in.total);
    dut.issued = static_cast<std::remove_reference_t<decltype(dut.issued)>>(in.in.issued);
    dut.round_done = in.in.round_done;
  }

  static std::string words(const Inputs& in) {
    return fmt::format("kernel_start {:d}, total {}, issued {}, round_done {:d}", in.in.kernel_start,
                       in.in.total, in.in.issued, in.in.round_done);
  }

  std::optional<Difference> compare(Dut& dut, const Inputs&) {
    const std::tuple<const char*, std::uint64_t, std::uint64_t> outputs[] = {
        {"phase", dut.phase, static_cast<unsigned>(golden_.phase())},
        {"adi_start", dut.adi_start, golden_.adi_start()},
        {"limit", dut.limit, static_cast<unsigned>(golden_.limit())}};
    for (const auto& [port, got, want] : outputs)
      if (got != want) return Difference{port, got, want};
    if (state_ && !state_->same())
      return Difference{state_->found().port, state_->found().dut, state_->found().golden};
    phase_shown_ = dut.phase;
    limit_shown_ = dut.limit;
    return broken_property(dut.phase, dut.adi_start, dut.limit);
  }

  void edge(const Inputs& in) {
    see(in);
    restarted_ = in.rst || in.in.kernel_start;
    if (restarted_) total_ = in.rst ? P.awl.warps : in.in.total;
    const Unit before = golden_;
    in.rst ? golden_.reset() : golden_.edge(in.in);
    if (restarted_) return;
    see_rows(before);
    for (const std::string& goal : awl_reached(P.awl, before.awl(), golden_.awl(), in.in.issued))
      if (!goal.empty()) ++seen_[of_search(goal)], stimulus_.reached(goal);
  }

  void see_state(const SeenState& seen) {
    golden::StateList published;
    golden_.publish(published);
    state_.emplace(seen, published);
  }

  void add_golden(Waves& waves) {
    waves.add_golden("phase", 2, &phase_shown_);
    waves.add_golden("limit", hw::warp_count_bits(P.awl), &limit_shown_);
  }

  Goals goals() { return seen_; }

 private:
  static constexpr bool adi = hw::has_adi(P.order), awl = hw::has_awl(P.order);
  static constexpr bool parallel = P.order == hw::IacmOrder::parallel;
  // With other fractions or few instructions the exact changes may not be possible.
  static constexpr bool exact =
      std::int64_t{P.awl.period} * P.awl.issue_max >= 64 && std::int64_t{P.adi_idle} * P.awl.issue_max >= 64;

  static std::string of_search(const std::string& goal) { return "search: " + goal; }

  // Those of AWL's searches, where their IPCs can be as many as its periods.
  static Goals stated() {
    Goals goals;
    if (!awl || P.awl.warps == 1 || std::int64_t{P.awl.period} * P.awl.issue_max < 2 * P.awl.warps)
      return goals;
    for (const std::string& cell : awl_reach(P.awl).cells) goals[of_search(cell)] = 0;
    for (const std::string& result : awl_results(P.awl)) goals[of_search(result)] = 0;
    return goals;
  }

  std::optional<Difference> broken_property(std::uint64_t phase, bool adi_start, std::uint64_t limit) {
    const bool moves = limit != limit_before_ && !restarted_,
               again = adi_start && start_before_ && !restarted_;
    const std::uint64_t before = limit_before_, phase_before = phase_before_;
    limit_before_ = limit, phase_before_ = phase, start_before_ = adi_start;
    if (limit < 1 || limit > static_cast<std::uint64_t>(total_))
      return Difference{"limit, which is from 1 to the kernel's warps", limit, static_cast<unsigned>(total_)};
    if (moves && phase_before != 1 && phase_before != 3)
      return Difference{"limit, which moves in AWL's phases alone", limit, before};
    if (again) return Difference{"adi_start, which is one cycle long", adi_start, 0};
    if (phase == 3 && !parallel) return Difference{"phase, which is 3 in parallel alone", phase, 0};
    return {};
  }

  void see(const Inputs& in) {
    const bool kernel = in.in.kernel_start && !in.rst;
    seen_["reset"] += in.rst;
    seen_["kernel start while nothing adapts"] += kernel && golden_.phase() == 2;
    if (adi) {
      seen_["kernel start as ADI begins"] += kernel && golden_.adi() == Unit::Adi::start;
      seen_["kernel start in a round"] += kernel && golden_.adi() == Unit::Adi::round;
      seen_["kernel start in a rest"] += kernel && golden_.adi() == Unit::Adi::rest;
      seen_["round_done outside a round"] += in.in.round_done && golden_.adi() != Unit::Adi::round;
      see_watch("rest", golden_.adi() == Unit::Adi::rest, P.adi_idle, in, P.adi_change);
    }
    if (awl) {
      seen_["kernel start as AWL begins"] += kernel && golden_.side() == Unit::AwlSide::start;
      seen_["kernel start in a search"] += kernel && golden_.side() == Unit::AwlSide::run;
    }
    see_watch("idle", golden_.phase() == 2, P.awl.period, in, P.idle_change);
  }

  // A period that ends, against the one before.
  void see_watch(const std::string& where, bool here, int period, const Inputs& in,
                 const hw::Fraction& fraction) {
    const golden::IpcWatch& watch = golden_.watch();
    const bool ends = here && watch.cycle() == period - 1 && !in.rst && !in.in.kernel_start;
    const std::int64_t ipc = watch.ipc() + in.in.issued, apart = ipc - watch.last();
    seen_[where + " of a period in which nothing was issued"] += ends && ipc == 0;
    if (!exact || fraction != hw::Fraction{2, {1, 4}}) return;
    const bool judged = ends && !watch.first() && ipc > 0;
    seen_[where + " with exactly the fraction more"] += judged && 4 * apart == watch.last();
    seen_[where + " with exactly the fraction less"] += judged && -4 * apart == watch.last();
    seen_[where + " with just more than the fraction more"] +=
        judged && 4 * apart > watch.last() && 4 * (apart - 1) <= watch.last();
    seen_[where + " with just more than the fraction less"] +=
        judged && -4 * apart > watch.last() && 4 * (-apart - 1) <= watch.last();
  }

  void see_rows(const Unit& before) {
    const bool rested = before.adi() == Unit::Adi::rest, first = before.watch().first();
    const bool adi_ended = rested && golden_.adi() != Unit::Adi::rest &&
                           !(golden_.adi() == Unit::Adi::start && before.phase() == golden_.phase());
    const bool awl_ended = before.side() == Unit::AwlSide::run && before.awl().done();
    if (adi) {
      const bool again = rested && golden_.adi() == Unit::Adi::start && !adi_ended;
      seen_["ADI: the first rest ends, another round"] += again && first;
      seen_["ADI: the IPC has changed, another round"] += again && !first;
      if (!parallel) seen_["ADI: steady, the phase ends"] += adi_ended;
    }
    if (awl) {
      const bool moved = before.awl().moved();
      if (!parallel) {
        if (P.awl.warps > 1) seen_["AWL: ends, moved"] += awl_ended && moved;
        seen_["AWL: ends, not moved"] += awl_ended && !moved;
      }
    }
    if (parallel) {
      const bool both = before.phase() == 3;
      seen_["both: ADI ends first"] += both && golden_.phase() == 1;
      seen_["both: AWL ends first"] += both && golden_.phase() == 0;
      if (P.awl.warps > 1)
        seen_["both: begin again, moved"] += before.phase() != 2 && !both && golden_.phase() == 3;
      seen_["both: end, not moved"] += before.phase() != 2 && golden_.phase() == 2;
    }
    const bool idle = before.phase() == 2, ended = idle && golden_.watch().cycle() == 0;
    seen_["idle: the first period"] += ended && first && !golden_.watch().first();
    seen_["idle: steady"] += ended && !first && golden_.phase() == 2;
    seen_["idle: the IPC has changed"] += idle && golden_.phase() != 2;
  }

  Unit golden_{P};
  IacmStimulus stimulus_{P};
  std::optional<StateCompare> state_;
  int total_ = P.awl.warps;
  bool restarted_ = true, start_before_ = false;
  std::uint64_t limit_before_ = 0, phase_before_ = 0, phase_shown_ = 0, limit_shown_ = 0;
  Goals seen_ = stated();
};

}  // namespace verif
