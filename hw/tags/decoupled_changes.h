// What a request that leaves the tag-lookup stage, a fill and an answer change in decoupled sectored tags.
#pragma once
#include <optional>

#include "hw/tags/decoupled_parts.h"

namespace hw {

// Positions that the load takes, in the way that was planned.
struct TakenPlaces {
  rtl::Expr way, places;
};
TakenPlaces take_places(DecoupledFrame& f, const DecoupledSet& set, const FoundLine& found,
                        const rtl::Expr& allocate, const rtl::Expr& missed, const ResultPort& result);

// Positions whose chunks go, and those whose valid bit goes, `wrong` ones among them.
struct LostPlaces {
  rtl::Expr lost, cleared;
};
LostPlaces lose_places(DecoupledFrame& f, const DecoupledSet& set, const StagePort& probe,
                       const LeavePort& leave, const rtl::Expr& owns, const rtl::Expr& line,
                       const rtl::Expr& taken, const std::optional<rtl::Expr>& wrong);

// `tag`: the planned one in its way, one-hot.
void change_selectors(DecoupledFrame& f, const Selectors& selectors, const rtl::Expr& taken,
                      const rtl::Expr& tag);

void change_valid(DecoupledFrame& f, const DecoupledPorts& ports, const DecoupledState& state,
                  const rtl::Expr& cleared);

void change_busy(DecoupledFrame& f, const DecoupledPorts& ports, const DecoupledState& state,
                 const rtl::Expr& line_way, const rtl::Expr& target_way);

void change_ages(DecoupledFrame& f, const DecoupledSet& set, const TagAges& ages, const EnterPort& enter,
                 const rtl::Expr& line, const rtl::Expr& planned, const rtl::Expr& load);

// Costs of a load, for the counters.
void count_losses(DecoupledFrame& f, const PlacesState& state, const LinesOfWays& lines,
                  const rtl::Expr& lost, const rtl::Expr& allocate, const LossPort& port);

void observe_places(DecoupledFrame& f, const DecoupledState& state, bool selectors,
                    const std::optional<TagAges>& ages);

}  // namespace hw
