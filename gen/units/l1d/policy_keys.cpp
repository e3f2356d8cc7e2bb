// What each bypass policy brings to an L1 data cache: keys, and what it stores.
#include <algorithm>
#include <array>
#include <iterator>

#include "gen/units/keys/mechanisms.h"
#include "gen/units/l1d/l1d_keys.h"
#include "gen/units/l1d/l1d_unit.h"
#include "hw/l1d/l1d.h"

namespace gen {
namespace {

using hw::BypassKind;

using Accounts = std::vector<StorageAccount>;

struct PolicyRow {
  BypassKind kind;
  const char* name;
  std::vector<Key> (*keys)() = [] { return std::vector<Key>{}; };
  Accounts (*accounts)(const hw::L1dParams&) = [](const hw::L1dParams&) { return Accounts{}; };
};

// Its own decision, and a threshold unit inside the cache.
Accounts bucl_accounts(const hw::L1dParams& p) {
  Accounts accounts{{"bypass of un-coalesced loads", p.bypass.bucl.sources, {{"held decision", 1}}}};
  if (!hw::has_own_thresholds(p.bypass)) return accounts;
  for (StorageAccount own : storage_accounts(p.bypass.bucl)) {
    own.published = false;
    accounts.push_back(std::move(own));
  }
  return accounts;
}

// In the order of their numbers.
constexpr std::array rows{
    PolicyRow{BypassKind::none, "none"},
    PolicyRow{BypassKind::mrpb, "mrpb"},
    PolicyRow{BypassKind::bucl, "bucl", bucl_keys_of_l1d, bucl_accounts},
    PolicyRow{BypassKind::protection_distance, "protection_distance", protection_keys_of_l1d,
              [](const hw::L1dParams& p) { return Accounts{protection_account(hw::protection_params(p))}; }},
};

}  // namespace

std::vector<Key> policy_keys() {
  KeyInfo kind{.key = "bypass.kind",
               .type = KeyType::choice,
               .depends = true,
               .meaning =
                   "Which loads ask memory for themselves, rather than take or await a line; with a reuse "
                   "filter those beside its own.",
               .source = "BUCL, sections 2 and 4; ACI thesis, section 4.2.5",
               .suffix = ""};
  for (const PolicyRow& row : rows) kind.choices.emplace_back(row.name);
  std::vector<Key> keys{field<hw::L1dParams>(
      std::move(kind), [](auto& p) -> auto& { return p.bypass.kind; })};
  for (const PolicyRow& row : rows) std::ranges::move(row.keys(), std::back_inserter(keys));
  return keys;
}

void add_bypass_accounts(const hw::L1dParams& p, std::vector<StorageAccount>& accounts) {
  std::ranges::move(std::ranges::find(rows, p.bypass.kind, &PolicyRow::kind)->accounts(p),
                    std::back_inserter(accounts));
}

}  // namespace gen
