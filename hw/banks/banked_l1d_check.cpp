// What a cache in banks can be built from: equal shares of all that is dealt out, and a bank's own rules.
#include <fmt/format.h>

#include <array>

#include "hw/banks/banked_l1d.h"
#include "hw/banks/banked_l1d_ranges.h"
#include "hw/index/index_unit.h"
#include "hw/l1d/l1d_ranges.h"
#include "hw/policy/policies.h"
#include "hw/require.h"

namespace hw {
namespace {

// What is dealt out to the banks in equal parts.
void check_share(const BankedL1dParams& p, const char* key, int value) {
  require(value % p.banks == 0, key, value, fmt::format("must be a multiple of core.banks, {}", p.banks),
          fmt::format("use {}", (value / p.banks + 1) * p.banks));
}

void check_shares(const BankedL1dParams& p) {
  const int set_bytes = bytes_of_set(p.l1d), least = static_cast<int>(capacity_of_node.least) * p.banks;
  require(p.l1d.capacity_bytes >= least, "geometry.capacity_bytes", p.l1d.capacity_bytes,
          fmt::format("must be at least {}, {} a bank", least, capacity_of_node.least),
          fmt::format("use {}", least));
  require(p.l1d.capacity_bytes % (p.banks * set_bytes) == 0 &&
              power_of_two(p.l1d.capacity_bytes / (p.banks * set_bytes)),
          "geometry.capacity_bytes", p.l1d.capacity_bytes,
          fmt::format("must be sets of {} bytes, their number a power of two in each of {} banks", set_bytes,
                      p.banks),
          fmt::format("use a power of two of {} bytes", p.banks * set_bytes));
  check_share(p, "mshr.entries", p.l1d.mshr_entries);
  check_share(p, "mshr.miss_queue", p.l1d.miss_queue);
  require(p.l1d.address_bits - bank_bits(p) >= least_address_bits, "geometry.address_bits",
          p.l1d.address_bits,
          fmt::format("must be at least {}, of which {} name the bank", least_address_bits + bank_bits(p),
                      bank_bits(p)),
          fmt::format("use {}", least_address_bits + bank_bits(p)));
}

}  // namespace

void check(const BankedL1dParams& p) {
  require_in(BankedL1dRanges::banks, "core.banks", p.banks, "use 4, or the preset l1d for one bank");
  check_shares(p);
  check(
      p.l1d.bypass,
      PolicyAround{.splits_loads = "one load's requests go to several banks, none of which sees the first of "
                                   "each load",
                   .remedy = "use mrpb, or none"});
  require(p.l1d.index.kind != IndexKind::rxi, "index.kind", "rxi",
          "is published for whole addresses, and the bank is cut from them here", "use another index.kind");
  check(bank_of(p));
}

void check_built(const BankedL1dParams& p) {
  const int sets = sets_of(bank_of(p));
  require(sets >= least_built_sets, "core.banks", p.banks,
          fmt::format("makes banks of {} set, and hardware has at least {}; models, in explore, may have one",
                      sets, least_built_sets),
          "use fewer banks, or fewer ways");
  check_built(bank_of(p));
}

}  // namespace hw
