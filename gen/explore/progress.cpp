#include "gen/explore/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>

#include "cosim/harness/time_left.h"

namespace gen {

Progress::Progress(std::string what, std::string unit, std::size_t parts)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      terminal_(isatty(STDERR_FILENO) == 1),
      shares_(parts),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(std::size_t part, double share, std::uint64_t more) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  count_ += more;
  if (share > 0) shares_[part] = share;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  shown_ = true;
  const double done =
      std::accumulate(shares_.begin(), shares_.end(), 0.0) / static_cast<double>(shares_.size());
  fmt::print(stderr, "\r\033[K{}: {:.0f} %, {:.1f} million {}{}", what_, 100 * done,
             static_cast<double>(count_) / 1e6, unit_,
             verif::time_left(std::chrono::duration<double>(now - start_).count(), done));
  std::fflush(stderr);
}

}  // namespace gen
