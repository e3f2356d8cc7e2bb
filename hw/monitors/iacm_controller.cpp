#include "hw/monitors/iacm_controller.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "hw/monitors/awl.h"
#include "hw/monitors/change.h"
#include "hw/monitors/iacm_ranges.h"
#include "hw/monitors/ipc_sum.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux;

enum IacmPhase { adi_phase, awl_phase, idle_phase, both_phase };

Expr iacm_phase_constant(rtl::Module& m, IacmPhase phase) {
  static constexpr std::array names{"PHASE_ADI", "PHASE_AWL", "PHASE_IDLE", "PHASE_BOTH"};
  return m.constant(names[phase], 2, phase);
}
bool runs_adi(IacmPhase phase) { return phase == adi_phase || phase == both_phase; }
bool runs_awl(IacmPhase phase) { return phase == awl_phase || phase == both_phase; }

// The phases between one idle phase and the next; both_phase goes on until both have ended.
struct Order {
  const char* name;
  IacmPhase first;
  std::optional<IacmPhase> second = {};
};

Order order_of(IacmOrder order) {
  switch (order) {
    case IacmOrder::adi_awl:
      return {"ADI, then AWL", adi_phase, awl_phase};
    case IacmOrder::awl_adi:
      return {"AWL, then ADI", awl_phase, adi_phase};
    case IacmOrder::parallel:
      return {"ADI and AWL at once", both_phase};
    case IacmOrder::adi:
      return {"ADI alone", adi_phase};
    default:
      return {"AWL alone", awl_phase};
  }
}

class IacmControllerBuilder {
 public:
  IacmControllerBuilder(const IacmParams& p, const std::string& name)
      : p_(p),
        order_(order_of(p.order)),
        m_(name,
           fmt::format("Controller of integrated adaptive cache management: {} (ACI thesis, section 4.2).",
                       order_.name)) {}

  rtl::Module run() {
    ports();
    state();
    if (has_awl(p_.order))
      warp_limiting();
    else
      no_warp_limiting();
    watch();
    if (has_adi(p_.order)) adi_steps();
    phases();
    outputs();
    return m_;
  }

 private:
  void ports() {
    const int counts = warp_count_bits(p_.awl);
    kernel_start_ = m_.input("kernel_start", 1, "a kernel begins: no limit, the first phase");
    total_ = m_.input("total", counts, "the kernel's warps in the limit's scope; counts with kernel_start");
    issued_ = m_.input("issued", issued_bits(p_.awl), "thread instructions issued in this cycle");
    round_done_ = m_.input("round_done", 1, "ADI ends a round, its flush included");
    phase_out_ = m_.output("phase", 2, "0 ADI, 1 AWL, 2 idle, 3 both");
    adi_start_out_ = m_.output("adi_start", 1, "ADI begins a round; one under way is cancelled");
    limit_out_ = m_.output("limit", counts, "warps that may issue");
  }

  Expr in(IacmPhase phase) { return phase_q_ == iacm_phase_constant(m_, phase); }

  void state() {
    m_.section("Phases.");
    phase_q_ = m_.reg("phase_q", iacm_phase_constant(m_, order_.first), "phase");
    idle_ = m_.let("idle", in(idle_phase), "nothing adapts");
    if (has_adi(p_.order)) {
      adi_start_q_ = m_.reg("adi_start_q", 1, runs_adi(order_.first), "ADI begins a round");
      rest_q_ = m_.reg("rest_q", 1, 0, "the time between rounds of ADI");
    } else {
      m_.unused("unused_round_done", round_done_, "there is no ADI");
    }
    if (has_awl(p_.order)) awl_start_q_ = m_.reg("awl_start_q", 1, runs_awl(order_.first), "AWL begins");
  }

