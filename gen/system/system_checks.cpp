#include "gen/system/system_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/gpu/front_end.h"
#include "golden/tags/tag_kinds.h"
#include "hw/require.h"

namespace gen {

void check_undriven(const Config& config) {
  const hw::L1dParams& p = config.get<hw::TopologyParams>().l1d;
  const char *rule = "waits for an input that nobody drives", *remedy = "leave it out";
  with_places(config, [&] {
    hw::require(!follows(p, "mode_coarse"), "mode.follow", true, rule, remedy);
    hw::require(!duels(p), "tags.reuse_filter.dueling", true, rule, remedy);
    hw::require(!follows(p, "filter_enable"), "tags.reuse_filter.follow", true, rule, remedy);
    hw::require(!hw::follows_unit(p.bypass), "bypass.kind", policy_name(p),
                "waits for inputs that nobody drives", "use mrpb, or a cache by itself");
  });
}

void check_followers(const Config& config, int sms, const std::optional<SystemConfig>& system) {
  const hw::L1dParams& p = cache_of_config(config);
  with_places(config, [&] {
    hw::require(!is_banked(config) || p.mode.kind != hw::ModeKind::dueling || sms == 1, "mode.kind",
                "dueling", "is chosen by each bank, and caches of several SMs follow one", "use --sms 1");
    hw::require(!is_banked(config) || !duels(p), "tags.reuse_filter.dueling", true,
                "compares two caches of one port", "use the preset l1d_reuse_filter");
    hw::require(!follows(p, "mode_coarse"), "mode.follow", true, "waits for an input that nobody drives here",
                "leave it out: with mode.kind = \"dueling\" cache 0 decides and the others follow");
    hw::require(!duels(p) || sms >= 2, "tags.reuse_filter.dueling", true,
                "compares two SMs, this run has one", "use --sms 2 or more");
    hw::require(!follows(p, "filter_enable") || duels(p), "tags.reuse_filter.follow", true,
                "waits for an input that nobody drives here",
                "use tags.reuse_filter.dueling = true and --sms 2 or more");
    const hw::BypassParams& bypass = p.bypass;
    hw::require(!hw::follows_unit(bypass), fmt::format("bypass.{}.follow", policy_name(p)), true,
                "waits for inputs that nobody drives here", "leave it out: caches follow one update unit");
    const int watched = hw::has_own_unit(bypass) && sms > 1 ? hw::sms_of_unit(bypass) : sms;
    hw::require(watched == sms, fmt::format("bypass.{}.sms", policy_name(p)), watched,
                fmt::format("is not the number of SMs of this run, {}", sms),
                fmt::format("set it to {}, or use --sms {}", sms, watched));
    const int slots = system ? system->values.warps : golden::GpuParams{}.warps_per_sm;
    const int warps = p.limit.scope == hw::LimitScope::core ? slots : slots / 2;
    hw::require(p.limit.kind == hw::LimitKind::none || p.limit.warps == warps, "limit.warps", p.limit.warps,
                "is not what an SM here has of this scope", fmt::format("use {}", warps));
  });
}

namespace {

// Cores and slices are the topology's, whose networks move in one of a few core cycles.
void check_topology_in(const SystemConfig& system, const Config& config, int sms) {
  const hw::TopologyShape& shape = config.get<hw::TopologyParams>().shape;
  const SystemValues& v = system.values;
  const auto require = [&](bool holds, const char* key, const auto& value, const std::string& rule) {
    if (!holds) throw ConfigError(system.source, fmt::format("system.{} = {}: {}", key, value, rule));
  };
  require(sms == shape.cores, "sms", sms,
          fmt::format("{} has {} cores; make them equal", config.source, shape.cores));
  require(v.l2.slices == shape.slices, "l2_slices", v.l2.slices,
          fmt::format("{} has {} slices; make them equal", config.source, shape.slices));
  require(v.core_clock % v.network_clock == 0 && v.core_clock <= 4 * v.network_clock, "network_clock",
          v.network_clock,
          fmt::format("the networks of a topology take 1, 1/2, 1/3 or 1/4 of system.core_clock, {}",
                      v.core_clock));
  require(v.memory == SystemMemoryKind::dram, "memory", "two_nodes", "a topology has \"dram\" below it");
  require(v.l2.choice == golden::SliceChoice::modulo, "l2_slice", "pli",
          "a topology has slices by \"modulo\"");
  require(!v.l2.split_sectors, "l2_split_sectors", true, "requests of a topology stay whole; use false");
}

}  // namespace

int hit_latency(const hw::L1dParams& p) {
  return p.hit_latency + golden::tag_kind(p.tags).compare_stages + p.index.latency + p.request_slice;
}

int hit_delay(const hw::L1dParams& p, const golden::SystemParams& system) {
  return system.l1_hit_latency ? std::max(0, system.l1_hit_latency - hit_latency(p)) : 0;
}

void check_in_system(const Config& config, const SystemConfig& system, int sms) {
  if (is_banked(config))
    throw ConfigError(config.source, fmt::format("{} has several ports, and an SM of a system has one; use a "
                                                 "cache of one port, such as l1d",
                                                 config.preset));
  if (is_topology(config)) check_topology_in(system, config, sms);
  const hw::L1dParams& p =
      is_topology(config) ? config.get<hw::TopologyParams>().l1d : config.get<hw::L1dParams>();
  const int own = hit_latency(p), asked = system.values.l1_hit_latency;
  if (asked && asked < own)
    throw ConfigError(system.source,
                      fmt::format("system.l1_hit_latency = {}: a hit of {} takes {} cycles by itself; use 0, "
                                  "or at least that",
                                  asked, config.source, own));
}

}  // namespace gen
