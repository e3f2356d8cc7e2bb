#include "gen/units/monitors/awl_unit.h"

#include "cosim/stimulus/awl_cells.h"
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/monitors/awl.h"
#include "hw/monitors/iacm_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {
std::vector<StorageAccount> storage_accounts(const hw::AwlParams& p) {
  const int count = hw::warp_count_bits(p), ipc = hw::ipc_bits(p, p.period);
  return {{"adaptive warp limiting",
           1,
           {{"active", count},
            {"origin", count},
            {"settled", count},
            {"total", count},
            {"ipc", ipc},
            {"previous_ipc", ipc},
            {"cycle", hw::bits_to_number(p.period)},
            {"search", 1},
            {"direction", 1},
            {"busy", 1}},
           true},
          {"result", 1, {{"done", 1}, {"moved", 1}}}};
}

namespace {

Unit elaborated(const hw::AwlParams& p, const std::string& top) {
  Unit unit{.top = hw::awl(p, top), .latency = 1, .accounts = storage_accounts(p)};
  const std::int64_t bits = published_bits(unit.accounts);
  unit.facts = {{"published_bits_of_16_cores", 16 * bits},
                {"most_periods_of_a_search", verif::awl_reach(p).longest}};
  return unit;
}

CosimMain cosim(const hw::AwlParams& p) {
  return cycle_bench("units/awl_cosim.h", "AwlBench", "AwlParams", p, 2'000'000, {}, true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::AwlParams>(
      elaborated, cosim, "limits warps: recorded cache traffic needs a cache; use --random");
  return table;
}

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  add_awl_keys<hw::AwlParams>(
      keys, [](auto& p) -> auto& { return p; });
  return keys;
}

}  // namespace

KeyInfo linear_from_key() {
  return {.key = "limit.linear_from",
          .type = KeyType::choice,
          .choices = {"upper", "best"},
          .meaning =
              "Where the linear search begins when a doubling did not pay: at the count that it came to "
              "(the thesis), or at the one before.",
          .suffix = "from_"};
}

KeyInfo iacm_period_key() {
  return {.key = "iacm.period",
          .range = hw::IacmRanges::period,
          .unit = "cycles",
          .meaning = "For how long IPC is counted with each limit, and while nothing adapts.",
          .suffix = "period"};
}

KeyInfo issue_max_key() {
  return {.key = "iacm.issue_max",
          .range = hw::IacmRanges::issue_max,
          .unit = "thread instructions",
          .meaning = "The most that a core issues in a cycle: lanes of all its schedulers.",
          .suffix = "issue"};
}

KeyInfo change_key(const std::string& key, const std::string& suffix, const std::string& meaning) {
  return {.key = "iacm." + key,
          .type = KeyType::integers,
          .range = hw::IacmRanges::term,
          .max_items = 2,
          .unit = "[numerator, denominator]",
          .meaning = meaning,
          .source = "ACI thesis, section 4.2",
          .suffix = suffix};
}

namespace {

const Family& family() {
  static const Family family{.name = "adaptive warp limiter",
                             .doc = "searches the number of warps with which a core issues the most",
                             .defaults = hw::AwlParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> awl_unit() {
  return {{.place = 240,
           .name = "awl",
           .family = &family(),
           .doc = "adaptive warp limiting: searches how many warps should issue, by the IPC of periods",
           .source = "ACI thesis, section 4.2.3"}};
}

}  // namespace gen
