#include "golden/gpu/warp_scheduler.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace golden {

namespace {

// The first slot of `ready` after `last`, going round.
int next_after(int last, std::uint64_t ready) {
  const std::uint64_t behind = last + 1 < 64 ? ready & ~(slot_bit(last + 1) - 1) : 0;
  return std::countr_zero(behind ? behind : ready);
}

}  // namespace

WarpScheduler::WarpScheduler(SchedulerKind kind, int slots, int fetch_group)
    : kind_(kind), fetch_group_(fetch_group) {
  if (slots < 1 || slots > max_slots || fetch_group < 1 || fetch_group > max_slots)
    throw std::invalid_argument("a warp scheduler has 1 to 64 slots, and 1 to 64 of them in a fetch group");
  last_of_.assign(static_cast<size_t>((slots + fetch_group - 1) / fetch_group), -1);
}

void WarpScheduler::started(int slot) { oldest_first_.push_back(slot); }

void WarpScheduler::ended(int slot) {
  std::erase(oldest_first_, slot);
  if (kind_ == SchedulerKind::gto && last_ == slot)
    last_ = -1;  // its successor in the slot is not the same warp
}

int WarpScheduler::pick(std::uint64_t ready) {
  if (ready == 0) return -1;
  switch (kind_) {
    case SchedulerKind::gto:
      last_ = greedy_then_oldest(ready);
      break;
    case SchedulerKind::lrr:
      last_ = next_after(last_, ready);
      break;
    case SchedulerKind::two_level:
      last_ = two_level(ready);
      break;
  }
  return last_;
}

int WarpScheduler::greedy_then_oldest(std::uint64_t ready) const {
  if (last_ >= 0 && (ready & slot_bit(last_))) return last_;
  return *std::ranges::find_if(oldest_first_, [ready](int slot) { return (ready & slot_bit(slot)) != 0; });
}

int WarpScheduler::two_level(std::uint64_t ready) {
  const int groups = static_cast<int>(last_of_.size());
  for (int i = 0; i < groups; ++i) {
    const int group = (active_ + i) % groups;
    const std::uint64_t all = fetch_group_ < 64 ? slot_bit(fetch_group_) - 1 : ~std::uint64_t{0};
    const std::uint64_t here = ready & (all << (group * fetch_group_));
    if (here == 0) continue;
    active_ = group;
    int& last = last_of_[static_cast<size_t>(group)];
    return last = next_after(last, here);
  }
  return -1;
}

}  // namespace golden