  void warp_limiting() {
    m_.section("Adaptive warp limiting.");
    limit_ = m_.wire("awl_limit", warp_count_bits(p_.awl), "limit of AWL");
    const Expr busy = m_.wire("awl_busy", 1, "a search goes on");
    awl_ends_ = m_.wire("awl_ends", 1, "a search has ended");
    moved_ = m_.wire("awl_moved", 1, "the search came to another count than the one before");
    m_.instance(awl(p_.awl, m_.name() + "_awl"), "awl",
                {{"kernel_start", kernel_start_},
                 {"total", total_},
                 {"start", awl_start_q_},
                 {"issued", issued_},
                 {"limit", limit_},
                 {"busy", busy},
                 {"done", awl_ends_},
                 {"moved", moved_}},
                "Searches the number of warps that issue the most.");
    m_.unused("unused_awl_busy", busy, "awl_ends says the same");
  }

  void no_warp_limiting() {
    m_.section("All warps may issue.");
    const Expr total_q =
        m_.reg("total_q", total_.width(), static_cast<std::uint64_t>(p_.awl.warps), "warps of the kernel");
    m_.clocked("Warps of the kernel.", [&] { m_.when(kernel_start_, [&] { m_.set(total_q, total_); }); });
    limit_ = total_q;
    moved_ = lit(1, 0);
  }

  // IPC between the rounds of ADI and while nothing adapts, against that of the period before.
  void watch() {
    const int cycles = bits_to_number(watch_cycles(p_)), ipc = watch_bits(p_);
    const auto last_of = [&](const char* name, int period) {
      return m_.constant(name, cycles, static_cast<std::uint64_t>(period) - 1,
                         fmt::format("of a period of {} cycles", period));
    };
    m_.section("Thread instructions of a period between rounds of ADI or without adaptation.");
    const Expr cycle_q = m_.reg("cycle_q", cycles, 0, "cycle of the period");
    const Expr ipc_q = m_.reg("ipc_q", ipc, 0, "issued so far");
    const Expr last_q = m_.data_reg("last_q", ipc, "issued in the period before");
    first_q_ = m_.reg("first_q", 1, 1, "the phase has had no period yet");
    const bool rests_apart = has_adi(p_.order) && p_.adi_idle != p_.awl.period;
    Expr watched = idle_, limit = last_of(rests_apart ? "LAST_IDLE_CYCLE" : "LAST_CYCLE", p_.awl.period);
    if (has_adi(p_.order)) watched = watched | rest_q_;
    if (rests_apart) limit = mux(rest_q_, last_of("LAST_REST_CYCLE", p_.adi_idle), limit);
    watched = m_.let("watched", watched, "the cycle counts");
    const Expr ends = m_.let("period_ends", watched & (cycle_q == limit), "a period ends");
    const IpcSum now(m_, ipc_q, issued_);
    judged_ = m_.let("judged", ends & now.some(), "something was issued in it");
    const bool same = !has_adi(p_.order) || p_.adi_change == p_.idle_change;
    idle_changed_ = changed_by_more(m_, same ? "ipc_changed" : "idle_changed", last_q, now, p_.idle_change);
    rest_changed_ = same ? idle_changed_ : changed_by_more(m_, "rest_changed", last_q, now, p_.adi_change);
    const Expr counts = m_.let("counts", watched & ~ends & ~kernel_start_, "the period goes on");
    m_.clocked("Count.", [&] {
      m_.set(cycle_q, (cycle_q + lit(cycles, 1)) & rtl::replicate(cycles, counts));
      m_.set(ipc_q, now.now() & rtl::replicate(ipc, counts));
    });
    m_.clocked("Keep it for the next period.", [&] { m_.when(judged_, [&] { m_.set(last_q, now.now()); }); });
    m_.observe("watch_cycle", cycle_q);
    m_.observe("watch_ipc", ipc_q);
    m_.observe("first", first_q_);
    m_.observe("last_ipc", last_q);
  }

  // Rounds of ADI, with a rest behind each.
  void adi_steps() {
    m_.section("Rounds of ADI.");
    const Expr again = first_q_ | rest_changed_;
    adi_again_ = m_.let("adi_again", rest_q_ & judged_ & again, "another round: the IPC has changed");
    adi_ends_ = m_.let("adi_ends", rest_q_ & judged_ & ~again, "the IPC is steady");
    const Expr runs = in(adi_phase);
    const Expr adi_runs = order_.first == both_phase ? runs | in(both_phase) : runs;
    const Expr rests =
        m_.let("rests", adi_runs & ~adi_start_q_ & (rest_q_ | round_done_) & ~adi_again_ & ~adi_ends_,
               "the round has ended, the rest has not");
    m_.clocked("The rest behind a round.", [&] { m_.set(rest_q_, rests & ~kernel_start_); });
    m_.observe("rest", rest_q_);
  }

