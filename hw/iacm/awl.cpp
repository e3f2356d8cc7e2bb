#include "hw/iacm/awl.h"

#include <fmt/format.h>

#include "hw/iacm/change.h"
#include "hw/iacm/iacm_ranges.h"
#include "hw/iacm/ipc_sum.h"
#include "hw/limit/limit_ranges.h"
#include "hw/prim/last_cycle.h"
#include "hw/prim/one_hot.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr, rtl::lit, rtl::mux, rtl::zext;

// What a period leads to. The IPC is known last, so that both outcomes are worked out beside it.
struct Outcome {
  Expr active, ends, moved;
};

class AwlBuilder {
 public:
  AwlBuilder(const AwlParams& p, const std::string& name)
      : p_(p),
        bits_(warp_count_bits(p)),
        best_(p.linear_from == LinearFrom::best),
        m_(name,
           fmt::format("Adaptive warp limiting: finds how many of {} warps issue the most, in periods of "
                       "{} cycles (ACI thesis, section 4.2.3).",
                       p.warps, p.period)) {}

  rtl::Module run() {
    ports();
    state();
    period();
    counts();
    const Outcome paid = paying(), failed = failing();
    conclude(paid, failed);
    steps(failed);
    outputs();
    observed();
    return m_;
  }

 private:
  Expr count(int value) const { return lit(bits_, static_cast<std::uint64_t>(value)); }

  void ports() {
    kernel_start_ = m_.input("kernel_start", 1, "a kernel begins: no limit, no search");
    total_ = m_.input("total", bits_, "the kernel's warps in the limit's scope; counts with kernel_start");
    start_ = m_.input("start", 1, "search, unless a search goes on");
    issued_ = m_.input("issued", issued_bits(p_), "thread instructions issued in this cycle");
    limit_out_ = m_.output("limit", bits_, "warps that may issue");
    busy_out_ = m_.output("busy", 1, "a search goes on");
    done_out_ = m_.output("done", 1, "the search has ended in the cycle before");
    moved_out_ = m_.output("moved", 1, "the result differs from the one before by more than the fraction");
  }

  void state() {
    const auto warps = static_cast<std::uint64_t>(p_.warps);
    m_.section("Counts of warps (of the thesis' names, N_C, N_S, N_P and N_T).");
    active_q_ = m_.reg("active_q", bits_, warps, "warps that may issue");
    origin_q_ = m_.data_reg("origin_q", bits_, "the count that the search, or a part of it, began with");
    settled_q_ = m_.reg("settled_q", bits_, warps, "result of the search before");
    total_q_ = m_.reg("total_q", bits_, warps, "warps of the kernel");
    m_.section("The search.");
    busy_q_ = m_.reg("busy_q", 1, 0, "a search goes on");
    linear_q_ = m_.reg("linear_q", 1, 0, "counts change by one; else they are halved or doubled");
    up_q_ = m_.reg("up_q", 1, 0, "counts grow");
    done_q_ = m_.reg("done_q", 1, 0, "a search has ended in the cycle before");
    moved_q_ = m_.reg("moved_q", 1, 0, "the last result has moved");
    begins_ = m_.let("begins", start_ & ~busy_q_, "a search is requested and none goes on");
    alone_ = m_.let("alone", total_q_ == count(1), "there is nothing to search");
  }

