// Controller of integrated adaptive cache management cycle by cycle (ACI thesis, section 4.2;
// docs/contracts/iacm.md): when adaptive indexing (ADI) and adaptive warp limiting (AWL) run, and when
// neither.
#pragma once
#include <optional>
#include <string>

#include "golden/monitors/awl.h"
#include "hw/monitors/iacm_params.h"

namespace golden {

// IPC of periods that follow each other, against the one before.
class IpcWatch {
 public:
  enum class Decision : std::uint8_t { first, steady, changed };

  // The next period has none before it.
  void begin() {
    first_ = true;
    cycle_ = 0;
    ipc_ = 0;
  }
  // A cycle; at the end of a period in which something was issued, what it says.
  std::optional<Decision> cycle(int issued, int period, const hw::Fraction& fraction) {
    ipc_ += issued;
    if (++cycle_ < period) return {};
    const std::int64_t ipc = ipc_;
    cycle_ = 0;
    ipc_ = 0;
    if (ipc == 0) return {};
    const Decision decision = first_                                  ? Decision::first
                              : changed_by_more(last_, ipc, fraction) ? Decision::changed
                                                                      : Decision::steady;
    first_ = false;
    last_ = ipc;
    return decision;
  }

  bool first() const { return first_; }
  int cycle() const { return cycle_; }
  std::int64_t ipc() const { return ipc_; }
  std::int64_t last() const { return last_; }

 private:
  bool first_ = true;
  int cycle_ = 0;
  std::int64_t ipc_ = 0, last_ = 0;
};

class IacmController {
 public:
  enum class Adi : std::uint8_t { off, start, round, rest };
  enum class AwlSide : std::uint8_t { off, start, run };
  struct In {
    bool kernel_start = false;  // the others but `total` do not count then
    int total = 1;
    int issued = 0;
    bool round_done = false;
  };

  explicit IacmController(const hw::IacmParams& p) : p_(p), awl_(p.awl) { reset(); }

  // 0 ADI, 1 AWL, 2 idle, 3 both.
  int phase() const {
    const bool adi = adi_ != Adi::off, awl = side_ != AwlSide::off;
    return adi && awl ? 3 : adi ? 0 : awl ? 1 : 2;
  }
  bool adi_start() const { return adi_ == Adi::start; }
  int limit() const { return awl_.limit(); }

  // For observers.
  Adi adi() const { return adi_; }
  AwlSide side() const { return side_; }
  const Awl& awl() const { return awl_; }
  const IpcWatch& watch() const { return watch_; }

  void reset() {
    awl_.reset();
    begin_round_of_phases();
  }

  void edge(const In& in) {
    const bool searched = awl_.done();
    awl_.edge({.kernel_start = in.kernel_start,
               .total = in.total,
               .start = side_ == AwlSide::start,
               .issued = in.issued});
    if (in.kernel_start) return begin_round_of_phases();
    if (phase() == 2) return idle(in.issued);
    step_awl(searched);
    step_adi(in);
    if (adi_ == Adi::off && side_ == AwlSide::off) phases_ended();
  }

  void publish(StateList& list, const std::string& part = "") const {
    const auto add = [&](const char* name, int width, auto of) {
      list.value(part + name, width, {}, [of](unsigned, unsigned) -> MayCount { return of(); });
    };
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    const auto watched = [this] { return phase() == 2 || adi_ != Adi::off; };
    if (hw::has_awl(p_.order)) awl_.publish(list, part + "awl.");
    if (hw::has_adi(p_.order)) add("rest", 1, [this, number] { return number(adi_ == Adi::rest); });
    const int bits = hw::watch_bits(p_);
    add("watch_cycle", state_bits(static_cast<unsigned>(hw::watch_cycles(p_))),
        [this, number] { return number(watch_.cycle()); });
    add("watch_ipc", bits, [this, number] { return number(watch_.ipc()); });
    add("first", 1,
        [this, number, watched] { return watched() ? MayCount(number(watch_.first())) : MayCount(); });
    add("last_ipc", bits, [this, number, watched] {
      return watched() && !watch_.first() ? MayCount(number(watch_.last())) : MayCount();
    });
  }

 private:
  using Decision = IpcWatch::Decision;

  void start_adi() {
    adi_ = Adi::start;
    watch_.begin();
  }
  void begin_round_of_phases() {
    adi_ = Adi::off;
    side_ = AwlSide::off;
    second_ = false;
    if (p_.order != hw::IacmOrder::awl && p_.order != hw::IacmOrder::awl_adi) start_adi();
    if (p_.order != hw::IacmOrder::adi && p_.order != hw::IacmOrder::adi_awl) side_ = AwlSide::start;
    if (adi_ == Adi::off) watch_.begin();
  }

  void idle(int issued) {
    if (watch_.cycle(issued, p_.awl.period, p_.idle_change) == Decision::changed) begin_round_of_phases();
  }

  void step_awl(bool searched) {
    if (side_ == AwlSide::start)
      side_ = AwlSide::run;
    else if (side_ == AwlSide::run && searched)
      side_ = AwlSide::off;
  }

  void step_adi(const In& in) {
    if (adi_ == Adi::start) {
      adi_ = Adi::round;
    } else if (adi_ == Adi::round) {
      if (in.round_done) adi_ = Adi::rest;
    } else if (adi_ == Adi::rest) {
      const auto decision = watch_.cycle(in.issued, p_.adi_idle, p_.adi_change);
      if (decision) adi_ = decision == Decision::steady ? Adi::off : Adi::start;
    }
  }

  // All that ran has ended: the order's second phase; or, after the last, from the start if the number of
  // warps has moved.
  void phases_ended() {
    const bool last = second_;
    second_ = true;
    if (!last && p_.order == hw::IacmOrder::adi_awl)
      side_ = AwlSide::start;
    else if (!last && p_.order == hw::IacmOrder::awl_adi)
      start_adi();
    else if (awl_.moved())
      begin_round_of_phases();
    else
      watch_.begin();
  }

  hw::IacmParams p_;
  Awl awl_;
  Adi adi_ = Adi::off;
  AwlSide side_ = AwlSide::off;
  bool second_ = false;  // the order's second phase runs
  IpcWatch watch_;
};

}  // namespace golden
