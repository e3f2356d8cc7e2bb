#include "verif/lockstep/units/dyneb_stimulus.h"

#include <array>

#include "verif/lockstep/units/draw.h"

namespace verif {
namespace {

using In = golden::Dyneb::In;

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
  mix_.unanswered = draw() % 64 == 0;
  if (mix_.unanswered) mix_.request = 256, mix_.load = 0, mix_.probe = 0, left_ = 1200;
  if (p_.sample_cap == 0 && draw() % 4 == 0) plan_flood(draw);
}

void DynebStimulus::plan_flood(std::mt19937_64& draw) {
  const auto kind = draw() % 6;
  mix_ = {
      .odd = draw() % 2 ? 256u : 0u, .request = 0, .probe = 0, .slice = 0, .home_reply = 0, .floods = true};
  mix_.miss = kind == 1 ? 256 : 0;
  if (kind < 2) mix_.probe = 256, mix_.served = 128;
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
  return {.flush = !mix_.floods && draw() % 3000 == 0,
          .request = {if_often(mix_.request), if_often(mix_.load), side(), if_often(mix_.home)},
          .answer = !mix_.unanswered && if_often(mix_.answer),
          .probe = {if_often(mix_.probe), side(), if_often(mix_.served), if_often(mix_.miss)},
          .slice = {if_often(mix_.slice), side(), if_often(mix_.served)},
          .home = {if_often(mix_.home_reply), side(), if_often(mix_.load), if_often(mix_.hit)}};
}

DynebInputs DynebStimulus::draw(std::mt19937_64& draw, const golden::Dyneb& unit) {
  const bool samples = unit.phase() == golden::Dyneb::Phase::sample;
  if (left_-- == 0 || (samples && !sampled_) || (mix_.floods && !samples)) plan(draw);
  if (unit.draining()) mix_.unanswered = false;
  sampled_ = samples;
  DynebInputs drawn{.rst = !mix_.floods && draw() % 20'000 == 0, .in = events(draw)};
  In& in = drawn.in;
  if (mix_.mirrored && mirrors_) {
    in.probe = last_.probe, in.slice = last_.slice, in.home = last_.home;
    in.probe.odd = !in.probe.odd, in.slice.odd = !in.slice.odd, in.home.odd = !in.home.odd;
  }
  if (mix_.mirrored) in.home.load = false;
  mirrors_ = mix_.mirrored && !mirrors_ && samples;
  last_ = in;
  // One that was accepted in the cycle before is on its way in the first of DRAIN.
  const bool first = unit.draining() && !held_;
  held_ = unit.hold();
  if (in.flush || (held_ && !first)) in.request.valid = false;
  if (in.flush || unit.idle()) in.answer = false;
  return drawn;
}

}  // namespace verif
