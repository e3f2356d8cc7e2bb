#include "cosim/stimulus/awl_stimulus.h"

#include <algorithm>
#include <bit>

namespace verif {
namespace {

std::int64_t ipc_below(std::mt19937_64& draw, std::int64_t n) {
  return static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(n));
}

}  // namespace

void IssueStimulus::plan_kernel(std::mt19937_64& draw, int period) {
  const std::int64_t most = std::int64_t{period} * issue_max_;
  const auto warps = static_cast<std::int64_t>(by_limit_.size()) - 1;
  const std::int64_t kind = ipc_below(draw, 7), peak = 1 + ipc_below(draw, warps),
                     low = ipc_below(draw, most + 1);
  const std::int64_t slope = 1 + ipc_below(draw, std::max<std::int64_t>(1, most / (warps + 1)));
  for (std::int64_t limit = 1; limit <= warps; ++limit) {
    std::int64_t& ipc = by_limit_[static_cast<std::size_t>(limit)];
    switch (kind) {
      case 0:
        ipc = limit * slope;
        break;
      case 1:
        ipc = most - limit * slope;
        break;
      case 2:
        ipc = most - (limit > peak ? limit - peak : peak - limit) * slope;
        break;
      case 3:
        ipc = limit <= peak ? most : low;
        break;
      case 4:
        ipc = low;
        break;
      default:
        ipc = ipc_below(draw, most + 1);
    }
    ipc = std::clamp<std::int64_t>(ipc, 1, most);
  }
}

void IssueStimulus::plan_period(std::mt19937_64& draw, int period, int limit, std::int64_t old) {
  const auto kind = ipc_below(draw, 32);
  if (kind >= (bits_left(period) ? 6 : 24) && plan_one_bit(draw, period, kind % 2, old)) return;
  plan(draw, period,
       kind < 2   ? 0
       : kind < 4 ? old - 1 + ipc_below(draw, 3)
                  : by_limit_[static_cast<std::size_t>(limit)]);
}

// The upper bits differ in one, in which a comparison of the others alone is wrong, and the lower ones the
// other way. A carry of the last cycle may make the difference.
bool IssueStimulus::plan_one_bit(std::mt19937_64& draw, int period, bool pays, std::int64_t old) {
  const std::int64_t most = std::int64_t{period} * issue_max_;
  const int low_bits = std::bit_width(static_cast<unsigned>(issue_max_)),
            high_bits = std::bit_width(static_cast<std::uint64_t>(most)) - low_bits;
  if (old == 0 || high_bits < 1) return false;
  const std::int64_t step = std::int64_t{1} << low_bits, old_low = old % step, old_high = old / step;
  // The next one is as near as one bit of another is far.
  const bool next = pays && ipc_below(draw, 4) == 0;
  const bool can_carry = old_low + 1 < step / 2 && (old_high & ~decided_[1]) != 0,
             carries = next || (can_carry && ((old_high & ~decided_[0]) == 0 || ipc_below(draw, 2)));
  const std::int64_t bit = std::int64_t{1} << next_bit(draw, high_bits, pays ? ~old_high : old_high, carries);
  if (!next && pays == ((old_high & bit) != 0)) return false;
  const std::int64_t high = next ? old_high + 1 : old_high ^ bit;
  const std::int64_t above = old_low + 1 + ipc_below(draw, std::max<std::int64_t>(1, step / 2 - old_low - 1));
  const std::int64_t ipc =
      high * step + (pays ? ipc_below(draw, std::min(old_low + 1, step / 2)) : std::min(step - 1, above));
  if (ipc > most) return false;
  plan(draw, period, ipc);
  spread_ = carries ? late : early;
  return true;
}

// Some upper bit has not made a count fail yet.
bool IssueStimulus::bits_left(int period) const {
  if (!each_bit_) return false;
  const std::int64_t most = std::int64_t{period} * issue_max_;
  const auto all = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)) * 2 - 1) >>
                   std::bit_width(static_cast<unsigned>(issue_max_));
  return (decided_[0] & decided_[1]) != all;
}

// One of these bits that has not made a count fail yet, with such a carry; else any.
std::int64_t IssueStimulus::next_bit(std::mt19937_64& draw, std::int64_t bits, std::int64_t of,
                                     bool carries) {
  const std::int64_t first = ipc_below(draw, bits);
  for (std::int64_t n = 0; n < bits; ++n) {
    const std::int64_t bit = (first + n) % bits;
    if ((of & ~decided_[carries]) >> bit & 1) return bit;
  }
  return first;
}

// By one instruction as often as by many, so that enough is left for the periods to come.
void IssueStimulus::plan_aimed(std::mt19937_64& draw, int period, bool pays, std::int64_t old) {
  const std::int64_t most = std::int64_t{period} * issue_max_;
  if (ipc_below(draw, 8) < (each_bit_ && !pays ? 5 : 2) && plan_one_bit(draw, period, pays, old)) return;
  const auto kind = ipc_below(draw, 16);
  std::int64_t ipc = old;
  if (old == 0)
    ipc = 1 + ipc_below(draw, std::max<std::int64_t>(
                                  1, !each_bit_ || ipc_below(draw, 4) ? most / 2 : most - most / 8));
  else if (pays)
    ipc = kind == 0 ? most
                    : old + 1 + (kind < 8 ? 0 : ipc_below(draw, std::max<std::int64_t>(1, (most - old) / 4)));
  else if (kind >= 6)
    ipc = kind < 10 ? old - 1 : 1 + ipc_below(draw, old);
  // Lower bits to which the last cycle can add a carry.
  if (each_bit_ && old == 0 && kind < 12) ipc &= ~std::int64_t{issue_max_};
  plan(draw, period, kind == 15 ? 0 : std::max<std::int64_t>(1, ipc));
}

