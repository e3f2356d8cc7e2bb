// Which of an SM's warps may issue: a golden limiter for each scheduler or one for the SM, or hardware
// instead.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/monitors/warp_limit.h"
#include "hw/monitors/limit_params.h"

namespace golden {

class WarpGate {
 public:
  virtual ~WarpGate() = default;
  // A cycle, its edge included: which warps move in, end and wait in it; a bit a warp slot of the SM. Returns
  // the warps that may issue.
  virtual std::uint64_t cycle(std::uint64_t launch, std::uint64_t finish, std::uint64_t waiting) = 0;
  // So many of each scope's warps may issue from the next call on.
  virtual void limit_to(int count) = 0;
};

// Warps that may issue before anybody has said how many.
constexpr int first_limit(const hw::LimitParams& p) {
  return p.kind == hw::LimitKind::fixed ? p.count : p.warps;
}

// The slots of a limiter's scope: with two schedulers in an SM, slot w belongs to scheduler w mod 2.
class LimiterSlots {
 public:
  LimiterSlots(hw::LimitScope scope, unsigned number)
      : step_(scope == hw::LimitScope::scheduler ? 2 : 1), first_(number) {}

  std::uint64_t own(std::uint64_t of_sm) const {
    std::uint64_t bits = 0;
    for (unsigned w = first_, n = 0; w < 64; w += step_, ++n) bits |= (of_sm >> w & 1) << n;
    return bits;
  }
  std::uint64_t of_sm(std::uint64_t own) const {
    std::uint64_t bits = 0;
    for (unsigned w = first_, n = 0; w < 64; w += step_, ++n) bits |= (own >> n & 1) << w;
    return bits;
  }
  static unsigned limiters(hw::LimitScope scope) { return scope == hw::LimitScope::scheduler ? 2 : 1; }

 private:
  unsigned step_, first_;
};

class LimitedWarps final : public WarpGate {
 public:
  explicit LimitedWarps(const hw::LimitParams& p)
      : scope_(p.scope), count_(first_limit(p)), units_(LimiterSlots::limiters(p.scope)) {}

  void limit_to(int count) override { count_ = count; }

  std::uint64_t cycle(std::uint64_t launch, std::uint64_t finish, std::uint64_t waiting) override {
    std::uint64_t allowed = 0;
    for (unsigned n = 0; n < units_.size(); ++n) {
      const LimiterSlots slots(scope_, n);
      allowed |= slots.of_sm(units_[n].allowed(slots.own(waiting), static_cast<unsigned>(count_)));
      units_[n].edge(slots.own(launch), slots.own(finish));
    }
    return allowed;
  }

 private:
  const hw::LimitScope scope_;
  int count_;
  std::vector<WarpLimit> units_;
};

}  // namespace golden
