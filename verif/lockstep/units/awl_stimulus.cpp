#include "verif/lockstep/units/awl_stimulus.h"

#include <algorithm>

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
  plan(draw, period,
       kind < 2   ? 0
       : kind < 4 ? old - 1 + ipc_below(draw, 3)
                  : by_limit_[static_cast<std::size_t>(limit)]);
}

void IssueStimulus::plan(std::mt19937_64& draw, int period, std::int64_t ipc) {
  left_ = std::clamp<std::int64_t>(ipc, 0, std::int64_t{period} * issue_max_);
  cycles_left_ = period;
  spread_ = static_cast<int>(ipc_below(draw, 3));
}

int IssueStimulus::issued() {
  if (cycles_left_ == 0) return 0;
  std::int64_t now = (left_ + cycles_left_ - 1) / cycles_left_;
  if (spread_ == 1) now = std::min<std::int64_t>(left_, issue_max_);
  if (spread_ == 2) now = std::max<std::int64_t>(0, left_ - std::int64_t{issue_max_} * (cycles_left_ - 1));
  left_ -= now;
  --cycles_left_;
  return static_cast<int>(now);
}

int random_total(std::mt19937_64& draw, int warps) {
  const auto kind = ipc_below(draw, 8);
  return kind == 0 ? 1 : kind < 4 ? warps : 1 + static_cast<int>(ipc_below(draw, warps));
}

AwlInputs AwlStimulus::draw(std::mt19937_64& draw, const golden::Awl& unit) {
  const bool last = unit.busy() && unit.cycle() == p_.period - 1;
  const std::int64_t rare = std::int64_t{80} * p_.period;
  AwlInputs drawn{.rst = ipc_below(draw, 8 * rare) == 0};
  golden::Awl::In& in = drawn.in;
  in.kernel_start = ipc_below(draw, last ? 160 : unit.done() ? 20 : rare) == 0;
  in.total = random_total(draw, p_.warps);
  in.start = ipc_below(draw, unit.busy() ? 16 : 4) == 0;
  if (!unit.busy() && (in.start || in.kernel_start)) issue_.plan_kernel(draw, p_.period);
  if (unit.busy() && unit.cycle() == 0)
    issue_.plan_period(draw, p_.period, unit.limit(), unit.search().previous_ipc());
  in.issued = unit.busy() ? issue_.issued() : static_cast<int>(ipc_below(draw, p_.issue_max + 1));
  return drawn;
}

}  // namespace verif