void IssueStimulus::plan(std::mt19937_64& draw, int period, std::int64_t ipc) {
  left_ = std::clamp<std::int64_t>(ipc, 0, std::int64_t{period} * issue_max_);
  cycles_left_ = period;
  spread_ = static_cast<int>(ipc_below(draw, 3));
}

int IssueStimulus::issued() {
  if (cycles_left_ == 0) return 0;
  std::int64_t now = (left_ + cycles_left_ - 1) / cycles_left_;
  if (spread_ == early) now = std::min<std::int64_t>(left_, issue_max_);
  if (spread_ == late) now = std::max<std::int64_t>(0, left_ - std::int64_t{issue_max_} * (cycles_left_ - 1));
  left_ -= now;
  --cycles_left_;
  return static_cast<int>(now);
}

int random_total(std::mt19937_64& draw, int warps) {
  const auto kind = ipc_below(draw, 8);
  return kind == 0 ? 1 : kind < 4 ? warps : 1 + static_cast<int>(ipc_below(draw, warps));
}

AwlAims::AwlAims(const hw::AwlParams& p) : p_(p), goals_(awl_reach(p).cells) { goals_.merge(awl_results(p)); }

std::optional<bool> AwlAims::pays(const golden::Awl& unit) const {
  const auto aim = awl_aim(p_, unit.search(), unit.settled(), goals_);
  return aim ? std::optional(aim->pays) : std::nullopt;
}

int AwlAims::kernel(const golden::Awl& unit) const {
  golden::WarpSearch search = unit.search();
  search.begin();
  const auto now = awl_aim(p_, search, unit.settled(), goals_);
  int best = 0, periods = now ? now->periods : 0;
  const auto near = [&](int total) {
    search.kernel(total, total);
    search.begin();
    const auto aim = awl_aim(p_, search, total, goals_);
    if (aim && (periods == 0 || aim->periods < periods)) best = total, periods = aim->periods;
  };
  for (int total = 2; total <= std::min(p_.warps, few_warps); ++total) near(total);
  if (p_.warps >= many_warps) near(many_warps);
  return best;
}

void AwlStimulus::plan_period(std::mt19937_64& draw, const golden::Awl& unit) {
  const golden::WarpSearch& search = unit.search();
  const int begun = ++periods_[static_cast<std::size_t>(search.step())];
  // A way to a goal may take three searches: little cuts it once kernels have cut some periods of each kind.
  const bool cuts = begun % 24 == 3 && (begun < 72 || aims_.all_reached());
  kernel_at_ = cuts ? static_cast<int>(ipc_below(draw, p_.period)) : -1;
  const auto pays = ipc_below(draw, 64) ? aims_.pays(unit) : std::nullopt;
  if (pays)
    issue_.plan_aimed(draw, p_.period, *pays, search.previous_ipc());
  else
    issue_.plan_period(draw, p_.period, unit.limit(), search.previous_ipc());
}

// Any starts as well as those from where a goal is near.
void AwlStimulus::between_searches(std::mt19937_64& draw, const golden::Awl& unit, golden::Awl::In& in) {
  if (unit.search().total() == 1 && ipc_below(draw, 2)) {
    in.start = true;
    return;
  }
  if (aims_.all_reached() || ipc_below(draw, 6) == 0) {
    in.kernel_start = ipc_below(draw, 4) == 0;
    in.start = ipc_below(draw, 4) == 0;
  } else if (const int total = aims_.kernel(unit)) {
    in.kernel_start = true;
    in.total = total;
    in.start = ipc_below(draw, 2) == 0;
  } else {
    in.start = true;
  }
  if (in.start || in.kernel_start) issue_.plan_kernel(draw, p_.period);
}

AwlInputs AwlStimulus::draw(std::mt19937_64& draw, const golden::Awl& unit) {
  const bool last = unit.busy() && unit.cycle() == p_.period - 1;
  AwlInputs drawn{.rst = ipc_below(draw, std::int64_t{640} * p_.period) == 0};
  golden::Awl::In& in = drawn.in;
  in.total = random_total(draw, p_.warps);
  if (unit.busy()) {
    if (unit.cycle() == 0) plan_period(draw, unit);
    in.kernel_start = last ? ipc_below(draw, 40) == 0 : unit.cycle() == kernel_at_;
    in.start = ipc_below(draw, 16) == 0;
    in.issued = issue_.issued();
  } else {
    between_searches(draw, unit, in);
    in.issued = static_cast<int>(ipc_below(draw, p_.issue_max + 1));
  }
  return drawn;
}

}  // namespace verif
