// What the parts of a cache exchange about the request in the tag-lookup stage: from its lookup to its
// changes.
#pragma once
#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/rtl/condition.h"
#include "hw/rtl/module.h"
#include "hw/rtl/optional.h"

namespace hw {

using Pins = std::vector<std::pair<std::string, rtl::Expr>>;
using Named = std::vector<std::pair<std::string, rtl::Expr>>;
using Events = Named;  // counter, and what it counts

// The one of that name; where there is none, says what lacks it.
inline const rtl::Expr& of_name(const Named& list, std::string_view name, const char* lacks) {
  const auto found = std::ranges::find(list, name, &Named::value_type::first);
  if (found == list.end()) throw std::logic_error(lacks + std::string(" ") + std::string(name));
  return found->second;
}

inline const rtl::Expr& event_of(const Events& events, std::string_view name) {
  return of_name(events, name, "no cache has the event");
}
// One of these happens.
template <class Names>
rtl::Expr some_of(const Events& events, const Names& names) {
  rtl::Optional some;
  for (const std::string_view name : names) some |= event_of(events, name);
  return some.value();
}

// What a request carries for single mechanisms beside its sideband.
struct Extra {
  std::string_view name;
};
namespace extra {
inline constexpr Extra foreign{"foreign"};            // another cache is the home of its line
inline constexpr Extra snoop{"snoop"}, drop{"drop"};  // it is one
}  // namespace extra

// A control that a tag store or a policy reads, by the name of its row (hw/l1d/controls_params.h).
struct ControlName {
  std::string_view name;
};

// The controls that the cache has.
struct ControlSignals {
  Named signals = {};

  const rtl::Expr& operator[](ControlName control) const {
    return of_name(signals, control.name, "no cache has the control");
  }
};

// What a request writes, if it is no load.
struct WriteData {
  rtl::Expr byte_enable, data;
};

// A request on its way to the tag-lookup stage, or in it.
struct Request {
  rtl::Expr valid, id, kind, block_address, mask;
  std::optional<WriteData> written;  // none where it goes ahead to the miss queue
  rtl::Expr set_index, tag;
  Named beside = {};  // sideband and extras

  // `field`: of the sideband (hw/sideband_params.h), or an Extra.
  template <class Field>
  const rtl::Expr& operator[](const Field& field) const {
    return of_name(beside, field.name, "no request carries");
  }
};

// The next request to look up, which is the probe's own once more when the set index has moved.
struct Entering {
  rtl::Expr moves, comes;  // the stage takes the next request, if one comes
  rtl::Expr enters;        // one is looked up
  rtl::Expr set_index, tag, mask;
  rtl::Condition rehashed;   // it is the probe's own
  rtl::Condition back;       // it was parked, and comes back
  rtl::Expr read, read_set;  // a set is read, where requests are compared in a stage of their own
};

// What the MSHR file says of the probe's line.
struct Entry {
  rtl::Expr match, poisoned, mergeable, has_free;
  std::optional<rtl::Expr> pending;   // chunks on their way, where lines do not come as a whole
  std::optional<rtl::Expr> waits;     // a load of the probe's warp may not wait in it, where warps differ
  std::optional<rtl::Expr> searched;  // its line is searched for, where lines are

