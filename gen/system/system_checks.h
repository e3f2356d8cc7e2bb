// Which caches and topologies run in a system, and which wait for what nobody drives: one line for each that
// does not.
#pragma once
#include <optional>

#include "gen/config/config.h"
#include "gen/system/system_config.h"
#include "hw/banks/banked_l1d_params.h"
#include "hw/l1d/controls_params.h"
#include "hw/topology/topology_params.h"

namespace gen {

inline bool is_topology(const Config& config) { return config.params.holds<hw::TopologyParams>(); }
inline bool is_banked(const Config& config) { return config.params.holds<hw::BankedL1dParams>(); }
// The cache of one SM: of one port, or of all its banks together.
inline const hw::L1dParams& cache_of_config(const Config& config) {
  return is_banked(config) ? config.get<hw::BankedL1dParams>().l1d : config.get<hw::L1dParams>();
}
inline bool follows(const hw::L1dParams& p, hw::Control control) {
  return control.role(p) == hw::ControlRole::input;
}

// Of its bypass.
inline std::string_view policy_name(const hw::L1dParams& p) { return hw::traits_of(p.bypass.kind).name; }

inline bool duels(const hw::L1dParams& p) { return hw::traits_of(p.tags).filters && p.reuse.dueling; }

// Of a cache: cycles from an accepted hit to its answer, with nothing else in the way
// (docs/contracts/l1d.md).
int hit_latency(const hw::L1dParams& p);
// By how many cycles a hit's answer comes later in the system.
int hit_delay(const hw::L1dParams& p, const golden::SystemParams& system);

// Nobody drives what the caches of a topology would follow.
void check_undriven(const Config& config);
// Followers need somebody to follow.
void check_followers(const Config& config, int sms, const std::optional<SystemConfig>& system);
// A cache or topology at that many SMs of the system.
void check_in_system(const Config& config, const SystemConfig& system, int sms);

}  // namespace gen
