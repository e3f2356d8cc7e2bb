// Parts of the tag store of split tags: ports, state, the plan of the cycle before, stored tags, and their
// comparison with a request in the compare stage (TSC paper, section 3). Bit c * S + s of a vector says
// something of chunk c and slot s.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"
#include "hw/tags/tag_params.h"
#include "hw/tags/valid_state.h"

namespace hw {

// The module, its parameters, and the sizes that follow.
struct SplitFrame {
  SplitFrame(const TagParams& p, int tag_bits, rtl::Module m);

  rtl::Expr of_slots(const rtl::Expr& bit) const { return rtl::replicate(slots, bit); }
  // Adds wire `name`: the slots of these groups.
  rtl::Expr spread(const std::string& name, const rtl::Expr& of_groups, const std::string& doc);
  rtl::Expr shared_of(const rtl::Expr& tag) const { return tag.slice(tag_bits - 1, private_bits); }
  rtl::Expr private_of(const rtl::Expr& tag) const { return tag.slice(private_bits - 1, 0); }

  rtl::Module m;
  const TagParams p;
  const int slots, groups, per_group, chunks, sets, set_bits, tag_bits, private_bits, shared_bits, place_bits;
  const bool widened, by_chunk;
};

// A request enters the compare stage.
struct SplitRead {
  rtl::Expr valid, set;
};
// The request in the compare stage enters the tag-lookup stage. `effective`: the chunks that it looks for,
// where it may look for more than it asks for.
struct SplitEnter {
  rtl::Expr valid, set, tag, mask;
  std::optional<rtl::Expr> effective;
  rtl::Condition rehashed;  // where sets of lines move
};
// Where stores clear chunks of a line.
struct StoreMask {
  rtl::Expr mask, entry_match;
};
// The request in the tag-lookup stage.
struct SplitProbe {
  rtl::Expr set, tag, missed, pending_slots;
  std::optional<StoreMask> store;
};
// Its outcome.
struct SplitLeave {
  rtl::Expr allocate, waits, touch, invalidate;
};
struct SplitFill {
  rtl::Expr valid, set, slots;
  std::optional<rtl::Expr> released;  // where chunks may come that nobody waits for
};
struct SplitReplay {
  rtl::Expr set, released;
};
// Slots with wrong data go.
struct SplitDrop {
  rtl::Expr valid, set, slots;
};
struct SplitResult {
  rtl::Expr chunk_valid, asked, found, enough, numbers;
  std::optional<rtl::Expr> evicted;            // for the counters
  std::optional<rtl::Expr> tags_wrong, waits;  // of protected tags
};
struct SplitPorts {
  explicit SplitPorts(SplitFrame& f);

  SplitRead read;
  SplitEnter enter;
  SplitProbe probe;
  SplitLeave leave;
  SplitFill fill;
  SplitReplay replay;
  rtl::Expr flush;
  std::optional<SplitDrop> drop;     // of protected data
  std::optional<rtl::Expr> present;  // of protected tags
  SplitResult result;
};

// What the compare stage found, registers: for each chunk the slots with the line's tag, slots with requested
// chunks and with the chunks looked for, and groups with the line's shared tag; of protected tags the slots
// whose tag is wrong.
struct ComparedSlots {
  rtl::Expr holds, asked, sought, shared;
  std::optional<rtl::Expr> wrong;
};
// Slots that a replay or a fill left to nobody in the cycle before, registers.
struct ReleasedSlots {
  rtl::Expr slots, set;
  std::optional<rtl::Expr> of_fill;
};
struct SplitState {
  ValidState valid;
  SetState busy, used;
  rtl::Expr late_taken;  // slots that became busy in the cycle before, a register
  ComparedSlots compared;
  rtl::Expr same;
  LateRow late;
  ReleasedSlots released;
  rtl::Expr readable;                 // valid slots of the probe's set, with right tags
  rtl::Expr starts;                   // the first cycle after a reset, a register: all sets are cleared
  std::optional<rtl::Expr> next_set;  // the next request's set, one-hot, of several sets

  Turnover turnover(const rtl::Expr& enter) const { return {enter, ~same}; }
};
SplitState split_state(SplitFrame& f, const SplitEnter& enter, const rtl::Expr& probe_set, bool drops);

// The plan of the cycle before, registers, and what it writes: new slots, with the position of their chunks
// bit by bit, and groups that take the line's shared tag; and slots that lose what they hold.
struct SplitPlan {
  rtl::Expr places_q, enough_q;
  rtl::Expr new_slots;
  std::vector<rtl::Expr> new_places;
  rtl::Expr retagged, displaced;
};
SplitPlan kept_plan(SplitFrame& f, const SplitState& state, const rtl::Expr& missed, const rtl::Expr& enough);

// Rows of slots and of groups that are wrong as they were read: as the RAM has them, wires, and less those
// that were written at that edge.
struct WrongRows {
  rtl::Expr stored_slots, stored_groups, slots, groups;
};

// Tags beside the RAMs; `shared_equal`: groups with the shared tag of the request in the compare stage.
struct StoredTags {
  rtl::Expr bypass_slot_q, last_tag_q;
  std::vector<rtl::Expr> last_places_q;
  rtl::Expr shared_equal;
  std::optional<WrongRows> wrong;  // of protected tags
};
StoredTags stored_tags(SplitFrame& f, const SplitPorts& ports, const SplitPlan& plan);

// Of rows with check bits: as the RAMs read and write them, wires, all rows one after the other.
struct CheckedRows {
  CheckedRows(SplitFrame& f, const std::string& stem, int count, int bits);
  // Row i, in the loop: with the row that is written, drives the one that was read, and whether it is wrong.
  void check(SplitFrame& f, const rtl::Expr& i, const rtl::Expr& write_data, const rtl::Expr& read_data,
             const rtl::Expr& wrong) const;

  const std::string stem;
  const int row_bits;
  const rtl::Module checker;
  rtl::Expr read, written;
};

// Returns the slots with the request's tag, by chunk.
rtl::Expr compare_slots(SplitFrame& f, const SplitPorts& ports, const SplitPlan& plan,
                        const StoredTags& stored);

// The result of the comparison, as the request enters the tag-lookup stage.
void register_compared(SplitFrame& f, const SplitPorts& ports, const SplitState& state, const SplitPlan& plan,
                       const rtl::Expr& equal_at, const StoredTags& stored);

}  // namespace hw
