// Parts of the tag store of decoupled sectored tags: ports, state, lines, lookup and plan of the set in the
// tag-lookup stage, and what the parts exchange. Ways, tags of ways and chunks of ways are vectors, the first
// lowest.
#pragma once
#include <optional>
#include <string>

#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"
#include "hw/tags/tag_ports.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/valid_state.h"

namespace hw {

// The module, its parameters, and the sizes that follow.
struct DecoupledFrame {
  DecoupledFrame(const TagParams& p, int tag_bits, rtl::Module m);

  // Adds wire `name`: each way's bit of `of_ways`, beside each of `of_chunks`.
  rtl::Expr spread(const std::string& name, const rtl::Expr& of_ways, const rtl::Expr& of_chunks,
                   const std::string& doc);
  // Adds wire `name`: ways of these lines.
  rtl::Expr ways_of(const std::string& name, const rtl::Expr& lines, const std::string& doc);

  rtl::Module m;
  const TagParams p;
  const int ways, tags, entries, chunks, places, sets, set_bits, tag_bits, selector_width, age_bits;
};

// The request in the tag-lookup stage.
struct StagePort {
  rtl::Expr set, tag, mask, missed;
  std::optional<rtl::Expr> entry_match;  // where stores clear chunks of a line
  rtl::Expr entry_way;
  std::optional<rtl::Expr> entry_tag;  // where a way has several
  rtl::Expr planned;
};
// Its outcome.
struct LeavePort {
  rtl::Expr allocate, waits, load, invalidate;
};
struct FillPort {
  rtl::Expr valid, set, way, mask;
};
struct ReplayPort {
  rtl::Expr set, way, released;
};
struct LossPort {
  rtl::Expr lines, chunks;
};
// Chunks of a line go in which data was wrong.
struct DecoupledDrop {
  DropPort line;
  rtl::Expr chunks;
};
struct ResultPort {
  rtl::Expr hit, valid, enough, way;
  std::optional<rtl::Expr> tag, found_way;  // where a way has several; where stores update
  std::optional<LossPort> lost;             // for the counters
  std::optional<rtl::Expr> tags_wrong;      // of protected tags
  std::optional<rtl::Expr> waits;           // of protected selectors
};

struct DecoupledPorts {
  explicit DecoupledPorts(DecoupledFrame& f);

  EnterPort enter;
  StagePort probe;
  LeavePort leave;
  FillPort fill;
  ReplayPort replay;
  rtl::Expr flush;
  std::optional<rtl::Expr> present;   // of protected tags
  std::optional<DecoupledDrop> drop;  // of protected data
  ResultPort result;
};

// Positions of lines, by set; registers.
struct PlacesState {
  ValidState valid;
  SetState busy;
  rtl::Expr released, released_set;  // without an owner after the answer in the cycle before
};
// A request that enters, and the plan of the cycle before; registers but `same`, `enter` and `turnover`.
struct DecoupledSet {
  rtl::Expr same, enter;
  Turnover turnover;
  LateRow late;
  rtl::Expr target, fresh, enough;
};
struct DecoupledState {
  DecoupledSet set;
  PlacesState places;
};
DecoupledState decoupled_state(DecoupledFrame& f, const EnterPort& enter, const rtl::Expr& probe_set);

// The tag that each position of the probe's set belongs to, and the same with the load's positions, a wire.
struct Selectors {
  rtl::Expr row, after;
  rtl::Condition wrong;  // the row that was read is, of protected tags
};
Selectors stored_selectors(DecoupledFrame& f, const DecoupledSet& set, const EnterPort& enter,
                           const rtl::Expr& probe_set, const rtl::Expr& allocate);

struct TagAges {
  SetState age;
  rtl::Expr older;
};
TagAges stored_ages(DecoupledFrame& f);

// Lines of the probe's set.
struct LinesOfWays {
  rtl::Expr owns, holds, covers, filled, used, waits, hurt, blocked;
};
LinesOfWays lines_of_ways(DecoupledFrame& f, const PlacesState& state,
                          const std::optional<Selectors>& selectors, const rtl::Expr& mask);

// The probe's line, one-hot; `written`: the tag that is written, a wire; `wrong`: tags that are, of protected
// ones.
struct FoundLine {
  rtl::Expr written, line;
  std::optional<rtl::Expr> wrong;
};
FoundLine find_line(DecoupledFrame& f, const DecoupledSet& set, const DecoupledPorts& ports,
                    const LinesOfWays& lines);

// Of protected tags: the positions whose chunks go, since their tag or their selector is wrong; drives the
// outputs that say so.
rtl::Expr wrong_positions(DecoupledFrame& f, const PlacesState& state, const rtl::Condition& selectors_wrong,
                          const LinesOfWays& lines, const rtl::Expr& tags_wrong, const DecoupledPorts& ports);

// Adds wire `name`: the positions of lines, from the positions of each line.
rtl::Expr places_of(DecoupledFrame& f, const rtl::Expr& owns, const std::string& name, const rtl::Expr& lines,
                    const std::string& doc, const char* instance);

// Adds the plan for the next cycle; returns the way of the line.
rtl::Expr plan_places(DecoupledFrame& f, const DecoupledSet& set, const rtl::Expr& busy_row,
                      const LinesOfWays& lines, const rtl::Expr& line, const std::optional<TagAges>& ages,
                      const rtl::Expr& missed, const ResultPort& result);

}  // namespace hw
