// Keys of the L1 data cache, and what each tag organisation adds to them.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gen/config/family.h"
#include "hw/l1d/l1d_params.h"

namespace gen {

std::vector<Key> l1d_keys();
// Those of bypass policies.
std::vector<Key> policy_keys();
// What a load does that finds no free MSHR, with this policy.
std::string rule_of_full_mshrs(std::string_view policy);

// Of its family, which says what they are for.
void settle_l1d(Params& params);
void resolve_l1d(Params& params);
void check_given_l1d(const Values& given, const Params& params);

struct TagKeys {
  hw::TagKind kind;
  void (*add)(std::vector<Key>& keys) = [](std::vector<Key>&) {};
  void (*settle)(hw::L1dParams& p) = [](hw::L1dParams&) {};   // what follows from the organisation
  void (*resolve)(hw::L1dParams& p) = [](hw::L1dParams&) {};  // what stands for another value becomes that
  // Throws hw::ParamError for keys that do not fit the organisation.
  void (*check_given)(const Values& given, const hw::L1dParams& p) = [](const Values&, const hw::L1dParams&) {
  };
};

extern const std::array<TagKeys, 5> all_tag_keys;  // in the order in which the keys are listed

inline const TagKeys& keys_of(hw::TagKind kind) {
  return *std::ranges::find(all_tag_keys, kind, &TagKeys::kind);
}

}  // namespace gen
