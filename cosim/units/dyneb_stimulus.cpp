#include "cosim/units/dyneb_stimulus.h"

#include <array>

#include "cosim/units/draw.h"

namespace verif {
namespace {

using In = golden::Dyneb::In;

// Samples of random mixes before the mixes that lead to the ends that take long.
constexpr int random_samples = 40, aimed_samples = 7, wide_samples = 4;
constexpr std::int64_t until_it_ends = std::int64_t{1} << 40;

}  // namespace

void DynebStimulus::plan(std::mt19937_64& draw) {
  static constexpr std::array<unsigned, 6> rates{0, 16, 64, 128, 224, 256};
  static constexpr std::array<unsigned, 6> sides{0, 64, 128, 128, 192, 256};
  const auto any = [&](const auto& table) { return table[draw() % table.size()]; };
  mix_ = {.odd = any(sides),
          .request = any(rates),
          .load = any(rates),
          .home = any(rates),
          .answer = 16 + any(rates),
          .probe = any(rates),
          .served = any(rates) / 2,
          .miss = any(rates),
          .slice = any(rates),
          .home_reply = any(rates),
          .hit = any(rates),
          .mirrored = draw() % 4 == 0};
  mirrors_ = false;
  left_ = 200 + static_cast<int>(draw() % 600);
  if (mix_.mirrored) mix_.odd = 128, mix_.home = 0, mix_.probe = 224, mix_.served = 0;
  mix_.unanswered = ++mixes_ % 24 == 16;
  if (mix_.unanswered) mix_.request = 256, mix_.load = 0, mix_.probe = 0, left_ = 1200;
  if (p_.sample_cap == 0 && draw() % 40 == 0) plan_flood(draw);
}

// Each end of SAMPLE and EXEC that random mixes hardly come to: caps without loads of its own, or of one
// group alone; EXEC by all its accesses; a counter of all ones. And no misses at all.
void DynebStimulus::plan_aimed(std::mt19937_64& draw) {
  const int aim = samples_ - random_samples;
  if (aim == 3 || aim == 5) return plan_flood(draw);
  const Mix loads{.odd = 128, .request = 256, .load = 256, .home = 0, .answer = 256, .stays = true};
  mix_ = loads;
  mix_.slice = mix_.home_reply = 0;
  if (aim == 1 || aim == 2) mix_.probe = 128, mix_.odd = aim == 1 ? 256 : 0, mix_.miss = 256;
  if (aim == 4 || aim == 6)
    mix_.probe = 256, mix_.served = 0, mix_.uncounted = aim == 6 && p_.execute_cap > 0;
  if (aim == 7) mix_.probe = 128, mix_.miss = 0;
  left_ = until_it_ends;
}

// Counters with all their bits: loads of others count, too, and end no sample.
void DynebStimulus::plan_wide(std::mt19937_64& draw) {
  const auto between = [&](unsigned least, unsigned most) {
    return least + static_cast<unsigned>(draw() % (most - least + 1));
  };
  // The more of the events a group has, the better it looks.
  mix_ = {.odd = samples_ % 2 ? between(72, 88) : between(168, 184),
          .request = 0,
          .probe = 256,
          .miss = between(128, 256),
          .slice = between(128, 256),
          .home_reply = between(64, 256),
          .stays = true,
          .own_in = between(70'000, 90'000) / static_cast<unsigned>(2 * p_.sample_accesses)};
  left_ = until_it_ends;
}

void DynebStimulus::plan_flood(std::mt19937_64& draw) {
  // Loads that are sent would come to the cap first.
  const auto kind = draw() % 6;
  if (kind == 4 && p_.sample_cap && p_.sample_cap < 65'536) return plan_flood(draw);
  mix_ = {
      .odd = draw() % 2 ? 256u : 0u, .request = 0, .probe = 0, .slice = 0, .home_reply = 0, .floods = true};
  mix_.miss = kind == 1 ? 256 : 0;
  const bool own_only = !p_.count_served || p_.metric == hw::DynebMetric::amat;
  if (kind < 2) mix_.probe = 256, mix_.served = own_only ? 0 : 128;
  if (kind == 2) mix_.slice = 256;
  if (kind == 3) mix_.home_reply = mix_.hit = 256;
  if (kind > 3) mix_.odd = 256, mix_.hit = 0;
  if (kind == 4) mix_.request = mix_.load = mix_.home = mix_.answer = 256;
  if (kind == 5) mix_.home_reply = mix_.load = 256;
  left_ = 70'000;
}

In DynebStimulus::events(std::mt19937_64& draw) const {
  const auto side = [&] { return often(draw, mix_.odd); };
  const auto if_often = [&](unsigned rate) { return often(draw, rate); };
  return {.flush = false,
          .request = {if_often(mix_.request), if_often(mix_.load), side(), if_often(mix_.home)},
          .answer = !mix_.unanswered && if_often(mix_.answer),
          .probe = {if_often(mix_.probe), side(), if_often(mix_.served), if_often(mix_.miss)},
          .slice = {if_often(mix_.slice), side(), if_often(mix_.served)},
          .home = {if_often(mix_.home_reply), side(), if_often(mix_.load), if_often(mix_.hit)}};
}

DynebInputs DynebStimulus::draw(std::mt19937_64& draw, const golden::Dyneb& unit) {
  using Phase = golden::Dyneb::Phase;
  const bool samples = unit.phase() == Phase::sample, begins = samples && !sampled_;
  samples_ += begins;
  if (begins && samples_ > random_samples && samples_ <= random_samples + aimed_samples)
    plan_aimed(draw);
  else if (begins && samples_ > random_samples && samples_ <= random_samples + aimed_samples + wide_samples)
    plan_wide(draw);
  else if (left_-- <= 0 || begins || (mix_.floods && !samples))
    plan(draw);
  if (mix_.uncounted && unit.phase() == Phase::execute) mix_.probe = 0;
  if (unit.draining()) mix_.unanswered = false;
  sampled_ = samples;
  const bool stays = mix_.floods || mix_.stays;
  DynebInputs drawn{.rst = !stays && draw() % 20'000 == 0, .in = events(draw)};
  In& in = drawn.in;
  if (mix_.own_in && samples) in.probe.served = draw() % mix_.own_in != 0;
  // EXEC is left soon, so that another sample begins.
  in.flush = !stays && !mix_.unanswered && draw() % (unit.phase() == Phase::execute ? 300 : 3000) == 0;
  // As sets would change over, and more often where they would become shared.
  if (unit.phase() == Phase::evaluate)
    becomes_shared_ = golden::compared(p_, unit.sample()) == golden::DynebCause::shared;
  if (!stays && unit.phase() == Phase::drain_to_execute && unit.idle())
    in.flush |= draw() % (becomes_shared_ ? 3 : 16) == 0;
  if (mix_.mirrored && mirrors_) {
    in.probe = last_.probe, in.slice = last_.slice, in.home = last_.home;
    in.probe.odd = !in.probe.odd, in.slice.odd = !in.slice.odd, in.home.odd = !in.home.odd;
  }
  if (mix_.mirrored) in.home.load = false;
  mirrors_ = mix_.mirrored && !mirrors_ && samples;
  last_ = in;
  // One that was accepted in the cycle before, and is not counted yet, is on its way in the first of DRAIN.
  const bool first = unit.draining() && !held_ && unit.open() < golden::Dyneb::most_open;
  // Nothing is open any more, and such a one comes.
  const bool quiet = samples_ % 4 == 0;
  if (quiet && unit.evaluated() > 32) in.request.valid = false;
  if (quiet && first && unit.idle()) in.request.valid = true;
  held_ = unit.hold();
  if (in.flush || (held_ && !first)) in.request.valid = false;
  if (in.flush || unit.idle()) in.answer = false;
  return drawn;
}

}  // namespace verif
