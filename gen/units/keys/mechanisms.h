// What the units of mechanisms bring to a cache that has one inside: keys, what follows from them, and
// storage.
#pragma once
#include <nlohmann/json.hpp>

#include <vector>

#include "gen/config/family.h"
#include "gen/unit/unit.h"
#include "hw/index/index_params.h"
#include "hw/monitors/adi_monitor_params.h"
#include "hw/monitors/iacm_params.h"
#include "hw/monitors/mode_selector_params.h"
#include "hw/policy/protection_distance_params.h"

namespace gen {

// Keys of a cache, and with which values of other keys they count. Of index.*: which function the index is;
// the cache's geometry says the rest. Of limit.*: the scheduler in front of the cache; they leave its Verilog
// as it is, but for the widths of a controller inside.
std::vector<Key> index_keys_of_l1d();
std::vector<Key> adaptive_keys_of_l1d();
std::vector<Key> mode_keys_of_l1d();
std::vector<Key> protection_keys_of_l1d();
std::vector<Key> limit_keys_of_l1d();
std::vector<Key> iacm_keys_of_l1d();

// Of all units that limit warps.
KeyInfo limit_scope_key();
KeyInfo limit_warps_key();
// Of caches with the reuse-count filter, and of the unit that duels for it.
KeyInfo dueling_interval_key();
KeyInfo dueling_margin_key();

// Puts the default polynomial and the folded taps in the place of "automatic" ones: index bit i of the latter
// is the XOR of every block-address bit k with k mod S = i.
void settle_index(hw::IndexParams& params);
// Are the tap lists that the user wrote one list of block-address bits per index bit? Throws hw::ParamError.
void check_given_taps(const Values& given, const hw::IndexParams& params);
// Puts the automatic sampler sets in the place of empty lists, where there are sets enough for any.
void resolve_samplers(const hw::ModeSelectorParams& p, hw::SetList& fine, hw::SetList& coarse);

// Storage of each, alone or inside a cache: of the monitor of adaptive indexing, of which the thesis counts
// the first three; of the controller in flops, its warp limiting included; of the counters of mode selection,
// one set of them for all caches of a GPU; of the distances of lines.
std::vector<StorageAccount> storage_accounts(const hw::AdiMonitorParams& p);
std::vector<StorageAccount> storage_accounts(const hw::IacmParams& p);
StorageAccount selector_account();
StorageAccount protection_account(const hw::ProtectionDistanceParams& p);

nlohmann::ordered_json adaptive_facts(const hw::AdiMonitorParams& p);

}  // namespace gen
