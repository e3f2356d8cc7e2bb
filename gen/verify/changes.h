// The possible changes of one expression of a module in a mutation run, by kind.
#pragma once
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "gen/verify/injector.h"

namespace gen {

// In which a mutation run draws evenly.
enum class ChangeKind { operation, constant, condition, enable, reset, bit, port };
inline constexpr int change_kinds = 7;

struct PlaceChange {
  ChangeKind kind = ChangeKind::operation;
  std::string words = {};
  rtl::Expr becomes = {};
};

// One of each kind that the expression has, drawn where there are several. A change reads nothing that the
// sound expression does not read, so it closes no combinational loop.
std::vector<PlaceChange> changes_of(const Place& place, std::mt19937_64& draw);

}  // namespace gen
