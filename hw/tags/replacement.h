// Replacement state and victim choice of a set-associative cache: LRU by ages, NRU, or random.
#pragma once
#include <functional>
#include <optional>

#include "hw/rtl/module.h"
#include "hw/tags/set_state.h"
#include "hw/tags/tag_params.h"

namespace hw {

// The choice among the ways of one set, one-hot, and what updates the state once the touched way is known.
struct ReplacementLogic {
  rtl::Expr victim;  // one of the candidates, if there is one
  // Adds the clocked blocks: the probe's request touches `way` when it leaves if `touches`, which ages and
  // use bits need; `replaced` says that the victim was taken, which random replacement needs.
  std::function<void(const std::optional<rtl::Expr>& touches, const rtl::Expr& way,
                     const std::optional<rtl::Expr>& replaced)>
      update;
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

}  // namespace hw
