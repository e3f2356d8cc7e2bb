#include "gen/config/family.h"

#include <algorithm>

namespace gen {

const Key* Family::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &Key::key);
  return found == keys.end() ? nullptr : &*found;
}

namespace {

bool holds(const Family& family, const std::pair<std::string, std::vector<std::string>>& condition,
           const Params& params) {
  const auto& [other, values] = condition;
  if (other.empty()) return true;
  return std::ranges::count(values, std::get<std::string>(family.find(other)->get(params))) > 0;
}

}  // namespace

bool counts(const Family& family, const Key& key, const Params& params) {
  return holds(family, key.only_with, params);
}

bool names(const Family& family, const Key& key, const Params& params) {
  return key.suffix && holds(family, key.named_with, params);
}

Params settled(const Family& family, Params params) {
  for (const Key& key : family.keys)
    if (!counts(family, key, params)) key.set(params, key.get(family.defaults));
  if (family.settle) family.settle(params);
  return params;
}

}  // namespace gen
