// Parts of the tag store of a set-associative cache, conventional or sectored: ports, state, the lookup, the
// choice of a way, and what a request that leaves the tag-lookup stage, a fill and a freed MSHR entry change.
// Ways are vectors, and so are the sectors of ways, the first lowest.
#pragma once
#include <optional>
#include <string>

#include "hw/tags/replacement.h"
#include "hw/tags/tag_ports.h"
#include "hw/tags/tag_rams.h"
#include "hw/tags/valid_state.h"

namespace hw {

// The module, its parameters, and the sizes that follow.
struct WayFrame {
  WayFrame(const TagParams& p, int tag_bits, rtl::Module m);

  rtl::Expr each(const rtl::Expr& bit) const { return rtl::replicate(ways, bit); }
  // Each way's bit of a vector, beside each of its sectors' bits, as wire `name` where there are several.
  rtl::Expr spread(const std::string& name, const rtl::Expr& of_ways, const rtl::Expr& sectors,
                   const std::string& doc);

  rtl::Module m;
  const TagParams p;
  const int ways, sectors, set_bits, tag_bits;
  const bool sectored;
};

// The request in the tag-lookup stage, with the MSHR entry of its line. Masks are those of sectored tags.
struct WayProbe {
  rtl::Expr set, tag;
  std::optional<rtl::Expr> mask;
  rtl::Expr entry_match, entry_way;
};
// Its outcome.
struct WayLeave {
  rtl::Expr allocate;
  std::optional<rtl::Expr> reserve, load;  // of sectored tags; where loads touch their way
  rtl::Expr invalidate;
};
struct WayFill {
  rtl::Expr valid, set, way;
  std::optional<rtl::Expr> mask;
};
// Lines of other homes: that of the request is one; of even and odd sets some are left over.
struct HomeInputs {
  rtl::Expr foreign, shared_sets;
};
struct SectorResult {
  rtl::Expr hit, match_valid;
};
// Ways that may take a line, and ways of MSHR entries.
struct ClosedWays {
  rtl::Expr open, reserved;
};
struct WayResult {
  rtl::Expr match;
  std::optional<SectorResult> sectors;
  std::optional<ClosedWays> closed;
  rtl::Expr can_allocate;
  std::optional<rtl::Expr> tags_wrong;  // of protected tags
  rtl::Expr way;
  std::optional<rtl::Expr> evicted;  // for the counters
};

struct WayPorts {
  explicit WayPorts(WayFrame& f);

  EnterPort enter;
  WayProbe probe;
  WayLeave leave;
  WayFill fill;
  FreedPort dealloc;
  rtl::Expr flush;
  std::optional<rtl::Expr> present;  // of protected tags
  std::optional<DropPort> drop;      // of protected data
  std::optional<HomeInputs> homes;
  WayResult result;
};

// An MSHR entry that was freed in the cycle before: its way stays in the registers for a cycle more, and is
// taken out wherever it is read. `here`: its set is now the probe's.
struct ReleasedWay {
  rtl::Expr valid, here, set, way;

  rtl::Expr in(const rtl::Expr& of_set) const;
};

struct WayState {
  ValidState valid;
  SetState busy;
  std::optional<SetState> foreign;  // lines of other homes
  LateRow late;
  ReleasedWay released;
  Turnover turnover;
  rtl::Expr same, enter, busy_now;
};
WayState way_state(WayFrame& f, const EnterPort& enter, const rtl::Expr& probe_set);

// Ways with the probe's line, if they are valid; `new_way`: a wire, driven behind the choice.
struct WayLookup {
  rtl::Expr new_way, written, equal;
  rtl::Condition emptied;  // ways whose line goes, since its tag is wrong
};
WayLookup compare_ways(WayFrame& f, const WayState& state, const WayPorts& ports);

// Returns the ways that hold nothing and wait for nothing.
rtl::Expr find_way(WayFrame& f, const WayState& state, const rtl::Expr& equal, const WayPorts& ports);

// The way for a new line, and the way of the line.
struct WayChoice {
  ReplacementLogic replacement;
  rtl::Expr known, new_line;      // the line has no way yet
  rtl::Expr none_free, replaced;  // a victim is needed, and replaced
};
WayChoice choose_way_for_line(WayFrame& f, const WayState& state, const rtl::Expr& new_way,
                              const rtl::Expr& invalid, const WayPorts& ports);

void change_way_state(WayFrame& f, const WayState& state, const WayLookup& lookup, const WayChoice& choice,
                      const WayPorts& ports);

void observe_ways(WayFrame& f, const WayState& state);

}  // namespace hw
