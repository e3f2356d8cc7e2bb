// The phases of random traffic for an L1 data cache: which lines, which kinds of requests, how fast, and how
// the memory behaves.
#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "cosim/l1d/iacm_inputs.h"
#include "cosim/l1d/l1d_stimulus.h"
#include "golden/l1d/own_controller.h"

namespace verif {

L1dStimulus::Pulse L1dStimulus::pulse() {
  static constexpr unsigned rates[] = {16, 16, 16, 14, 8, 8, 2, 1};
  return {.rate = any_of(rates), .bursts = chance(5)};
}

L1dMemory::Manner L1dStimulus::manner() {
  static constexpr std::pair<int, int> latencies[] = {{1, 1}, {1, 4}, {2, 30}, {30, 60}, {20, 300}};
  static constexpr unsigned rates[] = {16, 16, 15, 8, 2};
  static constexpr L1dMemory::Order orders[] = {L1dMemory::Order::first, L1dMemory::Order::last,
                                                L1dMemory::Order::any, L1dMemory::Order::any};
  const auto [least, most] = any_of(latencies);
  return {.least_latency = least,
          .most_latency = most,
          .order = any_of(orders),
          .ready_rate = any_of(rates),
          .places = chance(2) ? 2 : 1 << 20};
}

// So many of a set just fit, or just do not.
std::size_t L1dStimulus::lines_of_interest() {
  const std::vector<std::size_t> numbers = traffic_.lines_of_interest(params_);
  return numbers.size() == 1 ? numbers.front() : any_of(numbers);
}

void L1dStimulus::open_lines() {
  const auto& hot = any_of(hot_sets_);
  const auto some = [&](std::size_t n) {
    const std::size_t first = draw_() % hot.size();
    for (std::size_t i = 0; i < std::min(n, hot.size()); ++i) lines_.push_back(hot[(first + i) % hot.size()]);
  };
  lines_.clear();
  sequential_ = chance(4);
  switch (draw_() % 8) {
    case 0:
      some(1);
      break;
    case 1:
      some(2 + draw_() % 3);
      break;
    case 2:
      some(lines_of_interest());
      break;
    case 3:
    case 4:
      lines_ = hot;
      break;
    case 5:
      for (const auto& h : hot_sets_) lines_.insert(lines_.end(), h.begin(), h.end());
      break;
    default:
      lines_ = spread_;
  }
  if (chance(2)) lines_.push_back(any_of(spread_));
}

// What is rare at random: everything full at once, or nothing in the way.
void L1dStimulus::open_recipe() {
  weights_ = {16, 0, 0, 0};
  requests_ = responses_ = {};
  most_ids_ = slots_;
  flush_rate_ = chance(4) ? 16 : 0;
  L1dMemory::Manner slow{.least_latency = 250, .most_latency = 500, .order = L1dMemory::Order::any};
  switch (draw_() % (traffic_.shared_ways ? 8 : 6)) {
    case 0:  // all entries
      lines_ = spread_;
      sequential_ = true;
      masks_ = Masks::one;
      break;
    case 1:  // all merges
      lines_.resize(1 + draw_() % std::min<std::size_t>(2, lines_.size()));
      break;
    case 2:  // the queue
      weights_ = {8, 6, 1, 1};
      slow.ready_rate = 1;
      break;
    case 3:  // poisoned entries
      weights_ = {13, 3, 0, 0};
      lines_.resize(1 + draw_() % std::min<std::size_t>(3, lines_.size()));
      break;
    case 4:  // nothing but hits in the end
      lines_.assign(1, any_of(spread_));
      slow = {.least_latency = 1, .most_latency = 2};
      flush_rate_ = 0;
      break;
    case 5:  // all ways of a set
      lines_ = any_of(hot_sets_);
      sequential_ = true;
      masks_ = Masks::all;
      break;
    case 6:  // one fill is late, and a flush comes before it
      lines_ = any_of(hot_sets_);
      masks_ = Masks::one;
      flush_rate_ = 16;
      slow = {.least_latency = 1,
              .most_latency = 4,
              .order = L1dMemory::Order::any,
              .straggler_rate = 1,
              .straggler_latency = 400};
      break;
    default:  // hits in all ways of some sets, and now and then a fill among them
      lines_.clear();
      for (const auto& hot : hot_sets_)
        std::ranges::copy(hot | std::views::take(whole_lines_of_set(params_)), std::back_inserter(lines_));
      masks_ = Masks::all;
      weights_ = {15, 1, 0, 0};
      flush_rate_ = 0;
      slow = {.least_latency = 1, .most_latency = 8};
  }
  memory_.behave(slow);
}

// Sequences follow long rounds.
bool L1dStimulus::in_round() const {
  const auto* const own = cache_->monitor<golden::OwnController>();
  return own ? own->controller().adi() == golden::IacmController::Adi::round
             : adaptive_->step() != golden::AdiMonitor::Step::idle;
}

bool L1dStimulus::selects() const {
  return adaptive_ && adaptive_->step() == golden::AdiMonitor::Step::selection;
}

// A reset begins with the first round and the first period again.
unsigned L1dStimulus::phases_of_a_reset(unsigned least) const {
  if (hw::has_controller(params_)) return std::max(least, static_cast<unsigned>(params_.iacm.awl.period) / 8);
  return has_long_rounds(params_) ? 48 : least;
}

// Samples that decide a long round, so that each index bit comes to each position: until its next step.
bool L1dStimulus::open_walk() {
  using Step = golden::AdiMonitor::Step;
  if (!has_long_rounds(params_) || !chance(8)) return false;
  if (adaptive_->step() == Step::victimization) {
    environment_.hold(draw_, adaptive_->sel(), walk_.victim(draw_, adaptive_->sel()));
  } else if (adaptive_->step() == Step::selection) {
    environment_.alternate(draw_, walk_.winner(draw_, adaptive_->sel(), adaptive_->victim()));
    walk_.saw(adaptive_->sel(), adaptive_->victim());
  } else {
    return false;
  }
  phase_left_ += 8 * params_.adaptive.period;
  weights_ = {16, 0, 0, 0};
  requests_ = responses_ = {};
  most_ids_ = slots_;
  memory_.behave({.least_latency = 1, .most_latency = 4});
  return true;
}

// Loads enough for a phase or a round of the monitor.
void L1dStimulus::open_environment() {
  if (open_walk()) return;
  static constexpr Weights kinds[] = {{16, 0, 0, 0}, {16, 0, 0, 0}, {15, 1, 0, 0}, {12, 2, 1, 1}};
  environment_.open(draw_, adaptive_->sel());
  const auto round = static_cast<std::uint64_t>(2 * params_.adaptive.period + params_.adaptive.idle);
  phase_left_ += static_cast<std::int64_t>(draw_() % (has_long_rounds(params_) ? round / 2 : 3 * round));
  reset_ |= draw_() % phases_of_a_reset(12) == 0;  // sequences are long, and so are few
  weights_ = any_of(kinds);
  if (!chance(has_long_rounds(params_) ? 13 : 10)) return;
  requests_ = responses_ = {};
  most_ids_ = slots_;
  memory_.behave({.least_latency = 1, .most_latency = chance(8) ? 4 : 40});
}

void L1dStimulus::open_phase() {
  static constexpr Weights kinds[] = {{16, 0, 0, 0}, {15, 1, 0, 0}, {13, 2, 0, 1},
                                      {8, 4, 2, 2},  {2, 13, 0, 1}, {12, 0, 3, 1}};
  static constexpr unsigned flushes[] = {0, 0, 0, 0, 4, 12, 100, 2000};
  phase_left_ = 100 + static_cast<std::int64_t>(draw_() % 1400);
  reset_ |= ++phases_ == 3 || draw_() % phases_of_a_reset(24) == 0;
  open_lines();
  masks_ = static_cast<Masks>(draw_() % 3);
  weights_ = any_of(kinds);
  requests_ = pulse();
  responses_ = pulse();
  flush_rate_ = any_of(flushes);
  controls_.open_phase(draw_);
  last_id_first_ = chance(8);
  const unsigned limits[] = {1, 2, 8, slots_, slots_};
  most_ids_ = any_of(limits);
  memory_.behave(manner());
  in_environment_ = adaptive_ && chance(!has_long_rounds(params_) ? 10 : in_round() ? 13 : 2);
  fills_ = false;
  own_phase_ = nullptr;
  for (const auto& mechanism : mechanisms_) mechanism->open_phase();
  const auto own = std::ranges::find_if(mechanisms_, &MechanismStimulus::has_phase,
                                        [](const auto& m) -> const MechanismStimulus& { return *m; });
  pauses_ = adaptive_ && chance(8);
  const bool long_others = adaptive_ || (split_ && split_->may_duel());
  if (split_ && split_->open_phase(draw_, phase_left_))
    open_duel();
  else if (in_environment_)
    open_environment();
  else if (own != mechanisms_.end() && chance(4))
    open_own_phase(**own);
  else if ((fills_ = filling_.is_aimed() && chance(long_others ? 6 : 3)))
    open_filling();
  else if (chance(5))
    open_recipe();
  if (!hw::traits_of(params_.tags).filters) return;
  // A line gets data after enough requests.
  const unsigned often[] = {1, 1, 1, 2, static_cast<unsigned>(std::max(1, params_.reuse.threshold))};
  repeats_ = fills_ ? 1 : any_of(often);
  repeated_ = 0;
}

// All that is there comes into use: as many requests as there are ids, and entries that stay long enough to
// be in use all at once.
void L1dStimulus::open_filling() {
  requests_ = responses_ = {};
  most_ids_ = slots_;
  last_id_first_ = false;
  flush_rate_ = 0;
  masks_ = Masks::all;
  // Lines share a way where they have different chunks.
  if (params_.tags == hw::TagKind::decoupled && chance(12)) masks_ = Masks::one;
  weights_ = {15, 1, 0, 0};
  if (adaptive_ || (split_ && split_->may_duel())) phase_left_ += 3000;  // sequences and duels are long
  for (const auto& mechanism : mechanisms_) mechanism->leave_traces();
  const int entries = filling_.entries();
  // Loads that get no entry, and stores, leave their ids soon.
  const int direct = chance(8) ? 0 : 4;
  switch (filling_.open(draw_)) {
    case FillingStimulus::Aim::tags:
      memory_.behave({.least_latency = 1, .most_latency = 4});
      break;
    case FillingStimulus::Aim::chain:
      weights_ = {16, 0, 0, 0};
      memory_.behave({.least_latency = 1,
                      .most_latency = 24,
                      .order = L1dMemory::Order::any,
                      .ready_rate = chance(8) ? 16u : 2u});
      break;
    case FillingStimulus::Aim::entries:
      requests_.rate = 12;  // answers of stores go before those of lines that have come
      masks_ = chance(8) ? Masks::one : Masks::any;
      flush_rate_ = chance(8) ? 1 : 0;
      memory_.behave({.least_latency = (6 + filling_.asked()) * entries + 20,
                      .most_latency = (9 + filling_.asked()) * entries + 40,
                      .order = L1dMemory::Order::any,
                      .direct_latency = direct});
      phase_left_ += 24 * entries;
      break;
    case FillingStimulus::Aim::targets:
      weights_ = {16, 0, 0, 0};  // others are stores where entries are to be poisoned
      masks_ = chance(8) ? Masks::one : Masks::all;
      memory_.behave({.least_latency = 8 * entries + 16 * params_.mshr_merges,
                      .most_latency = 12 * entries + 32 * params_.mshr_merges + 16,
                      .order = L1dMemory::Order::any,
                      .direct_latency = direct});
      phase_left_ += 24 * entries;
      break;
    case FillingStimulus::Aim::sweep:
      masks_ = Masks::all;
      weights_ = {16, 0, 0, 0};
      memory_.behave({.least_latency = 1, .most_latency = 8});
      phase_left_ += 2 * filling_.lines_of_cache() * filling_.asked();
  }
}

// Loads alone: one line that hits, and others that mostly miss.
void L1dStimulus::open_own_phase(MechanismStimulus& mechanism) {
  own_phase_ = &mechanism;
  lines_.assign(1, any_of(spread_));
  weights_ = {16, 0, 0, 0};
  requests_ = {.rate = 12};
  responses_ = {};
  most_ids_ = slots_;
  flush_rate_ = 0;
  memory_.behave({.least_latency = 1, .most_latency = 4});
  phase_left_ += mechanism.open_own_phase();
}

// Loads of both modes' sampler sets, as fast as they go.
void L1dStimulus::open_duel() {
  in_environment_ = false;
  weights_ = {16, 0, 0, 0};
  requests_ = responses_ = {};
  most_ids_ = slots_;
  flush_rate_ = 0;
  memory_.behave({.least_latency = 1, .most_latency = 2});
}

}  // namespace verif
