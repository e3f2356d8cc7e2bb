#include "verif/lockstep/l1d/iacm_gpu.h"

namespace verif {
namespace {

using golden::IacmController;

bool one_in(std::mt19937_64& draw, std::int64_t n) { return draw() % static_cast<std::uint64_t>(n) == 0; }

}  // namespace

// In states of one cycle more often than in the others, in rounds more often than in searches.
bool IacmGpu::kernel_starts(std::mt19937_64& draw, const IacmController& unit) const {
  const bool brief =
      unit.adi() == IacmController::Adi::start || unit.side() == IacmController::AwlSide::start;
  if (unit.adi() == IacmController::Adi::round) return one_in(draw, 80 * p_.awl.period);
  return one_in(draw, brief ? 60 : 200 * p_.awl.period);
}

void IacmGpu::plan_watched(std::mt19937_64& draw, const golden::IpcWatch& watch, int period,
                           const hw::Fraction& fraction) {
  const std::int64_t most = std::int64_t{period} * p_.awl.issue_max;
  const auto any = static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most + 1));
  const std::int64_t last = watch.last(), step = fraction[0] * last / fraction[1];
  std::int64_t ipc = last;
  switch (draw() % 10) {
    case 0:
      ipc = 0;
      break;
    case 1:
      ipc = any;
      break;
    case 2:
      ipc = last + step + static_cast<std::int64_t>(draw() % 2);
      break;
    case 3:
      ipc = last - step - static_cast<std::int64_t>(draw() % 2);
      break;
    default:
      break;
  }
  // Where nothing came before, a multiple, so that a later IPC can be exactly the fraction away.
  if (watch.first()) ipc = std::max<std::int64_t>(fraction[1], any / fraction[1] * fraction[1] * 4 / 5);
  issue_.plan(draw, period, ipc);
}

IacmController::In IacmGpu::draw(std::mt19937_64& draw, const IacmController& unit) {
  const bool rests = unit.adi() == IacmController::Adi::rest, idle = unit.phase() == 2;
  IacmController::In in;
  in.kernel_start = kernel_starts(draw, unit);
  in.total = random_total(draw, p_.awl.warps);
  if (in.kernel_start || one_in(draw, std::int64_t{40} * p_.awl.period))
    issue_.plan_kernel(draw, p_.awl.period);
  if (unit.awl().busy() && unit.awl().cycle() == 0)
    issue_.plan_period(draw, p_.awl.period, unit.limit(), unit.awl().search().previous_ipc());
  else if ((rests || idle) && unit.watch().cycle() == 0)
    plan_watched(draw, unit.watch(), rests ? p_.adi_idle : p_.awl.period,
                 rests ? p_.adi_change : p_.idle_change);
  in.issued = issue_.issued();
  if (!unit.awl().busy() && !rests && !idle) in.issued = static_cast<int>(draw() % 2) * p_.awl.issue_max;
  return in;
}

}  // namespace verif
