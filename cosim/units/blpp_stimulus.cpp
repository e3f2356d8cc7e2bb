#include "cosim/units/blpp_stimulus.h"

#include <algorithm>
#include <bit>

namespace verif {
namespace {

using golden::Blpp, golden::BlppEvents;

std::uint64_t events_below(std::mt19937_64& draw, std::uint64_t n) { return draw() % n; }

bool chance(std::mt19937_64& draw, unsigned of_255) { return events_below(draw, 255) < of_255; }

// Of a cycle, so that what is missing still comes in `cycles` of them.
std::uint64_t events(std::mt19937_64& draw, std::uint64_t sum, std::uint64_t so_far, std::uint64_t cycles) {
  const std::uint64_t missing = sum > so_far ? sum - so_far : 0, later = 255 * (cycles - 1);
  const std::uint64_t least = std::min<std::uint64_t>(255, missing > later ? missing - later : 0);
  if (cycles == 1) return least;
  if (missing >= 255 && events_below(draw, 64) == 0) return 255;
  const std::uint64_t most = std::min({std::uint64_t{255}, missing, 2 * (missing / cycles) + 1});
  return most > least ? least + events_below(draw, most - least + 1) : least;
}

// A bit of the number is another one, so that a comparison of the others alone is wrong.
std::uint64_t one_bit_from(std::mt19937_64& draw, std::uint64_t number) {
  return number ^ std::uint64_t{1} << events_below(draw, static_cast<std::uint64_t>(std::bit_width(number)));
}

}  // namespace

std::uint64_t BlppStimulus::nearly_most(std::mt19937_64& draw) const {
  return most() - events_below(draw, most() / 32);
}

// Of any number of digits.
std::uint64_t BlppStimulus::any_sum(std::mt19937_64& draw) const {
  return 1 + std::min(most() - 1, draw() >> (40 + events_below(draw, 24)));
}

BlppEvents BlppStimulus::any_sums(std::mt19937_64& draw) const {
  const std::uint64_t a1 = any_sum(draw), a2 = any_sum(draw);
  return {.a1 = a1, .m1 = events_below(draw, a1 + 1), .a2 = a2, .m2 = events_below(draw, a2 + 1), .flits = 0};
}

// Where one miss more or less at the L1s turns the latency test over: near by one, or not near by one. With
// some latencies it never turns.
BlppEvents BlppStimulus::at_threshold(std::mt19937_64& draw, bool near, bool without_a2) const {
  BlppEvents sums;
  for (int tries = 0; tries < 64; ++tries) {
    sums = any_sums(draw);
    if (without_a2) sums.a2 = 0, sums.m2 = draw() % 2 ? 0 : sums.m2;
    const auto is_near = [&](std::uint64_t m1) {
      sums.m1 = m1;
      return Blpp::decision(p_, sums).near;
    };
    if (is_near(0) || !is_near(sums.a1)) continue;
    std::uint64_t far = 0, close = sums.a1;
    while (close - far > 1) (is_near((close + far) / 2) ? close : far) = sums.m1;
    sums.m1 = near ? close : far;
    return sums;
  }
  return sums;
}

// With both pairs shifted, where so many loads can come.
BlppEvents BlppStimulus::at_wide_threshold(std::mt19937_64& draw, bool near) const {
  BlppEvents sums;
  do sums = at_threshold(draw, near);
  while (std::min(sums.a1, sums.a2) < Blpp::one && most() >= 4 * Blpp::one);
  return sums;
}

// Periods are long: the first come to each decision, later ones to any sums; one of them to more misses than
// loads, which no cache has, and to a byte of ones, which the next period has to forget; one to misses alone,
// nearly; one to nearly as many misses as can come, and one to as many loads, too.
void BlppStimulus::plan_period(std::mt19937_64& draw) {
  const auto limit = static_cast<std::uint64_t>(hw::traffic_limit(p_));
  const std::uint64_t traffics[] = {limit,
                                    limit + 1,
                                    limit + 1 + events_below(draw, limit + 1),
                                    events_below(draw, limit + 1),
                                    one_bit_from(draw, limit),
                                    limit + 257 + events_below(draw, 256),
                                    events_below(draw, most() + 1)};
  constexpr int widest = 22, largest = 23, largest_loads = 24;
  const int kind = periods_ < 7     ? periods_
                   : periods_ == 8  ? widest
                   : periods_ == 9  ? largest
                   : periods_ == 10 ? largest_loads
                                    : 6 + static_cast<int>(events_below(draw, largest_loads - 5));
  std::uint64_t flits = traffics[events_below(draw, std::size(traffics))];
  switch (kind) {
    case 0:
    case 4:
      sums_ = at_wide_threshold(draw, true);
      flits = limit + 1;
      break;
    case 1:
      sums_ = at_threshold(draw, false);
      flits = limit + 1;
      break;
    case 2:
      sums_ = at_threshold(draw, true);
      flits = limit;
      break;
    case 3:
    case 7:
      sums_ = any_sums(draw);
      sums_.a1 = 0;
      break;
    case 5:
    case 8:
      sums_ = at_threshold(draw, draw() % 2, true);
      flits = limit + 1;
      break;
    case 6:
      sums_ = any_sums(draw);
      sums_.a1 = std::min(most(), sums_.a1 | 0xFF00);
      sums_.a2 = std::min(most(), sums_.a2 | 0xFF00);
      sums_.m1 = std::min(most(), sums_.a1 + any_sum(draw)),
      sums_.m2 = std::min(most(), sums_.a2 + any_sum(draw));
      break;
    case 9:
    case 10:
      sums_ = any_sums(draw);
      break;
    case widest:  // the products of most bits
      sums_ = {.a1 = 1 + events_below(draw, 128),
               .m1 = most() - events_below(draw, most() / 2),
               .a2 = 1 + events_below(draw, 128),
               .m2 = most() - events_below(draw, most() / 2),
               .flits = 0};
      flits = limit + 1;
      break;
    case largest:  // loads that are not shifted, and so no misses are: the largest product
    case largest_loads:
      sums_ = {
          .a1 = kind == largest ? 1 + events_below(draw, std::min(most(), Blpp::one - 1)) : nearly_most(draw),
          .m1 = nearly_most(draw),
          .a2 = kind == largest ? 1 + events_below(draw, std::min(most(), Blpp::one - 1)) : nearly_most(draw),
          .m2 = nearly_most(draw),
          .flits = 0};
      flits = limit + 1;
      break;
    default:
      sums_ = draw() % 2 ? at_threshold(draw, draw() % 2) : at_wide_threshold(draw, draw() % 2);
      flits = limit + 1;
  }
  sums_.flits = std::min(flits, most());
  // They begin below the limit, at it, or above it.
  const std::uint64_t lasts[] = {0, 1, std::uint64_t{1} << events_below(draw, 8), events_below(draw, 256)};
  last_flits_ = std::min(sums_.flits, lasts[periods_ % std::size(lasts)]);
  ++periods_;
  reset_at_ = periods_ % 8 == 0 ? 1 + static_cast<int>(events_below(draw, Blpp::delay - 1)) : 0;
}

void BlppStimulus::plan_pages(std::mt19937_64& draw) {
  for (unsigned* rate : {&pages_, &gpu_full_, &cpu_full_})
    *rate = events_below(draw, 3) == 0 ? 0 : static_cast<unsigned>(events_below(draw, 256));
}

BlppInputs BlppStimulus::draw(std::mt19937_64& draw, const Blpp& unit) {
  if (unit.cycle() == 0) plan_period(draw);
  if (unit.cycle() == 0 || events_below(draw, 4096) == 0) plan_pages(draw);
  BlppInputs inputs{.rst = events_below(draw, 40 * static_cast<std::uint64_t>(p_.period)) == 0};
  if (inputs.rst) --periods_;  // a period that is cut comes once more
  if (unit.step() > 0 && unit.step() == reset_at_) inputs.rst = true;
  BlppEvents& e = inputs.in.events;
  const BlppEvents& now = unit.sums();
  const auto cycles = static_cast<std::uint64_t>(p_.period - unit.cycle());
  e.a1 = events(draw, sums_.a1, now.a1, cycles), e.m1 = events(draw, sums_.m1, now.m1, cycles);
  e.a2 = events(draw, sums_.a2, now.a2, cycles), e.m2 = events(draw, sums_.m2, now.m2, cycles);
  e.flits = cycles == 1 ? last_flits_ : events(draw, sums_.flits - last_flits_, now.flits, cycles - 1);
  inputs.in.request = chance(draw, pages_) || (unit.step() == Blpp::delay - 1 && draw() % 2);
  inputs.in.gpu_full = chance(draw, gpu_full_);
  inputs.in.cpu_full = chance(draw, cpu_full_);
  return inputs;
}

}  // namespace verif
