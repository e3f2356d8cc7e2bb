#include "gen/units/iacm/iacm_keys.h"

#include "gen/units/iacm/awl_keys.h"
#include "gen/units/iacm/iacm_controller.h"

namespace gen {
namespace {

using hw::IacmParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  add_awl_keys<IacmParams>(
      keys, [](auto& p) -> auto& { return p.awl; });
  keys.push_back(field<IacmParams>(
      {.key = "iacm.order",
       .type = KeyType::choice,
       .choices = {"none", "adi_awl", "awl_adi", "parallel", "adi", "awl"},
       .meaning =
           "What runs before nothing adapts: adaptive indexing (ADI) and adaptive warp limiting (AWL), "
           "one after the other or at once, or one of them alone. A controller has an order.",
       .source = "ACI thesis, sections 4.2 and 4.3.3",
       .suffix = ""},
      &IacmParams::order));
  keys.push_back(field<IacmParams>({.key = "iacm.adi_idle",
                                    .min = 2,
                                    .max = 1 << 20,
                                    .unit = "cycles",
                                    .meaning = "For how long IPC is counted between rounds of ADI.",
                                    .source = "ACI thesis, section 4.2.2",
                                    .suffix = "adi_idle"},
                                   &IacmParams::adi_idle));
  keys.push_back(integers<IacmParams>(
      change_key("adi_change", "adi_change",
                 "An IPC between rounds of ADI that differs from the one before by more than this part of it "
                 "brings another round."),
      &IacmParams::adi_change));
  keys.push_back(integers<IacmParams>(
      change_key("idle_change", "idle_change",
                 "An IPC while nothing adapts that differs from the one before by more than this part of it "
                 "begins the order again."),
      &IacmParams::idle_change));
  return keys;
}

}  // namespace

const Family& iacm_family() {
  static const Family family{
      .name = "controller of integrated adaptive cache management",
      .doc = "says when adaptive indexing and adaptive warp limiting run, by a core's IPC",
      .defaults = IacmParams{},
      .unit = iacm_controller_unit,
      .keys = make_keys()};
  return family;
}

}  // namespace gen
