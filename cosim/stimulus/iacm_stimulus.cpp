#include "cosim/stimulus/iacm_stimulus.h"

namespace verif {
namespace {

using golden::IacmController;

bool once(std::mt19937_64& draw, std::int64_t n) { return draw() % static_cast<std::uint64_t>(n) == 0; }

}  // namespace

IacmStimulus::Where IacmStimulus::where(const IacmController& unit) {
  if (unit.phase() == 2) return idle;
  if (unit.awl().busy()) return search;
  return unit.adi() == IacmController::Adi::rest ? rest : foreign;
}

// Rests and idle periods have had each change once, and searches have goals left.
bool IacmStimulus::hastens_to_search() const {
  return searches_ && !aims_.all_reached() && changes_[idle] > changes &&
         (changes_[rest] > changes || !hw::has_adi(p_.order));
}

// In each sixth state of one cycle; in each twelfth period, in its last cycle or any other. A way that leads
// to a goal from an earlier search's result is cut no more once each of these kernels came some times.
bool IacmStimulus::kernel_starts(std::mt19937_64& draw, const IacmController& unit) {
  if (comes_to_idle()) {
    // A kernel of one warp takes the place of that of the reset; the first idle period has one in its middle.
    if (where(unit) != idle) return unit.limit() > 1;
    periods_[idle] += unit.watch().cycle() == 0;
    return periods_[idle] == 1 && unit.watch().cycle() == p_.awl.period / 2;
  }
  constexpr int some = 12;
  const auto often = [&](int begun) { return begun > some && hastens_to_search(); };
  if (unit.side() == IacmController::AwlSide::start) return ++starts_[0] % 6 == 4 && !often(starts_[0]);
  if (unit.adi() == IacmController::Adi::start) return ++starts_[1] % 6 == 4 && !often(starts_[1]);
  if (unit.adi() == IacmController::Adi::round) return once(draw, 24) && !often(starts_[1]);
  const Where here = where(unit);
  if (here == foreign) return once(draw, 200);
  const int cycle = here == search ? unit.awl().cycle() : unit.watch().cycle(),
            period = here == rest ? p_.adi_idle : p_.awl.period;
  if (here == idle && cycle == 0 && hastens_to_search() && aims_.kernel(unit.awl())) return true;
  if (cycle == 0) {
    const int begun = ++periods_[here];
    const bool kernel = begun % 12 == (here == search && idle_soon_ ? 1 : 5);
    kernel_at_ = !kernel || (begun > 12 && hastens_to_search()) ? -1
                 : once(draw, 2)                                ? period - 1
                                 : static_cast<int>(draw() % static_cast<unsigned>(period));
  }
  return cycle == kernel_at_;
}

// Kernels of few warps come to idle soon, those of one without a search.
int IacmStimulus::total(std::mt19937_64& draw, const golden::Awl& unit) const {
  if (hastens_to_search())
    if (const int aimed = aims_.kernel(unit)) return aimed;
  if (comes_to_idle()) return 1;
  if (idle_soon_ && !limit_moved_) return std::min(2, p_.awl.warps);
  if (once(draw, 3)) return 1;
  return once(draw, 4)
             ? random_total(draw, p_.awl.warps)
             : 1 + static_cast<int>(draw() % static_cast<unsigned>(std::min(p_.awl.warps, few_warps)));
}

void IacmStimulus::plan_search(std::mt19937_64& draw, const golden::Awl& unit) {
  const std::int64_t old = unit.search().previous_ipc();
  const auto pays = !hastens_to_search() && once(draw, 4) ? std::nullopt : aims_.pays(unit);
  if (pays)
    issue_.plan_aimed(draw, p_.awl.period, *pays, old);
  else
    issue_.plan_period(draw, p_.awl.period, unit.limit(), old);
}

// One change after the other, since periods are few: those first that leave a phase as it is.
void IacmStimulus::plan_watched(std::mt19937_64& draw, const golden::IpcWatch& watch, Where here) {
  enum Change { steady, up, up_beyond, down, down_beyond, nothing, any };
  static constexpr std::array<std::array<Change, changes>, 2> order{
      {{up, nothing, down, up_beyond, down_beyond, steady, any},
       {up, down, up_beyond, nothing, down_beyond, steady, any}}};
  const int period = here == idle ? p_.awl.period : p_.adi_idle;
  const hw::Fraction& fraction = here == idle ? p_.idle_change : p_.adi_change;
  const std::int64_t most = std::int64_t{period} * p_.awl.issue_max, of = fraction[1], last = watch.last(),
                     step = fraction[0] * last / of;
  const auto free = static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most + 1));
  // Where nothing came before, a multiple, so that later ones can be exactly the fraction away.
  if (watch.first()) {
    const std::int64_t unit = of * of <= most / 4 ? of * of : of;
    return issue_.plan(draw, period, std::max(unit, free * 3 / 5 / unit * unit));
  }
  int& changed = changes_[here];
  Change change = order[here][static_cast<std::size_t>(changed++) % changes];
  std::int64_t ipc = last;
  if (hastens_to_search() || comes_to_idle()) change = here == rest ? steady : up_beyond;
  if ((change == up || change == down) && last % of) {
    change = steady, --changed;
    ipc = last / of * of;
  }
  if (change == up || change == up_beyond) ipc = last + step + (change == up_beyond);
  if (change == down || change == down_beyond) ipc = last - step - (change == down_beyond);
  if (change == nothing) ipc = 0;
  if (change == any) ipc = free;
  issue_.plan(draw, period, ipc);
}

IacmInputs IacmStimulus::draw(std::mt19937_64& draw, const IacmController& unit) {
  IacmInputs drawn{.rst = once(draw, std::int64_t{640} * p_.awl.period)};
  IacmController::In& in = drawn.in;
  const Where here = where(unit);
  idle_woke_ = idle_woke_ || (was_idle_ && here != idle && !kernel_started_);
  in.kernel_start = kernel_starts(draw, unit);
  in.total = in.kernel_start ? total(draw, unit.awl()) : random_total(draw, p_.awl.warps);
  in.round_done = once(draw, unit.adi() == IacmController::Adi::round ? 3 : 6);
  if (in.kernel_start || once(draw, std::int64_t{40} * p_.awl.period))
    issue_.plan_kernel(draw, p_.awl.period);
  if (here == search && unit.awl().cycle() == 0)
    plan_search(draw, unit.awl());
  else if ((here == rest || here == idle) && unit.watch().cycle() == 0)
    plan_watched(draw, unit.watch(), here);
  in.issued = issue_.issued();
  if (here == foreign) in.issued = static_cast<int>(draw() % 2) * p_.awl.issue_max;
  was_idle_ = here == idle && unit.watch().cycle() == p_.awl.period - 1;
  limit_moved_ = limit_moved_ || (unit.limit() < limit_ && !kernel_started_ && !comes_to_idle());
  limit_ = unit.limit();
  kernel_started_ = in.kernel_start;
  return drawn;
}

}  // namespace verif