  void period() {
    const int cycles = bits_to_number(p_.period), ipc = ipc_bits(p_, p_.period);
    m_.section("Thread instructions of a period.");
    cycle_q_ = m_.reg("cycle_q", cycles, 0, "cycle of the period");
    ipc_q_ = m_.reg("ipc_q", ipc, 0, "issued so far");
    previous_q_ =
        m_.data_reg("previous_q", ipc, "issued with the count before; 0 where this one is the measure");
    const Expr last =
        m_.let("last", cycle_q_ == last_cycle(m_, cycles, p_.period), "the cycle is the last of the period");
    const IpcSum sum(m_, ipc_q_, issued_);
    judged_ = m_.let("judged", busy_q_ & last & sum.some(), "a period ends in which something was issued");
    pays_ = sum.above("pays", previous_q_, "the count is better than the one before");
    const Expr counts = m_.let("counts", busy_q_ & ~last & ~kernel_start_, "the period goes on");
    m_.clocked("Count.", [&] {
      m_.set(cycle_q_, (cycle_q_ + lit(cycles, 1)) & rtl::replicate(cycles, counts));
      m_.set(ipc_q_, sum.now() & rtl::replicate(ipc, counts));
    });
    m_.clocked("IPC that the next count is compared with.", [&] {
      m_.when(begins_, [&] { m_.set(previous_q_, lit(ipc, 0)); }).otherwise([&] {
        m_.when(judged_, [&] { m_.set(previous_q_, sum.now() & rtl::replicate(ipc, pays_)); });
      });
    });
  }

  // Half the count, as far as it has bits.
  Expr half(const Expr& value) const {
    return bits_ == 1 ? count(0) : zext(value.slice(bits_ - 1, 1), bits_);
  }

  void counts() {
    m_.section("Counts that may come next, and where the search stands.");
    less_ = m_.let("less", active_q_ - count(1), "one warp less");
    more_ = m_.let("more", active_q_ + count(1), "one warp more");
    const Expr doubled = m_.let("doubled", rtl::cat({active_q_, lit(1, 0)}), "twice as many");
    twice_ = m_.let("twice", mux(zext(total_q_, bits_ + 1) < doubled, total_q_, doubled.slice(bits_ - 1, 0)),
                    "twice as many, up to all");
    at_all_ = m_.let("at_all", active_q_ == total_q_, "all warps");
    at_one_ = m_.let("at_one", active_q_ == count(1), "one warp");
    at_half_ = m_.let("at_half", active_q_ == half(origin_q_), "half of what the search began with");
  }

  // The count is better than the one before: on in the same direction, to the end of the range.
  Outcome paying() {
    m_.section("When the count pays.");
    const Expr at_twice = m_.let("at_twice", zext(active_q_, bits_ + 1) == rtl::cat({origin_q_, lit(1, 0)}),
                                 "twice of what the search began with");
    const Expr ends =
        m_.let("paying_ends", mux(up_q_, at_all_ | (linear_q_ & at_twice), mux(linear_q_, at_half_, at_one_)),
               "the range ends here");
    const Expr on =
        m_.let("paying_on", mux(linear_q_, mux(up_q_, more_, less_), mux(up_q_, twice_, half(active_q_))),
               "the next count in this direction");
    return {.active = m_.let("paying_active", mux(ends, active_q_, on), "the next count"),
            .ends = ends,
            .moved = changed_by_more(m_, "stay_moved", settled_q_, active_q_, p_.warp_change)};
  }

  // It is not: back to where the search began and the other way, or to a finer search, or the one before is
  // it.
  Outcome failing() {
    m_.section("When the count does not pay.");
    const Expr below =
        m_.let("below", active_q_ == origin_q_ - count(1), "one less than the search began with");
    turns_ = m_.let("turns", ~up_q_ & mux(linear_q_, below, at_half_), "the first step down: try the way up");
    const Expr back = m_.let("back", mux(up_q_, less_, more_), "the count before, of a linear search");
    const Expr refined = mux(up_q_, best_ ? origin_q_ : active_q_, twice_);
    const Expr next = mux(turns_, origin_q_, mux(linear_q_, back, refined));
    return {.active = m_.let("failing_active", next, "the next count"),
            .ends = m_.let("failing_ends", linear_q_ & ~turns_, "the count before is the result"),
            .moved = changed_by_more(m_, "back_moved", settled_q_, back, p_.warp_change)};
  }

