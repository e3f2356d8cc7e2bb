#include "gen/units/remote/core_selector.h"

#include "gen/cosim/port_list.h"
#include "hw/prim/one_hot.h"
#include "hw/remote/core_selector.h"

namespace gen {
namespace {

// What the thesis' selector needs; registers of the search beside it.
std::vector<StorageAccount> accounts_of(const hw::CoreSelectorParams& p) {
  const int core = hw::bits_to_number(p.cores), probes = hw::probe_count_bits(p.probes);
  const StorageAccount timer{"period", 1, {{"cycle", hw::bits_to_number(p.period)}, {"roll", 1}}, true};
  if (p.kind == hw::SelectorKind::index)
    return {timer,
            {"draws", 1, {{"lfsr", 16}}, true},
            {"list", 1, {{"probes", probes}}, true},
            {"search", 1, {{"valid", 1}, {"steps", hw::selector_step_bits(p)}}}};
  const int sum = hw::weight_sum_bits(p), others = p.cores - 1;
  std::vector<StorageAccount> accounts{
      {"cores", others, {{"count", p.count_bits}, {"weight", p.count_bits + 1}}, true},
      timer,
      {"draws", 1, {{"lfsr", 16}, {"point", sum}}, true},
      {"list", 1, {{"targets", p.coverage * core}, {"probes", probes}}, true},
      {"search",
       1,
       {{"valid", 1},
        {"steps", hw::selector_step_bits(p)},
        {p.stages ? "above" : "chosen", others},
        {"sums", p.stages ? others * sum : hw::running_sum_bits(p)},
        {"total", p.stages ? sum + 2 : sum}}}};
  if (p.stages) {
    accounts.push_back(
        {"product", 1, {{"target's weight", p.count_bits + 1}, {"carry-save", 2 * (sum + 16)}}});
    accounts.push_back({"passes over the cores",
                        1,
                        {{"core", hw::bits_to_number(p.cores + 1)},
                         {"weight", p.count_bits + 1},
                         {"smallest count", p.count_bits + 1},
                         {"sum", sum},
                         {"sums", others * sum},
                         {"total", sum + 2}}});
  } else {
    accounts.push_back({"smallest counts", hw::selector_groups(p), {{"count", p.count_bits + 1}}});
  }
  return accounts;
}

Unit elaborated(const hw::CoreSelectorParams& p, const std::string& top) {
  return {.top = hw::core_selector(p, top),
          .latency = hw::cycles_of_list(p),
          .accounts = accounts_of(p),
          .facts = {{"cycles_of_a_list", hw::cycles_of_list(p)},
                    {"more_cycles_with_roll", hw::cycles_of_roll(p)}}};
}

CosimMain cosim(const hw::CoreSelectorParams& p) {
  return cycle_bench("units/core_selector_cosim.h", "CoreSelectorBench", "CoreSelectorParams", p, 1'000'000,
                     port_list(hw::core_selector(p, "unit")), true);
}

}  // namespace

const UnitKind& core_selector_unit() {
  static const UnitKind kind = unit_kind<hw::CoreSelectorParams>(
      elaborated, cosim, "draws cores to search: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
