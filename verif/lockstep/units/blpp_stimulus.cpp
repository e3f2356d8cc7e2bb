#include "verif/lockstep/units/blpp_stimulus.h"

#include <algorithm>

namespace verif {
namespace {

std::uint64_t events_below(std::mt19937_64& draw, std::uint64_t n) { return draw() % n; }

bool chance(std::mt19937_64& draw, unsigned of_255) { return events_below(draw, 255) < of_255; }

}  // namespace

BlppStimulus::Level BlppStimulus::level(std::mt19937_64& draw, unsigned most) const {
  Level level;
  switch (events_below(draw, 8)) {
    case 0:
      return level;
    case 1:
      level.loads = 1;
      break;
    default:
      level.loads = 1 + static_cast<unsigned>(events_below(draw, most));
  }
  level.misses = static_cast<unsigned>(events_below(draw, 256));
  level.free = events_below(draw, 16) == 0;
  return level;
}

void BlppStimulus::plan(std::mt19937_64& draw) {
  first_ = level(draw, 255);
  second_ = level(draw, 255);
  const std::uint64_t limit =
      static_cast<std::uint64_t>(p_.bytes_per_cycle) * static_cast<std::uint64_t>(p_.period) / 32;
  const std::uint64_t choices[] = {limit, limit + 1, limit + events_below(draw, limit + 1),
                                   events_below(draw, limit + 1)};
  flits_ = choices[events_below(draw, std::size(choices))];
  for (unsigned* rate : {&pages_, &gpu_full_, &cpu_full_})
    *rate = events_below(draw, 3) == 0 ? 0 : static_cast<unsigned>(events_below(draw, 256));
}

std::uint64_t BlppStimulus::loads_of(std::mt19937_64& draw, const Level& level) {
  return level.loads ? std::min<std::uint64_t>(255, events_below(draw, 2 * level.loads)) : 0;
}

std::uint64_t BlppStimulus::misses_of(std::mt19937_64& draw, const Level& level, std::uint64_t loads) {
  if (level.free) return events_below(draw, 256);
  std::uint64_t misses = 0;
  for (std::uint64_t load = 0; load < loads; ++load) misses += chance(draw, level.misses);
  return misses;
}

BlppInputs BlppStimulus::draw(std::mt19937_64& draw, const golden::Blpp& unit) {
  if (unit.cycle() == 0 || events_below(draw, 4096) == 0) plan(draw);
  BlppInputs inputs{.rst = events_below(draw, 50'000) == 0};
  golden::BlppEvents& e = inputs.in.events;
  e.a1 = loads_of(draw, first_);
  e.m1 = misses_of(draw, first_, e.a1);
  e.a2 = loads_of(draw, second_);
  e.m2 = misses_of(draw, second_, e.a2);
  const std::uint64_t cycles = static_cast<std::uint64_t>(p_.period - unit.cycle());
  const std::uint64_t missing = flits_ > unit.sums().flits ? flits_ - unit.sums().flits : 0;
  e.flits =
      std::min<std::uint64_t>(255, cycles == 1 ? missing : events_below(draw, 2 * (missing / cycles) + 2));
  e.flits = std::min(e.flits, missing);
  inputs.in.request = chance(draw, pages_);
  inputs.in.gpu_full = chance(draw, gpu_full_);
  inputs.in.cpu_full = chance(draw, cpu_full_);
  return inputs;
}

}  // namespace verif