  void conclude(const Outcome& paid, const Outcome& failed) {
    m_.section("The end of a search.");
    ends_ = m_.let("ends", judged_ & mux(pays_, paid.ends, failed.ends), "a search ends");
    next_ = m_.let("next", mux(pays_, paid.active, failed.active), "the next count, or the result");
    const Expr moved = mux(pays_, paid.moved, failed.moved);
    m_.clocked("Limit and result.", [&] {
      m_.when(kernel_start_, [&] {
          m_.set(total_q_, total_);
          m_.set(active_q_, total_);
          m_.set(settled_q_, total_);
          m_.set(moved_q_, lit(1, 0));
        }).otherwise([&] {
        m_.when(judged_, [&] { m_.set(active_q_, next_); });
        m_.when(ends_, [&] {
          m_.set(settled_q_, next_);
          m_.set(moved_q_, moved);
        });
      });
    });
    // One warp is its own result, which then never moves.
    m_.clocked("Whether a search goes on; of one warp it ends as it begins.", [&] {
      m_.set(busy_q_, ~kernel_start_ & ~ends_ & (busy_q_ | (start_ & ~alone_)));
      m_.set(done_q_, ~kernel_start_ & (ends_ | (begins_ & alone_)));
    });
  }

  void steps(const Outcome& failed) {
    const Expr fails = m_.let("fails", judged_ & ~pays_, "the search turns, gets finer or ends");
    Expr finer_up = turns_, new_origin = ~linear_q_ & ~turns_;
    if (best_) {
      finer_up = turns_ | (up_q_ & (origin_q_ == count(1)));
      new_origin = new_origin & ~up_q_;
    }
    m_.clocked("Direction and kind of the search.", [&] {
      m_.when(begins_, [&] {
          m_.set(linear_q_, lit(1, 0));
          m_.set(up_q_, at_one_);
        }).otherwise([&] {
        m_.when(fails, [&] {
          m_.set(linear_q_, linear_q_ | ~turns_);
          m_.set(up_q_, finer_up);
        });
      });
    });
    m_.clocked("Count that the steps start from.", [&] {
      auto set = m_.when(begins_, [&] { m_.set(origin_q_, active_q_); });
      set.otherwise([&] {
        m_.when(fails & new_origin, [&] { m_.set(origin_q_, failed.active); });
        if (best_) m_.when(judged_ & pays_ & ~linear_q_ & up_q_, [&] { m_.set(origin_q_, active_q_); });
      });
    });
  }

  void outputs() {
    m_.section("Outputs");
    m_.assign(limit_out_, active_q_);
    m_.assign(busy_out_, busy_q_);
    m_.assign(done_out_, done_q_);
    m_.assign(moved_out_, moved_q_);
  }

  void observed() {
    for (const auto& [name, q] : {std::pair{"active", active_q_},
                                  {"settled", settled_q_},
                                  {"total", total_q_},
                                  {"busy", busy_q_},
                                  {"origin", origin_q_},
                                  {"linear", linear_q_},
                                  {"up", up_q_},
                                  {"cycle", cycle_q_},
                                  {"ipc", ipc_q_},
                                  {"previous_ipc", previous_q_}})
      m_.observe(name, q);
  }

  const AwlParams& p_;
  const int bits_;
  const bool best_;
  rtl::Module m_;
  Expr kernel_start_, total_, start_, issued_, limit_out_, busy_out_, done_out_, moved_out_;
  Expr active_q_, origin_q_, settled_q_, total_q_, busy_q_, linear_q_, up_q_, done_q_, moved_q_;
  Expr cycle_q_, ipc_q_, previous_q_, judged_, pays_;
  Expr begins_, alone_, less_, more_, twice_, at_all_, at_one_, at_half_, turns_, ends_, next_;
};

}  // namespace

void check(const AwlParams& p) {
  require_in(LimitRanges::warps, "limit.warps", p.warps, "use 24 for a scheduler, 48 for a core of two");
  require_in(IacmRanges::period, "iacm.period", p.period, "use 6250, the thesis'");
  check_change("iacm.warp_change", p.warp_change);
  require_in(IacmRanges::issue_max, "iacm.issue_max", p.issue_max, "use 64, two warps of 32 lanes");
}

rtl::Module awl(const AwlParams& p, const std::string& name) {
  check(p);
  return AwlBuilder(p, name).run();
}

}  // namespace hw
