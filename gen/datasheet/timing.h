// Timing diagrams of a datasheet: cycles of a co-simulation at the unit's ports, in WaveDrom's format.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/datasheet/port_wave.h"
#include "gen/unit/unit.h"

namespace gen {

// The cycles of a run that a reader wants to see: for a cache a hit, a miss, and a request that waits; else
// the busiest ones. Each is WaveJSON, with the run's number of its first cycle as `tick`.
std::vector<nlohmann::ordered_json> timing_diagrams(const Config& config, const Unit& unit,
                                                    const PortWave& wave);

// WaveJSON of these ports from cycle `first` on.
nlohmann::ordered_json wave_json(const std::string& title, const Unit& unit, const PortWave& wave,
                                 const std::vector<std::string>& ports, std::int64_t first,
                                 std::int64_t cycles);

// The picture of such WaveJSON: a clock, levels, values, unknowns. Colours follow the page.
std::string timing_svg(const nlohmann::ordered_json& diagram);

}  // namespace gen
