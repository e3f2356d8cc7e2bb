// Adaptive warp limiting (ACI thesis, section 4.2.3, algorithms 1 to 4 in their corrected form;
// docs/contracts/iacm.md): the search for the number of warps that gives the most instructions per cycle,
// halving or doubling first, then one by one, and its cycles.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>

#include "golden/state.h"
#include "hw/monitors/awl_params.h"

namespace golden {

// Relative to the older value; a change of exactly the fraction is none.
inline bool changed_by_more(std::int64_t old, std::int64_t now, const hw::Fraction& fraction) {
  const std::int64_t difference = now > old ? now - old : old - now;
  return fraction[1] * difference > fraction[0] * old;
}

class WarpSearch {
 public:
  enum class Step : std::uint8_t { binary_down, binary_up, linear_down, linear_up };

  explicit WarpSearch(hw::LinearFrom linear_from) : linear_from_(linear_from) {}

  // A kernel that can have so many warps, of which so many may issue.
  void kernel(int total, int active) {
    total_ = total;
    active_ = active;
  }
  // A search from the count that there is.
  void begin() {
    origin_ = active_;
    step_ = active_ == 1 ? Step::binary_up : Step::binary_down;
    previous_ipc_ = 0;
  }
  // A period with the count as it is, in which so much was issued, more than nothing. True when it is the
  // search's last.
  bool period(std::int64_t ipc) {
    const bool pays = ipc > previous_ipc_;
    previous_ipc_ = pays ? ipc : 0;  // from 0 the next period is the measure
    switch (step_) {
      case Step::binary_down:
        return pays ? halve() : leave_halving();
      case Step::binary_up:
        return pays ? double_up() : leave_doubling();
      case Step::linear_down:
        return pays ? one_less() : leave_descent();
      case Step::linear_up:
        return pays ? one_more() : settle_at(active_ - 1);
    }
    return true;
  }

  int active() const { return active_; }  // N_C
  int origin() const { return origin_; }  // N_S
  int total() const { return total_; }    // N_T
  Step step() const { return step_; }
  std::int64_t previous_ipc() const { return previous_ipc_; }

 private:
  bool settle_at(int count) {
    active_ = count;
    return true;
  }
  bool go_on(int count, Step step) {
    active_ = count;
    step_ = step;
    return false;
  }
  int doubled() const { return std::min(2 * active_, total_); }

  bool halve() { return active_ == 1 ? true : go_on(active_ / 2, step_); }
  bool leave_halving() {
    if (active_ == origin_ / 2) return go_on(origin_, Step::binary_up);
    origin_ = doubled();
    return go_on(origin_, Step::linear_down);
  }
  bool double_up() {
    if (active_ == total_) return true;
    if (linear_from_ == hw::LinearFrom::best) origin_ = active_;
    return go_on(doubled(), step_);
  }
  bool leave_doubling() {
    if (linear_from_ == hw::LinearFrom::best)
      return go_on(origin_, origin_ == 1 ? Step::linear_up : Step::linear_down);
    origin_ = active_;
    return go_on(active_, Step::linear_down);
  }
  bool one_less() { return active_ == origin_ / 2 ? true : go_on(active_ - 1, step_); }
  bool leave_descent() {
    return active_ == origin_ - 1 ? go_on(origin_, Step::linear_up) : settle_at(active_ + 1);
  }
  bool one_more() { return active_ == 2 * origin_ || active_ == total_ ? true : go_on(active_ + 1, step_); }

  hw::LinearFrom linear_from_;
  int active_ = 1, origin_ = 1, total_ = 1;
  Step step_ = Step::binary_down;
  std::int64_t previous_ipc_ = 0;
};

// The unit, cycle by cycle: counts what is issued in each period and asks the search for the next limit.
class Awl {
 public:
  // Of a cycle. With kernel_start `total` counts alone.
  struct In {
    bool kernel_start = false;
    int total = 1;  // warps of the kernel in the limit's scope, 1 to warps
    bool start = false;
    int issued = 0;  // thread instructions
  };

  explicit Awl(const hw::AwlParams& p) : p_(p), search_(p.linear_from) { reset(); }

  int limit() const { return search_.active(); }
  bool busy() const { return busy_; }
  bool done() const { return done_; }
  bool moved() const { return moved_; }

  // For observers.
  const WarpSearch& search() const { return search_; }
  std::int64_t ipc() const { return ipc_; }  // of the period so far
  int cycle() const { return cycle_; }
  int settled() const { return settled_; }  // N_P

  void reset() { begin_kernel(p_.warps); }

  void edge(const In& in) {
    if (in.kernel_start) return begin_kernel(in.total);
    done_ = false;
    if (busy_)
      run(in.issued);
    else if (in.start)
      start();
  }

  void publish(StateList& list, const std::string& part = "") const {
    const auto add = [&](const char* name, int width, auto of) {
      list.value(part + name, width, {}, [of](unsigned, unsigned) -> MayCount { return of(); });
    };
    const auto while_busy = [this](std::int64_t value) {
      return busy_ ? MayCount(static_cast<std::uint64_t>(value)) : MayCount();
    };
    const int counts = hw::warp_count_bits(p_), ipc = hw::ipc_bits(p_, p_.period);
    add("active", counts, [this] { return static_cast<std::uint64_t>(search_.active()); });
    add("settled", counts, [this] { return static_cast<std::uint64_t>(settled_); });
    add("total", counts, [this] { return static_cast<std::uint64_t>(search_.total()); });
    add("busy", 1, [this] { return std::uint64_t{busy_}; });
    add("origin", counts, [this, while_busy] { return while_busy(search_.origin()); });
    add("linear", 1,
        [this, while_busy] { return while_busy(search_.step() >= WarpSearch::Step::linear_down); });
    add("up", 1, [this, while_busy] {
      return while_busy(search_.step() == WarpSearch::Step::binary_up ||
                        search_.step() == WarpSearch::Step::linear_up);
    });
    add("cycle", state_bits(static_cast<unsigned>(p_.period)),
        [this] { return static_cast<std::uint64_t>(cycle_); });
    add("ipc", ipc, [this] { return static_cast<std::uint64_t>(ipc_); });
    add("previous_ipc", ipc, [this, while_busy] { return while_busy(search_.previous_ipc()); });
  }

 private:
  void begin_kernel(int total) {
    search_.kernel(total, total);
    settled_ = total;
    busy_ = done_ = moved_ = false;
    cycle_ = 0;
    ipc_ = 0;
  }

  void start() {
    if (search_.total() == 1) return finish();
    search_.begin();
    busy_ = true;
  }

  void run(int issued) {
    ipc_ += issued;
    if (++cycle_ < p_.period) return;
    const std::int64_t ipc = ipc_;
    cycle_ = 0;
    ipc_ = 0;
    if (ipc > 0 && search_.period(ipc)) finish();
  }

  void finish() {
    moved_ = changed_by_more(settled_, search_.active(), p_.warp_change);
    settled_ = search_.active();
    busy_ = false;
    done_ = true;
  }

  hw::AwlParams p_;
  WarpSearch search_;
  int settled_ = 1;
  bool busy_ = false, done_ = false, moved_ = false;
  int cycle_ = 0;
  std::int64_t ipc_ = 0;
};

}  // namespace golden
