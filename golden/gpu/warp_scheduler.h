// Warp schedulers: which warp of an SM issues its next instruction.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace golden {

enum class SchedulerKind {
  gto,        // greedy then oldest: the warp that issued last as long as it can, else the oldest that can
  lrr,        // loose round-robin: the next slot that can, after the one that issued last
  two_level,  // fetch groups of neighbouring slots: round-robin inside the active group until none of it can,
              // then the next group with one that can (Narasiman et al., MICRO 2011)
};

// "gto", "lrr" or "two-level".
constexpr SchedulerKind scheduler_named(std::string_view name) {
  if (name == "lrr") return SchedulerKind::lrr;
  return name == "gto" ? SchedulerKind::gto : SchedulerKind::two_level;
}

constexpr std::string_view name_of(SchedulerKind kind) {
  return kind == SchedulerKind::lrr ? "lrr" : kind == SchedulerKind::gto ? "gto" : "two-level";
}

constexpr std::uint64_t slot_bit(int slot) { return std::uint64_t{1} << slot; }

class WarpScheduler {
 public:
  static constexpr int max_slots = 64;

  WarpScheduler(SchedulerKind kind, int slots, int fetch_group);

  void started(int slot);  // a warp moves in; the oldest is the one that moved in first
  void ended(int slot);
  // The slot to issue from, of those whose bit of `ready` is set; -1 if there is none. It counts as issued.
  int pick(std::uint64_t ready);

 private:
  int greedy_then_oldest(std::uint64_t ready) const;
  int two_level(std::uint64_t ready);

  SchedulerKind kind_;
  int fetch_group_;
  int last_ = -1;             // slot that issued last
  int active_ = 0;            // two-level: the active group
  std::vector<int> last_of_;  // two-level: slot of each group that issued last
  std::vector<int> oldest_first_;
};

}  // namespace golden
