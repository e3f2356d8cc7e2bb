// Golden DynEB: one core's choice between private and shared L1s, cycle by cycle (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md). The comparison is one of whole numbers, exact for all counters.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>

#include "golden/state.h"
#include "hw/shared/dyneb_params.h"

namespace golden {

// What a sample came to.
struct DynebSample {
  struct Group {
    std::uint64_t accesses = 0, misses = 0, slice_replies = 0, home_replies = 0;
    bool operator==(const Group&) const = default;
  };
  std::array<Group, 2> group = {};          // even sets, private; odd ones, shared
  std::uint64_t sent = 0, sent_missed = 0;  // own loads of odd sets to homes, and the misses among them
};

// What is compared: shared is better where `small` is less. Each side is a sum of a group, times a factor of
// the other one.
struct DynebSides {
  struct Side {
    std::uint64_t sum = 0, factor = 0;
    std::uint64_t product() const { return sum * factor; }
  };
  Side small = {}, large = {};
};

inline DynebSides dyneb_sides(const hw::DynebParams& p, const DynebSample& s) {
  const auto& [even, odd] = s.group;
  const auto at_least_one = [](std::uint64_t misses) { return std::max<std::uint64_t>(misses, 1); };
  if (p.metric == hw::DynebMetric::eb) {
    const auto bandwidth = [&](const DynebSample::Group& g) {
      return g.slice_replies * g.accesses + g.home_replies * at_least_one(g.misses);
    };
    return {{bandwidth(even), at_least_one(odd.misses)}, {bandwidth(odd), at_least_one(even.misses)}};
  }
  const auto l2 = static_cast<unsigned>(p.l2_latency), home = static_cast<unsigned>(p.home_latency);
  return {{(odd.misses + s.sent_missed) * l2 + s.sent * home, even.accesses},
          {l2 * (odd.accesses + s.sent), even.misses}};
}

// Why a sample makes the L1 private; or shared.
enum class DynebCause { few_misses, no_even_access, no_odd_access, tie, worse, shared };

inline DynebCause compared(const hw::DynebParams& p, const DynebSample& s) {
  const auto& [even, odd] = s.group;
  if (100 * even.misses < static_cast<unsigned>(p.miss_percent) * even.accesses)
    return DynebCause::few_misses;
  if (even.accesses == 0) return DynebCause::no_even_access;
  if (odd.accesses == 0) return DynebCause::no_odd_access;
  const DynebSides sides = dyneb_sides(p, s);
  const std::uint64_t small = sides.small.product(), large = sides.large.product();
  return small == large ? DynebCause::tie : small < large ? DynebCause::shared : DynebCause::worse;
}

class Dyneb {
 public:
  enum class Phase { sample, evaluate, drain_to_execute, execute, drain_to_sample };
  struct In {
    struct Request {
      bool valid = false, load = false, odd = false, home = false;
    };
    struct Probe {
      bool valid = false, odd = false, served = false, miss = false;
    };
    struct SliceReply {
      bool valid = false, odd = false, served = false;
    };
    struct HomeReply {
      bool valid = false, odd = false, load = false, hit = false;
    };
    bool flush = false;
    Request request = {};
    bool answer = false;
    Probe probe = {};
    SliceReply slice = {};
    HomeReply home = {};
  };
  // Why a phase ends.
  enum class End { no, accesses, cap, full };

  static constexpr std::uint64_t most_open = 1023, most = 65535;

  // `eval_cycles`: how long EVAL takes.
  explicit Dyneb(const hw::DynebParams& p, int eval_cycles = hw::dyneb_eval_cycles)
      : p_(p), eval_cycles_(eval_cycles) {}

  const hw::DynebParams& params() const { return p_; }
  Phase phase() const { return phase_; }
  bool even_shared() const { return even_shared_; }
  bool odd_shared() const { return odd_shared_; }
  bool draining() const { return phase_ == Phase::drain_to_execute || phase_ == Phase::drain_to_sample; }
  bool hold() const { return draining() || open_ == most_open; }
  bool idle() const { return open_ == 0; }
  std::uint64_t open() const { return open_; }
  int evaluated() const { return evaluated_; }
  const DynebSample& sample() const { return sample_; }

  End ends() const {
    const auto at = [](std::uint64_t counter, int limit) {
      return counter == static_cast<std::uint64_t>(limit);
    };
    if (phase_ == Phase::execute) {
      if (at(executed_, p_.execute_accesses)) return End::accesses;
      return p_.execute_cap && at(total_, p_.execute_cap) ? End::cap : End::no;
    }
    if (phase_ != Phase::sample) return End::no;
    if (at(own_[0], p_.sample_accesses) && at(own_[1], p_.sample_accesses)) return End::accesses;
    if (p_.sample_cap && at(total_, p_.sample_cap)) return End::cap;
    return full() ? End::full : End::no;
  }

  void reset() { *this = Dyneb(p_, eval_cycles_); }

  void edge(const In& in) {
    if (in.flush) return reset();
    const End end = ends();
    const bool drained = draining() && idle() && !in.request.valid;
    if (end == End::no) count(in);
    open_ += in.request.valid;
    open_ -= in.answer;
    if (draining()) begin_again();
    if ((phase_ == Phase::sample && end != End::no) || phase_ == Phase::evaluate)
      evaluate();
    else if (phase_ == Phase::execute && end != End::no)
      phase_ = Phase::drain_to_sample;
    else if (drained)
      change_over();
  }

