// Replacement state and victim choice of a set-associative cache: LRU by ages, NRU, random, or SRRIP.
#pragma once
#include <functional>
#include <optional>
#include <string_view>

#include "hw/rtl/module.h"
#include "hw/tags/set_state.h"
#include "hw/tags/tag_params.h"

namespace hw {

// What the probe's request does to its way when it leaves.
struct WayTouch {
  rtl::Expr way = {};
  // It touches the way, which ages, use bits and RRPVs need.
  std::optional<rtl::Expr> touches = {};
  // The victim was taken, which random replacement needs.
  std::optional<rtl::Expr> replaced = {};
  // No way has the request's line; no way is free for it. RRPVs need both.
  std::optional<rtl::Expr> new_line = {}, full = {};
};

// The choice among the ways of one set, one-hot, and what updates the state once the touched way is known.
struct ReplacementLogic {
  rtl::Expr victim;                                   // one of the candidates, if there is one
  std::function<void(const WayTouch& touch)> update;  // adds the clocked blocks
};

// The set of the probe, and the next one to enter.
struct ProbeSet {
  rtl::Expr number, next;
  Turnover turnover;
  LateRow late;  // of the tag store's arrays
};

// Adds the state and the choice to `m`. `candidates`, a signal, are the ways that may go.
ReplacementLogic replacement(rtl::Module& m, const TagParams& p, const ProbeSet& probe,
                             const rtl::Expr& candidates);

// The value of the key.
std::string_view replacement_name(Replacement policy);

}  // namespace hw
