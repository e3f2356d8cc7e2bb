// L1 data caches in banks.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/l1d/l1d_unit.h"
#include "hw/banks/banked_l1d.h"
#include "hw/banks/banked_l1d_ranges.h"

namespace gen {
namespace {

using hw::BankedL1dParams;

Unit elaborated(const BankedL1dParams& p, const std::string& top) {
  const hw::L1d unit = hw::banked_l1d(p, top);
  Unit made{.top = unit.module,
            .latency = unit.facts.latency,
            .tag_bits = unit.facts.tag_bits,
            .accounts = storage_accounts(p.l1d, unit.facts.tag_bits)};
  add_bypass_accounts(p.l1d, made.accounts);
  made.facts["banks"] = p.banks;
  made.facts["memory_id_bits"] = unit.facts.memory_id_bits;
  made.facts["bank"] = cache_facts(hw::bank_of(p), unit.facts);
  return made;
}

CosimMain cosim(const BankedL1dParams& p) {
  CosimMain main =
      cycle_bench("banks/banked_l1d_cosim.h", "BankedL1dBench", "BankedL1dParams", p, 300'000,
                  port_list(hw::banked_l1d(p, "unit").module), false, hw::is_protected(p.l1d.ecc));
  for (int b = 0; b < p.banks; ++b) add_upsets(main, p.l1d.ecc, fmt::format("bank{}.cache.", b));
  return main;
}

std::vector<PlainForm> plain_forms(const BankedL1dParams& p, const std::string& top, std::uint32_t) {
  hw::L1dParams whole = p.l1d;
  Params one = whole;
  l1d_family().settle(one);
  return {{"one cache with one port", hw::l1d(one.get<hw::L1dParams>(), top + "_whole").module}};
}

// Of requests that cores among others send, of the controller of one core's warps, of AXI4, and of a bypass
// that sees all requests of a load.
bool is_of_one_port(const Key& key) {
  static constexpr std::array keys{"core.drops", "core.peeks", "core.pc_bits", "memory.protocol"};
  static constexpr std::array tables{"iacm.", "limit."};
  const auto sees_whole_loads = [&](const hw::PolicyTraits& policy) {
    return policy.reads_degrees && key.key.starts_with(fmt::format("bypass.{}.", policy.name));
  };
  return std::ranges::any_of(tables, [&](const char* table) { return key.key.starts_with(table); }) ||
         std::ranges::any_of(hw::policy_traits_rows, sees_whole_loads) ||
         std::ranges::count(keys, key.key) > 0;
}

// What the banks have equal parts of begins with the least number of banks.
void share_out(Key& key) {
  static constexpr std::array keys{"geometry.capacity_bytes", "mshr.entries", "mshr.miss_queue"};
  if (std::ranges::count(keys, key.key) > 0) key.range.least *= hw::BankedL1dRanges::banks.least;
}

Key banks_key() {
  return field<BankedL1dParams>(
      {.key = "core.banks",
       .range = hw::BankedL1dRanges::banks,
       .unit = "banks",
       .meaning = "Caches that each have a share of the lines, by the lowest bits of a line's number, and "
                  "ports of the core: so many requests a cycle. Capacity, MSHR entries and miss queue are "
                  "those of all banks together.",
       .source = "Volta's L1, as Accel-Sim models it",
       .suffix = "banks"},
      &BankedL1dParams::banks);
}

// The number of banks before the other keys of the core.
std::vector<Key> banked_keys() {
  std::vector<Key> keys;
  for (const Key& key : l1d_family().keys) {
    if (is_of_one_port(key)) continue;
    keys.push_back(of_cache<BankedL1dParams>(key));
    share_out(keys.back());
  }
  const auto is_of_core = [](const Key& key) { return key.key.starts_with("core."); };
  keys.insert(std::ranges::find_if(keys, is_of_core), banks_key());
  return keys;
}

bool sound(const BankedL1dParams& p) {
  return hw::BankedL1dRanges::banks.holds(p.banks) && p.l1d.capacity_bytes % p.banks == 0;
}

// What the keys of a cache leave open follows from a bank.
void settle(Params& params) {
  auto& p = params.get<BankedL1dParams>();
  if (!sound(p)) return;  // hw::check says what is wrong
  Params bank = hw::bank_of(p);
  l1d_family().settle(bank);
  const auto& settled = bank.get<hw::L1dParams>();
  hw::L1dParams whole = settled;
  whole.capacity_bytes = p.l1d.capacity_bytes;
  whole.mshr_entries = p.l1d.mshr_entries;
  whole.miss_queue = p.l1d.miss_queue;
  whole.address_bits = p.l1d.address_bits;
  whole.core_id_bits = p.l1d.core_id_bits;
  p.l1d = whole;
}

void resolve(Params& params) {
  auto& p = params.get<BankedL1dParams>();
  if (!sound(p)) return;
  Params bank = hw::bank_of(p);
  l1d_family().resolve(bank);
  p.l1d.split = bank.get<hw::L1dParams>().split;
  p.l1d.mode = bank.get<hw::L1dParams>().mode;
}

void check_given(const Values& given, const Params& params) {
  const auto& p = params.get<BankedL1dParams>();
  if (sound(p)) l1d_family().check_given(given, Params(hw::bank_of(p)));
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<BankedL1dParams>(
      elaborated, cosim, "has several ports: recordings are of one; use --random or --trace", plain_forms);
  return table;
}

const Family& family() {
  static const Family family{.name = "L1 data cache in banks",
                             .doc = "takes a request a cycle at each of its ports, one of each bank",
                             .defaults = BankedL1dParams{},
                             .unit = kind,
                             .keys = banked_keys(),
                             .settle = settle,
                             .resolve = resolve,
                             .check_given = check_given};
  return family;
}

}  // namespace

std::vector<Preset> banked_l1d_unit() {
  return {{.place = 115,
           .name = "l1d_banks",
           .family = &family(),
           .doc = "four banks, any cache of this catalogue each, and four requests a cycle",
           .source = "Volta's L1, as Accel-Sim models it"}};
}

}  // namespace gen