  void publish(StateList& list) const {
    const auto number = [&](const std::string& name, int width, const auto& value) {
      list.value(name, width, {}, [&value](unsigned, unsigned) { return static_cast<std::uint64_t>(value); });
    };
    number("phase", 3, phase_);
    number("even_shared", 1, even_shared_);
    number("odd_shared", 1, odd_shared_);
    number("open", hw::dyneb_open_bits, open_);
    number("executed", hw::dyneb_executed_bits(p_), executed_);
    number("total", hw::dyneb_total_bits(p_), total_);
    number("sent", hw::dyneb_count_bits, sample_.sent);
    number("sent_missed", hw::dyneb_count_bits, sample_.sent_missed);
    number("evaluation.cycle", 7, evaluated_);
    number("evaluation.decision", 1, shared_);
    publish_values(list);
    for (std::size_t odd = 0; odd < 2; ++odd) {
      const std::string group = odd ? "odd." : "even.";
      number(group + "accesses", hw::dyneb_count_bits, sample_.group[odd].accesses);
      number(group + "misses", hw::dyneb_count_bits, sample_.group[odd].misses);
      number(group + "slice_replies", hw::dyneb_count_bits, sample_.group[odd].slice_replies);
      number(group + "home_replies", hw::dyneb_count_bits, sample_.group[odd].home_replies);
      number(group + "own", hw::dyneb_own_bits(p_), own_[odd]);
    }
  }

 private:
  // What each quarter of the comparison comes to: the misses that are missing for a change, both sums, and
  // the difference of the sides.
  std::uint64_t value_of_round(int round) const {
    const DynebSample::Group& even = sample_.group[0];
    const DynebSides sides = dyneb_sides(p_, sample_);
    const std::uint64_t values[] = {
        100 * even.misses - static_cast<unsigned>(p_.miss_percent) * even.accesses, sides.small.sum,
        sides.large.sum, sides.small.product() - sides.large.product()};
    return values[round];
  }
  // Block b of a value is there `dyneb_blocks - 1 - b` cycles before its quarter's last.
  void publish_values(StateList& list) const {
    constexpr int round_cycles = hw::dyneb_eval_cycles / 4;
    const int sum_bits =
                  hw::dyneb_count_bits + (p_.metric == hw::DynebMetric::eb ? hw::dyneb_count_bits + 1 : 12),
              bits = (sum_bits + hw::dyneb_count_bits + hw::dyneb_blocks) / hw::dyneb_blocks;
    list.value("evaluation.value", bits, {.parts = {{"block", hw::dyneb_blocks}}},
               [this, bits](unsigned, unsigned block) {
                 const bool complete =
                     evaluated_ % round_cycles == round_cycles - hw::dyneb_blocks + static_cast<int>(block);
                 return complete ? MayCount(value_of_round(evaluated_ / round_cycles) >>
                                                (block * static_cast<unsigned>(bits)) &
                                            ((std::uint64_t{1} << bits) - 1))
                                 : MayCount();
               });
  }

  bool full() const {
    const auto group_full = [](const DynebSample::Group& g) {
      return std::max({g.accesses, g.misses, g.slice_replies, g.home_replies}) == most;
    };
    return std::ranges::any_of(sample_.group, group_full) ||
           std::max(sample_.sent, sample_.sent_missed) == most;
  }

  void count(const In& in) {
    if (phase_ != Phase::sample && phase_ != Phase::execute) return;
    total_ += p_.sample_cap || p_.execute_cap ? in.request.valid && in.request.load : 0;
    if (phase_ == Phase::execute) {
      executed_ += in.probe.valid && !in.probe.served;
      return;
    }
    if (in.probe.valid) count_probe(in.probe);
    if (in.slice.valid && (p_.count_served || !in.slice.served)) ++sample_.group[in.slice.odd].slice_replies;
    if (in.home.valid) ++sample_.group[in.home.odd].home_replies;
    sample_.sent += in.request.valid && in.request.load && in.request.odd && in.request.home;
    sample_.sent_missed += in.home.valid && in.home.load && in.home.odd && !in.home.hit;
  }

  void count_probe(const In::Probe& probe) {
    if (probe.served && (!p_.count_served || p_.metric == hw::DynebMetric::amat)) return;
    DynebSample::Group& group = sample_.group[probe.odd];
    ++group.accesses;
    group.misses += probe.miss;
    std::uint64_t& own = own_[probe.odd];
    own += !probe.served && own < static_cast<std::uint64_t>(p_.sample_accesses);
  }

  void evaluate() {
    phase_ = Phase::evaluate;
    if (++evaluated_ < eval_cycles_) return;
    evaluated_ = 0;
    shared_ = compared(p_, sample_) == DynebCause::shared;
    phase_ = Phase::drain_to_execute;
  }

  void begin_again() {
    sample_ = {};
    own_ = {};
    total_ = executed_ = 0;
  }

  void change_over() {
    const bool executes = phase_ == Phase::drain_to_execute;
    phase_ = executes ? Phase::execute : Phase::sample;
    even_shared_ = executes && shared_;
    odd_shared_ = !executes || shared_;
  }

  hw::DynebParams p_;
  int eval_cycles_;
  Phase phase_ = Phase::sample;
  bool even_shared_ = false, odd_shared_ = true, shared_ = false;
  DynebSample sample_;
  std::array<std::uint64_t, 2> own_ = {};
  std::uint64_t total_ = 0, executed_ = 0, open_ = 0;
  int evaluated_ = 0;
};

}  // namespace golden
