// The controller of integrated adaptive cache management (ACI thesis, section 4).
#include <algorithm>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/mechanisms.h"
#include "gen/units/monitors/awl_unit.h"
#include "hw/l1d/l1d_params.h"
#include "hw/monitors/change.h"
#include "hw/monitors/iacm_controller.h"
#include "hw/monitors/iacm_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {

std::vector<StorageAccount> storage_accounts(const hw::IacmParams& p) {
  std::vector<StorageAccount> accounts;
  if (hw::has_awl(p.order)) accounts = storage_accounts(p.awl);
  const int ipc = hw::watch_bits(p);
  accounts.push_back({"IPC without a search", 1, {{"ipc", ipc}, {"last", ipc}}, true});
  accounts.push_back(
      {"period without a search", 1, {{"cycle", hw::bits_to_number(hw::watch_cycles(p))}, {"first", 1}}});
  std::vector<std::pair<std::string, int>> phase{{"phase", 2}};
  if (hw::has_adi(p.order)) phase.insert(phase.end(), {{"adi_start", 1}, {"rest", 1}});
  if (hw::has_awl(p.order)) phase.emplace_back("awl_start", 1);
  accounts.push_back({"phase", 1, std::move(phase)});
  const auto bounds = [&](const hw::Fraction& fraction, const std::string& what) {
    const hw::ChangeBounds bits = hw::change_bounds(ipc, fraction);
    accounts.push_back(
        {"bounds of a change, kept ahead" + what, 1, {{"most", bits.most}, {"least", bits.least}}});
  };
  if (!hw::has_adi(p.order) || p.adi_change == p.idle_change) {
    bounds(p.idle_change, "");
  } else {
    bounds(p.idle_change, ", idle");
    bounds(p.adi_change, ", between rounds");
  }
  if (!hw::has_awl(p.order)) accounts.push_back({"kernel", 1, {{"total", hw::warp_count_bits(p.awl)}}});
  return accounts;
}

namespace {

Unit elaborated(const hw::IacmParams& p, const std::string& top) {
  return {.top = hw::iacm_controller(p, top), .latency = 1, .accounts = storage_accounts(p)};
}

CosimMain cosim(const hw::IacmParams& p) {
  return cycle_bench("units/iacm_controller_cosim.h", "IacmControllerBench", "IacmParams", p, 2'000'000, {},
                     true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::IacmParams>(
      elaborated, cosim, "controls searches: recorded cache traffic needs a cache; use --random");
  return table;
}

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
                           .range = hw::IacmRanges::adi_idle,
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

namespace {

const Family& family() {
  static const Family family{
      .name = "controller of integrated adaptive cache management",
      .doc = "says when adaptive indexing and adaptive warp limiting run, by a core's IPC",
      .defaults = IacmParams{.order = hw::IacmOrder::none},
      .unit = kind,
      .keys = make_keys<IacmParams>([](auto& p) -> auto& { return p; })};
  return family;
}

}  // namespace

std::vector<Preset> iacm_controller_unit() {
  return {
      {.place = 230,
       .name = "iacm_controller",
       .family = &family(),
       .doc = "integrated adaptive cache management: when adaptive indexing and adaptive warp limiting run",
       .source = "ACI thesis, section 4.2",
       .overrides = {{"iacm.order", std::string("adi_awl")}}}};
}

}  // namespace gen
