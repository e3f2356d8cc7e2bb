#include "gen/units/iacm/iacm_keys.h"

#include <algorithm>

#include "gen/units/iacm/awl_keys.h"
#include "gen/units/iacm/iacm_controller.h"

namespace gen {
namespace {

using hw::IacmParams;

// `access` finds the parameters in a struct P.
template <class P, class Access>
std::vector<Key> make_keys(Access access) {
  std::vector<Key> keys;
  const auto of = [access](auto member) {
    return [ access, member ](auto& p) -> auto& { return access(p).*member; };
  };
  add_awl_keys<P>(keys, of(&IacmParams::awl));
  keys.push_back(field<P>(
      {.key = "iacm.order",
       .type = KeyType::choice,
       .choices = {"none", "adi_awl", "awl_adi", "parallel", "adi", "awl"},
       .meaning =
           "What runs before nothing adapts: adaptive indexing (ADI) and adaptive warp limiting (AWL), "
           "one after the other or at once, or one of them alone. A controller has an order.",
       .source = "ACI thesis, sections 4.2 and 4.3.3",
       .suffix = ""},
      of(&IacmParams::order)));
  keys.push_back(field<P>({.key = "iacm.adi_idle",
                           .min = 2,
                           .max = 1 << 20,
                           .unit = "cycles",
                           .meaning = "For how long IPC is counted between rounds of ADI.",
                           .source = "ACI thesis, section 4.2.2",
                           .suffix = "adi_idle"},
                          of(&IacmParams::adi_idle)));
  keys.push_back(integers<P>(
      change_key("adi_change", "adi_change",
                 "An IPC between rounds of ADI that differs from the one before by more than this part of it "
                 "brings another round."),
      of(&IacmParams::adi_change)));
  keys.push_back(integers<P>(
      change_key("idle_change", "idle_change",
                 "An IPC while nothing adapts that differs from the one before by more than this part of it "
                 "begins the order again."),
      of(&IacmParams::idle_change)));
  return keys;
}

}  // namespace

std::vector<Key> iacm_keys_of_l1d() {
  std::vector<Key> keys = make_keys<hw::L1dParams>([](auto& p) -> auto& { return p.iacm; });
  std::erase_if(keys, [](const Key& key) { return key.key == "limit.scope" || key.key == "limit.warps"; });
  std::vector<std::string> orders = std::ranges::find(keys, std::string("iacm.order"), &Key::key)->choices;
  orders.erase(orders.begin());
  for (Key& key : keys) {
    if (key.key == "iacm.order") {
      key.depends = true;
      key.suffix = "order_";
    } else if (key.key == "limit.linear_from") {
      key.only_with = {"limit.kind", {"adaptive"}};
    } else {
      key.only_with = {"iacm.order", orders};
    }
    // The cache has a period and an issue_max of other mechanisms.
    if (key.key == "iacm.period") key.suffix = "iacm_period";
    if (key.key == "iacm.issue_max") key.suffix = "iacm_issue";
  }
  return keys;
}

const Family& iacm_family() {
  static const Family family{
      .name = "controller of integrated adaptive cache management",
      .doc = "says when adaptive indexing and adaptive warp limiting run, by a core's IPC",
      .defaults = IacmParams{.order = hw::IacmOrder::none},
      .unit = iacm_controller_unit,
      .keys = make_keys<IacmParams>([](auto& p) -> auto& { return p; })};
  return family;
}

}  // namespace gen