  // The last phase of the order ends.
  Expr all_ends() {
    if (order_.first == both_phase) {
      const Expr no_adi = in(awl_phase), no_awl = in(adi_phase);
      return (adi_ends_ & (awl_ends_ | no_awl)) | (awl_ends_ & no_adi);
    }
    return runs_adi(order_.second.value_or(order_.first)) ? adi_ends_ : awl_ends_;
  }

  void phases() {
    m_.section("The next phase.");
    const Expr wakes = m_.let("wakes", idle_ & judged_ & ~first_q_ & idle_changed_, "the IPC has changed");
    const Expr all_end = order_.first == both_phase
                             ? m_.let("all_end", all_ends(), "all phases of the order have run")
                             : all_ends();
    const Expr first =
        m_.let("first_begins", kernel_start_ | wakes | (all_end & moved_), "the first phase begins");
    std::optional<Expr> second;
    Expr changes = first | all_end;
    if (order_.second) {
      second = m_.let("second_begins", (runs_adi(order_.first) ? adi_ends_ : awl_ends_) & ~kernel_start_,
                      "the second phase begins");
      changes = changes | *second;
    } else if (order_.first == both_phase) {
      second = m_.let("one_ends", adi_ends_ | awl_ends_, "the other goes on, if it has not ended too");
    }
    const auto next = [&] {
      return order_.second
                 ? iacm_phase_constant(m_, *order_.second)
                 : mux(adi_ends_, iacm_phase_constant(m_, awl_phase), iacm_phase_constant(m_, adi_phase));
    };
    m_.clocked("Phase.", [&] {
      auto rest = m_.when(first, [&] { m_.set(phase_q_, iacm_phase_constant(m_, order_.first)); });
      rest.otherwise([&] {
        auto others = m_.when(all_end, [&] { m_.set(phase_q_, iacm_phase_constant(m_, idle_phase)); });
        if (second) others.otherwise([&] { m_.when(*second, [&] { m_.set(phase_q_, next()); }); });
      });
    });
    const auto begins = [&](bool (*side)(IacmPhase)) {
      Expr begin = side(order_.first) ? first : lit(1, 0);
      if (order_.second && side(*order_.second)) begin = begin | *second;
      return begin;
    };
    m_.clocked("Start pulses of the searches.", [&] {
      if (has_adi(p_.order)) m_.set(adi_start_q_, begins(runs_adi) | (adi_again_ & ~kernel_start_));
      if (has_awl(p_.order)) m_.set(awl_start_q_, begins(runs_awl));
      m_.set(first_q_, changes | (first_q_ & ~judged_));
    });
  }

  void outputs() {
    m_.section("Outputs");
    m_.assign(phase_out_, phase_q_);
    m_.assign(adi_start_out_, has_adi(p_.order) ? adi_start_q_ : lit(1, 0));
    m_.assign(limit_out_, limit_);
  }

  const IacmParams& p_;
  const Order order_;
  rtl::Module m_;
  Expr kernel_start_, total_, issued_, round_done_, phase_out_, adi_start_out_, limit_out_;
  Expr phase_q_, idle_, adi_start_q_, rest_q_, awl_start_q_, first_q_;
  Expr limit_, awl_ends_, moved_, judged_, rest_changed_, idle_changed_, adi_again_, adi_ends_;
};

}  // namespace

void check(const IacmParams& p) {
  require(p.order != IacmOrder::none, "iacm.order", "none", "must be an order: a controller runs ADI or AWL",
          "use adi_awl, the thesis'");
  check(p.awl);
  require_in(IacmRanges::adi_idle, "iacm.adi_idle", p.adi_idle, "use 6250, the thesis'");
  check_change("iacm.adi_change", p.adi_change);
  check_change("iacm.idle_change", p.idle_change);
}

rtl::Module iacm_controller(const IacmParams& p, const std::string& name) {
  check(p);
  return IacmControllerBuilder(p, name).run();
}

}  // namespace hw
