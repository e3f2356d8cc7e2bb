// Parts of the tag store of the reuse-count filter: ports, state, the lookup, the choice of an entry and a
// data way, and what a request that leaves the tag-lookup stage, a fill and a freed MSHR entry change
// (Decoupled L1D paper, section 4).
#pragma once
#include <optional>
#include <vector>

#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"
#include "hw/tags/replacement.h"
#include "hw/tags/tag_params.h"
#include "hw/tags/tag_ports.h"
#include "hw/tags/tag_rams.h"

namespace hw {

// The module, its parameters, and the sizes that follow.
struct ReuseFrame {
  ReuseFrame(const TagParams& p, int tag_bits, rtl::Module m);

  rtl::Expr of_entries(const rtl::Expr& bit) const { return rtl::replicate(entries, bit); }
  rtl::Expr of_ways(const rtl::Expr& bit) const { return rtl::replicate(ways, bit); }

  rtl::Module m;
  const TagParams p;
  const int ways, entries, sets, set_bits, tag_bits, rc_bits, position_bits;
  const bool filters;
};

// The request in the tag-lookup stage, with the MSHR entry of its line.
struct ReuseProbe {
  rtl::Expr set, tag, entry_match, entry_way;
  std::optional<rtl::Expr> filter_enable;  // where the filter follows a control
};
// Its outcome.
struct ReuseLeave {
  rtl::Expr allocate, load;
  std::optional<rtl::Expr> has_free;  // where loads may take an MSHR entry without the filter
  rtl::Expr queue_not_full;
  std::optional<rtl::Expr> bypass;  // where the filter may be on
  rtl::Expr invalidate;
};
struct ReuseFill {
  rtl::Expr valid, set, way;
};
struct ReuseResult {
  rtl::Expr match, can_allocate;
  std::optional<rtl::Expr> filtered, tags_wrong;
  rtl::Expr way;
  std::optional<rtl::Expr> evicted;
};
struct ReusePorts {
  explicit ReusePorts(ReuseFrame& f);

  EnterPort enter;
  ReuseProbe probe;
  ReuseLeave leave;
  ReuseFill fill;
  FreedPort dealloc;
  rtl::Expr flush;
  std::optional<rtl::Expr> present;  // of protected tags
  std::optional<DropPort> drop;      // of protected data
  ReuseResult result;
};

// The MSHR entry that was freed in the cycle before: its data way stays in the registers for a cycle more,
// and is taken out wherever it is read.
struct FreedWay {
  rtl::Expr valid, set, way;

  rtl::Expr in(const rtl::Expr& of_set) const;
};

// Entries that stand for a line, valid lines and busy data ways, by set; the request that enters.
struct ReuseState {
  SetState known, valid, busy;
  LateRow late;
  Turnover turnover;
  FreedWay freed;
  rtl::Expr busy_now, same, enter;
};
ReuseState reuse_state(ReuseFrame& f, const EnterPort& enter, const rtl::Expr& probe_set);

// Entries whose tag is that of the probe. The first three are wires, driven behind the choice.
struct ReuseTags {
  rtl::Expr takes, new_entry, new_way;
  rtl::Expr written, equal;
  std::optional<rtl::Expr> wrong;  // of protected tags
  rtl::Expr found, has_entry;
};
ReuseTags reuse_tags(ReuseFrame& f, const ReuseState& state, const EnterPort& enter, const ReuseProbe& probe);

// Reuse counts, links and positions of the probe's set; `after`: a wire.
struct ReuseRow {
  rtl::Expr counts, linked;
  std::optional<rtl::Expr> positions;  // where there are several data ways
  rtl::Expr after;
};
ReuseRow reuse_row(ReuseFrame& f, const ReuseState& state, const EnterPort& enter, const rtl::Expr& probe_set,
                   const rtl::Expr& load);

// Entries that are linked to each data way, and data ways in use.
class DataLinks {
 public:
  DataLinks(ReuseFrame& f, const ReuseState& state, const ReuseRow& row);

  const rtl::Expr& holders(int way) const { return holders_[static_cast<std::size_t>(way)]; }
  // The entries that are linked to the data ways named, and the other way round.
  rtl::Expr holders_of(const rtl::Expr& ways) const;
  rtl::Expr ways_of(const rtl::Expr& entries) const;
  const rtl::Expr& occupied() const { return occupied_; }

 private:
  std::vector<rtl::Expr> holders_;
  rtl::Expr occupied_;
};

// Entries that go, since their tag is wrong. An entry that waits stays with a wrong tag too: the MSHR entry
// has its line.
rtl::Condition wrong_entries(ReuseFrame& f, const ReuseState& state, const DataLinks& links,
                             const ReuseTags& tags, const ReusePorts& ports);

// Returns the data way of the line.
rtl::Expr find_data_way(ReuseFrame& f, const ReuseState& state, const DataLinks& links, const ReuseTags& tags,
                        const rtl::Expr& counts, const ReuseProbe& probe, const ReuseResult& result);

}  // namespace hw
