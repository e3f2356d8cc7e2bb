// BUCL's update unit (BUCL, section 4): from the hit rate of one L1, the use of the memory's input buffers
// and, profiling, what each SM issues, it says from which degree on loads bypass, and when stalled ones may.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "golden/state.h"
#include "hw/policy/bucl_params.h"

namespace golden {

class BuclThresholdUnit {
 public:
  // Of a cycle. Numbers that are not given are 0.
  struct In {
    bool kernel_start = false;
    bool access = false, hit = false;              // of the designated L1; a hit is an access too
    std::span<const std::uint8_t> occupancy = {};  // entries in use, by sub-partition
    std::span<const std::uint8_t> issued = {};     // lanes, by SM
  };
  enum class Phase : std::uint8_t { profile, search, run };

  explicit BuclThresholdUnit(const hw::BuclParams& p)
      : p_(p), sums_(static_cast<std::size_t>(p.sub_partitions)), ran_(static_cast<std::size_t>(p.sms)) {
    reset();
  }

  bool profiling() const { return hw::profiles(p_) && phase_ != Phase::run; }
  unsigned tucd() const { return static_cast<unsigned>(tucd_); }
  bool hit_rate_low() const { return hit_rate_low_; }
  std::uint64_t buffer_free() const { return buffer_free_; }

  // What an SM's L1 compares with.
  unsigned tucd_of(int sm) const {
    return profiling() ? static_cast<unsigned>(p_.thresholds[sm % p_.thresholds.count]) : tucd();
  }

  // For observers.
  const hw::BuclParams& params() const { return p_; }
  Phase phase() const { return phase_; }
  int cycle() const { return cycle_; }
  int profile_cycle() const { return phase_cycle_; }  // or that of the search
  std::int64_t hits() const { return hits_; }
  std::int64_t accesses() const { return accesses_; }
  std::int64_t sum(int sub_partition) const { return sums_[static_cast<std::size_t>(sub_partition)]; }
  std::int64_t ran(int sm) const { return ran_[static_cast<std::size_t>(sm)]; }

  // All to reset values; so does a cycle with kernel_start.
  void reset() {
    cycle_ = 0;
    hits_ = accesses_ = 0;
    sums_.assign(sums_.size(), 0);
    hit_rate_low_ = false;
    buffer_free_ = 0;
    tucd_ = p_.initial;
    start_profile();
  }

  void edge(const In& in) {
    if (in.kernel_start) return reset();
    accesses_ += in.access;
    hits_ += in.access && in.hit;
    for (std::size_t p = 0; p < sums_.size(); ++p) sums_[p] += number(in.occupancy, p);
    if (hw::profiles(p_)) profile(in);
    if (++cycle_ == p_.period) end_period();
  }

  // Its state by name, behind that of the part that it is; read as long as it lives.
  void publish(StateList& list, const std::string& part = "") const {
    const auto add = [&](const char* name, int width, auto of) {
      list.value(part + name, width, {},
                 [of](unsigned, unsigned) { return static_cast<std::uint64_t>(of()); });
    };
    const auto add_each = [&](const char* name, int width, const char* whose, int count, auto of) {
      list.value(part + name, width, {.parts = {{whose, static_cast<unsigned>(count)}}},
                 [of](unsigned, unsigned n) { return static_cast<std::uint64_t>(of(n)); });
    };
    const char* const buffer = "sub-partition";
    const int counts = hw::bits_up_to(p_.period), partitions = p_.sub_partitions;
    add("cycle", state_bits(static_cast<unsigned>(p_.period)), [this] { return cycle_; });
    add("accesses", counts, [this] { return accesses_; });
    add("hits", counts, [this] { return hits_; });
    add("tucd", hw::tucd_bits(p_), [this] { return tucd_; });
    add("hit_rate_low", 1, [this] { return hit_rate_low_; });
    add_each("buffer_free", 1, buffer, partitions, [this](unsigned n) { return buffer_free_ >> n & 1; });
    add_each("sum", hw::bits_up_to(std::int64_t{p_.buffer_entries} * p_.period), buffer, partitions,
             [this](unsigned n) { return sums_[n]; });
    if (!hw::profiles(p_)) return;
    add("phase", 2, [this] { return static_cast<unsigned>(phase_); });
    add_each("ran", hw::bits_up_to(std::int64_t{p_.profile_cycles} * p_.issue_max), "SM", p_.sms,
             [this](unsigned n) { return ran_[n]; });
  }

 private:
  static std::int64_t number(std::span<const std::uint8_t> list, std::size_t n) {
    return n < list.size() ? list[n] : 0;
  }

  void end_period() {
    if (accesses_ > 0) {
      const std::int64_t hits = hits_ * p_.hit_rate[1], enough = accesses_ * p_.hit_rate[0];
      hit_rate_low_ = hits < enough;
      if (!hw::profiles(p_))
        tucd_ = hits > enough ? std::min(tucd_ + 1, p_.highest) : std::max(tucd_ - 1, p_.lowest);
    }
    const std::int64_t most = std::int64_t{p_.buffer_entries} * p_.period;
    buffer_free_ = 0;
    for (std::size_t p = 0; p < sums_.size(); ++p)
      buffer_free_ |= std::uint64_t{sums_[p] * p_.buffer_use[1] < p_.buffer_use[0] * most} << p;
    cycle_ = 0;
    hits_ = accesses_ = 0;
    sums_.assign(sums_.size(), 0);
  }

  void start_profile() {
    phase_ = Phase::profile;
    phase_cycle_ = 0;
    ran_.assign(ran_.size(), 0);
  }

  void profile(const In& in) {
    switch (phase_) {
      case Phase::profile:
        for (std::size_t s = 0; s < ran_.size(); ++s) ran_[s] += number(in.issued, s);
        if (++phase_cycle_ == p_.profile_cycles) {
          phase_ = Phase::search;
          phase_cycle_ = 0;
        }
        return;
      case Phase::search:  // an SM a cycle; its result shows behind the last
        if (++phase_cycle_ == p_.sms) end_search();
        return;
      case Phase::run:
        return;
    }
  }

  // The first of the rates that ran most; nothing ran: once more.
  void end_search() {
    const auto best = std::ranges::max_element(ran_);
    if (*best == 0) return start_profile();
    tucd_ = p_.thresholds[static_cast<int>(best - ran_.begin()) % p_.thresholds.count];
    phase_ = Phase::run;
  }

  const hw::BuclParams p_;
  int cycle_ = 0;
  std::int64_t hits_ = 0, accesses_ = 0;
  std::vector<std::int64_t> sums_;  // by sub-partition
  bool hit_rate_low_ = false;
  std::uint64_t buffer_free_ = 0;
  int tucd_ = 0;
  Phase phase_ = Phase::profile;
  int phase_cycle_ = 0;            // of its cycles, past ones
  std::vector<std::int64_t> ran_;  // lanes, by SM
};

}  // namespace golden
