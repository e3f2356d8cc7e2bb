// What each bypass policy brings to an L1 data cache: keys, and what it stores.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "gen/units/keys/bucl_keys.h"
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
  std::vector<Key> (*keys)() = [] { return std::vector<Key>{}; };
  Accounts (*accounts)(const hw::L1dParams&) = [](const hw::L1dParams&) { return Accounts{}; };
  const char* rule_of_full_mshrs = "{}";  // which stands for what a load does without a policy
};

std::string_view name_of(const PolicyRow& row) { return hw::traits_of(row.kind).name; }

// In the order of their numbers.
constexpr std::array rows{
    PolicyRow{BypassKind::none},
    PolicyRow{.kind = BypassKind::mrpb,
              .rule_of_full_mshrs = "The load does not wait: it bypasses the cache, if the miss queue has a "
                                    "free entry. It takes no line and no MSHR, and its response goes to the "
                                    "core alone."},
    PolicyRow{BypassKind::bucl, bucl_keys_of_l1d, bucl_accounts, bucl_rule_of_full_mshrs},
    PolicyRow{BypassKind::protection_distance, protection_keys_of_l1d,
              [](const hw::L1dParams& p) {
                return Accounts{protection_account(
                    {.sets = hw::sets_of(p), .ways = p.ways, .distance = p.bypass.protection_distance})};
              }},
};

constexpr const char* waits =
    "The load waits in the tag-lookup stage and is decided again in every cycle, a reservation fail each. "
    "core_request_ready stays low, so all requests behind it wait, too. It proceeds in the first cycle that "
    "begins with a free MSHR. An MSHR becomes free when its last waiting load has been answered.";

}  // namespace

std::string rule_of_full_mshrs(std::string_view policy) {
  const auto row = std::ranges::find(rows, policy, [](const PolicyRow& r) { return name_of(r); });
  return fmt::format(fmt::runtime(row->rule_of_full_mshrs), waits);
}

std::vector<Key> policy_keys() {
  KeyInfo kind{.key = "bypass.kind",
               .type = KeyType::choice,
               .depends = true,
               .meaning =
                   "Which loads ask memory for themselves, rather than take or await a line; with a reuse "
                   "filter those beside its own.",
               .source = "BUCL, sections 2 and 4; ACI thesis, section 4.2.5",
               .suffix = ""};
  for (const PolicyRow& row : rows) kind.choices.emplace_back(name_of(row));
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
