// Keys of adaptive warp limiting (ACI thesis, section 4.2.3), for the unit and for those that hold one.
#pragma once

#include "gen/config/family.h"

namespace gen {

KeyInfo limit_scope_key();
KeyInfo limit_warps_key();
KeyInfo linear_from_key();
KeyInfo iacm_period_key();
KeyInfo issue_max_key();
// By how much a value must change to count as changed: iacm.<key>.
KeyInfo change_key(const std::string& key, const std::string& suffix, const std::string& meaning);

// `access` finds the parameters in a struct P.
template <class P, class Access>
void add_awl_keys(std::vector<Key>& keys, Access access) {
  using hw::AwlParams;
  const auto of = [access](auto member) {
    return [ access, member ](auto& p) -> auto& { return access(p).*member; };
  };
  keys.push_back(field<P>(limit_scope_key(), of(&AwlParams::scope)));
  keys.push_back(field<P>(limit_warps_key(), of(&AwlParams::warps)));
  keys.push_back(field<P>(linear_from_key(), of(&AwlParams::linear_from)));
  keys.push_back(field<P>(iacm_period_key(), of(&AwlParams::period)));
  keys.push_back(integers<P>(
      change_key(
          "warp_change", "warp_change",
          "A search's result that differs from the one before by more than this part of it has moved."),
      of(&AwlParams::warp_change)));
  keys.push_back(field<P>(issue_max_key(), of(&AwlParams::issue_max)));
}

const Family& awl_family();

}  // namespace gen
