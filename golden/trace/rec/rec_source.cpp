#include "golden/trace/rec/rec_source.h"

#include <fmt/format.h>

namespace golden {

void RecSource::pull() {
  have_ = trace_.next(ahead_);
  if (have_) ahead_launch_ = trace_.launch_of(ahead_.cta);
}

bool RecSource::next_kernel(KernelInfo& kernel) {
  if (!started_) {
    done_.resize(trace_.launches().size());
    pull();
  }
  for (Record passed; started_ && next(passed);) continue;
  started_ = true;
  if (!have_) return false;
  launch_ = ahead_launch_;
  if (done_[launch_])
    throw TraceError(fmt::format("{}: cta {} of launch {} comes after the next launch has begun", name(),
                                 ahead_.cta, trace_.launches()[launch_].index));
  done_[launch_] = true;
  in_cta_ = false;
  const Launch& launch = trace_.launches()[launch_];
  kernel = {trace_.side().kernel_of(launch),
            launch.grid,
            trace_.side().block_of(launch),
            launch.index,
            launch.cta_base,
            launch.records,
            trace_.side().registers,
            trace_.side().shared_bytes};
  return true;
}

void RecSource::enter_cta(std::uint32_t cta) {
  if (in_cta_ && cta == cta_) return;
  if (!ctas_.add(cta))
    throw TraceError(
        fmt::format("{}: records of cta {} come in two places: must be one after the other", name(), cta));
  in_cta_ = true;
  cta_ = cta;
}

bool RecSource::next(Record& record) {
  if (!have_ || ahead_launch_ != launch_) return false;
  enter_cta(ahead_.cta);
  record = ahead_;
  record.cta -= trace_.launches()[launch_].cta_base;
  pull();
  return true;
}

}  // namespace golden
