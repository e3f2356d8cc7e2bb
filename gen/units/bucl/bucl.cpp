#include "gen/units/bucl/bucl.h"

#include "gen/cosim/port_list.h"

#include "hw/policy/bucl_profile.h"
#include "hw/policy/bucl_threshold_unit.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

Unit elaborated(const hw::BuclParams& p, const std::string& top) {
  Unit unit{.top = hw::bucl_threshold_unit(p, top), .latency = 1, .accounts = storage_accounts(p)};
  unit.facts = {{"all_bits", published_bits(unit.accounts)}};
  return unit;
}

CosimMain cosim(const hw::BuclParams& p) {
  return cycle_bench("units/bucl_threshold_cosim.h", "BuclThresholdBench", "BuclParams", p, 300'000,
                     port_list(hw::bucl_threshold_unit(p, "unit")), true);
}

}  // namespace

std::vector<StorageAccount> storage_accounts(const hw::BuclParams& p) {
  const int count = hw::bits_up_to(p.period), sm = hw::bits_to_number(p.sms);
  const auto account = [](const char* name, int entries, std::vector<std::pair<std::string, int>> fields) {
    std::erase_if(fields, [](const auto& field) { return field.second == 0; });
    return StorageAccount{name, entries, std::move(fields), true};
  };
  std::vector<StorageAccount> accounts{
      account("period, once a GPU", 1,
              {{"cycle", hw::bits_to_number(p.period)}, {"hits", count}, {"accesses", count}}),
      account("use of buffers, once a GPU", p.sub_partitions,
              {{"sum", hw::bits_up_to(std::int64_t{p.buffer_entries} * p.period)}, {"free", 1}}),
      account("what loads compare with, once a GPU", 1, {{"hit_rate_low", 1}, {"tucd", hw::tucd_bits(p)}})};
  if (p.period > 1) {
    const int weighed = hw::bits_up_to(std::int64_t{p.hit_rate[1]} * p.period) + 1;
    accounts.push_back({"comparison of the hit rate under way", 1, {{"weighed", weighed}, {"load", 2}}});
  }
  if (!hw::profiles(p)) return accounts;
  accounts.push_back(account("lanes that an SM issues, once a GPU", p.sms, {{"ran", hw::ran_bits(p)}}));
  accounts.push_back(account("profile, once a GPU", 1,
                             {{"cycle", hw::bits_to_number(p.profile_cycles)},
                              {"most lanes", hw::ran_bits(p)},
                              {"SM", sm},
                              {"winner", sm},
                              {"phase", 2}}));
  return accounts;
}

const UnitKind& bucl_threshold_unit() {
  static const UnitKind kind = unit_kind<hw::BuclParams>(
      elaborated, cosim, "is a monitor: recorded cache traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