  const rtl::Expr& holds_loads() const { return waits ? *waits : poisoned; }
};

// An answer to a fetch.
struct Fill {
  rtl::Expr valid, set_index, installs, mask, data;
  rtl::Expr found;  // it comes, and its chunks may be found
};

// The waiting load on offer.
struct Replay {
  rtl::Expr ready, set_index, id, mask;
  rtl::Expr line, late;  // of its line; a store may have gone before a second fetch; with protected data
  // With protected RAMs of the MSHR file: what is stored of it cannot be corrected; was corrected.
  rtl::Condition wrong, corrected;
};

// Reads of the data store that found wrong data, on their way to an answer (docs/contracts/l1d-ecc.md). Never
// where RAMs are not protected; reading again and correcting are of SECDED alone.
struct Recovery {
  rtl::Condition waits;                // one waits: no hit and no waiting load is answered
  rtl::Condition first_reads;          // the first of them is to be read again
  rtl::Expr set_index, way, id, mask;  // of the first
  rtl::Condition reads;                // it is read
  rtl::Condition drop;                 // a line goes
  rtl::Expr drop_set, drop_way;        // of that line; in shared ways with its chunks above
  std::optional<rtl::Expr> wrong;      // chunks read last with wrong data, of protected RAMs
  rtl::Condition corrects;             // what is read is being corrected
  rtl::Expr uncorrectable;             // chunks that could not be
};

// What the request comes to.
struct Decision {
  rtl::Expr load, other, changes_line;
  rtl::Condition drops;   // its line is to go, and nothing is sent
  rtl::Condition snoops;  // it snoops its line
  rtl::Condition held;    // a store to a line that is searched for, which waits
  rtl::Condition passes;  // a load that is not looked up
  rtl::Expr hit;          // all that it looks for is valid
  rtl::Expr fetches;      // it fetches chunks: these, where lines do not come as a whole
  std::optional<rtl::Expr> missed;
  rtl::Condition some_present;  // chunks of the line that it looks for are valid or on their way
};

// Whose turn it is to be answered, and who asks beside the tag store.
struct Turn {
  rtl::Expr free, hit, replay, direct;
  rtl::Expr direct_asks;
  rtl::Condition may_read = rtl::Condition::always();  // the data store answers hits and waiting loads
};

struct Answers {
  rtl::Expr hit_asks, replay_asks, hit, replay;
  rtl::Expr takes;               // the answer stage can take an answer, if only that of the probe
  rtl::Condition snoop;          // the probe is answered, which is no load
  rtl::Expr free, replay_shown;  // the answer stage is free; it would be no hit that it shows
  // Ways, or slots, that the hit and the replay would read, where lines share ways with their valid chunks
  // above; where lines have ways of their own, whether the replay frees its entry.
  rtl::Expr hit_way, replay_way, replay_frees;
};

// Data that is read as a request enters the tag-lookup stage, of a cache that answers hits there.
struct ReadAhead {
  rtl::Condition there;    // that of the probe has been read
  rtl::Condition answers;  // and it is a hit, which is answered in this cycle
  rtl::Condition may;      // the answer stage will be empty: the next request's data may be read
};

// Where a load that is no hit would wait.
struct Waiting {
  rtl::Expr no_hit, merge, new_entry;
  rtl::Expr leaves;   // a load that was looked up leaves
  rtl::Expr fetches;  // it fetches
};

// Why a load that is no hit cannot wait: the first cause alone.
struct Causes {
  rtl::Expr waits;  // it is no hit
  rtl::Expr line, mshr, merge;
  rtl::Condition none_yet;  // it is not known yet; for the counters
};

// What a store writes into its line; nothing where stores write into none.
struct StoreWrite {
  rtl::Expr wanted;                 // chunks with bytes to write, if no load
  rtl::Expr chunks;                 // chunks that the cache holds, and may write
  rtl::Condition waits;             // a bank of theirs is taken
  std::optional<rtl::Expr> writes;  // they are written
};

// What the request changes as it leaves.
struct Commit {
  rtl::Condition refused;        // a load that finds no line gets none
  rtl::Condition bypass;         // a load asks memory for itself
  rtl::Condition bypass_wanted;  // a load is to do so rather than wait for a line, an entry or an MSHR target
  rtl::Condition stalled;        // and it does
  rtl::Condition passed;         // a load bypasses that is not looked up
  rtl::Condition closed;         // one does since a policy gives it no line
  rtl::Expr load;                // a load, but for those
  rtl::Expr merge, new_entry, touch, load_fires, fire, poison, push;
  rtl::Expr changes;     // a store, an atomic or a drop leaves
  rtl::Expr invalidate;  // and its line goes, as far as it is there
  rtl::Expr counted;     // which counts as an invalidation
};

// Where lines lie, if in ways, one-hot.
struct WaysUsed {
  rtl::Expr probe, fill;  // of the probe's line or for it; of the fill
  rtl::Expr matches;      // the former holds the line, or waits for it
  rtl::Expr reserved;     // ways of the probe's set that MSHR entries own; where some may be closed
  rtl::Expr empties;      // a store that leaves empties the line's way
};

struct ProbeStage {
  Request request;
  rtl::Expr present;  // it is there, and looked up under the index as it is
  Entering next;
  Entry entry;
  Fill fill;
  Replay replay;
  Decision decision;
  ReadAhead ahead;
  Answers answers;
  StoreWrite store;
  Commit commit;
  std::optional<rtl::Expr> open_ways;  // ways of the probe's set that may take a line, where not all may
  rtl::Expr queue_not_full;            // the miss queue has one
  rtl::Expr flush;
  Recovery recovery;
};

}  // namespace hw
