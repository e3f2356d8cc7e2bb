#include "gen/units/iacm/awl_keys.h"

#include "gen/units/iacm/awl.h"

namespace gen {
namespace {

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
          .min = 2,
          .max = 1 << 20,
          .unit = "cycles",
          .meaning = "For how long IPC is counted with each limit, and while nothing adapts.",
          .suffix = "period"};
}

KeyInfo issue_max_key() {
  return {.key = "iacm.issue_max",
          .min = 1,
          .max = 1024,
          .unit = "thread instructions",
          .meaning = "The most that a core issues in a cycle: lanes of all its schedulers.",
          .suffix = "issue"};
}

KeyInfo change_key(const std::string& key, const std::string& suffix, const std::string& meaning) {
  return {.key = "iacm." + key,
          .type = KeyType::integers,
          .max = 255,
          .max_items = 2,
          .unit = "[numerator, denominator]",
          .meaning = meaning,
          .source = "ACI thesis, section 4.2",
          .suffix = suffix};
}

const Family& awl_family() {
  static const Family family{.name = "adaptive warp limiter",
                             .doc = "searches the number of warps with which a core issues the most",
                             .defaults = hw::AwlParams{},
                             .unit = awl_unit,
                             .keys = make_keys()};
  return family;
}

}  // namespace gen
