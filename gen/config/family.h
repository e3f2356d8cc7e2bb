// A family: the units that share a parameter struct, and the keys of that struct.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gen/config/key.h"

namespace gen {

struct UnitKind;
using Values = std::map<std::string, Value, std::less<>>;

struct Family {
  std::string name;  // "set-index unit"
  std::string doc;
  Params defaults = {};
  // What the commands do with such units (gen/unit/unit_kind.h).
  const UnitKind& (*unit)() = nullptr;
  std::vector<Key> keys = {};
  // Puts values in the place of "automatic" ones; the parameters may still be inconsistent.
  std::function<void(Params&)> settle = {};
  // The same for values that the hardware and its model each work out for themselves, to be shown. May be
  // empty.
  std::function<void(Params&)> resolve = {};
  // Rules between keys that the parameter struct can no longer see; throws hw::ParamError.
  std::function<void(const Values& given, const Params&)> check_given = {};

  const Key* find(std::string_view key) const;
};

// Does the key count, given the value of the key that it depends on?
bool counts(const Family& family, const Key& key, const Params& params);

// A changed value of the key, which counts, shows in the module's name: it changes hardware.
bool names(const Family& family, const Key& key, const Params& params);

// The parameters that hardware is built from: keys that do not count at their default, automatic values
// filled in.
Params settled(const Family& family, Params params);

}  // namespace gen
