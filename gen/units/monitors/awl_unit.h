// Adaptive warp limiting: its keys and storage, for controllers that hold one (ACI thesis, section 4.2.3).
#pragma once
#include <string>
#include <vector>
#include "gen/config/key.h"
#include "gen/unit/unit.h"
#include "gen/units/keys/mechanisms.h"
#include "hw/monitors/iacm_params.h"

namespace gen {

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
  const auto add = [&](KeyInfo info, auto member) {
    info.source = "ACI thesis, section 4.2.3";
    keys.push_back(field<P>(std::move(info), of(member)));
  };
  add(limit_scope_key(), &AwlParams::scope);
  add(limit_warps_key(), &AwlParams::warps);
  add(linear_from_key(), &AwlParams::linear_from);
  add(iacm_period_key(), &AwlParams::period);
  keys.push_back(integers<P>(
      change_key(
          "warp_change", "warp_change",
          "A search's result that differs from the one before by more than this part of it has moved."),
      of(&AwlParams::warp_change)));
  add(issue_max_key(), &AwlParams::issue_max);
}

// What a limiter stores, in flops.
std::vector<StorageAccount> storage_accounts(const hw::AwlParams& p);

}  // namespace gen
