// A set of the decoupled sectored cache (Seznec, ISCA 1994): the lines that share its ways, what a load costs
// them, and which tag a new line takes. From docs/contracts/l1d-decoupled.md.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "golden/cache/tag_store.h"
#include "hw/l1d/l1d_params.h"

namespace golden {

// A tag entry with the chunks that are its line's; it stands for a line while it has one.
struct DecoupledEntry {
  std::uint64_t block = 0;
  std::uint32_t valid = 0;       // chunks that may be found
  std::uint32_t busy = 0;        // chunks on their way, or that a waiting load will read
  bool flushed = false;          // a flush came over it: it is found by nobody
  unsigned waits_in = no_entry;  // the MSHR entry of its busy chunks
  std::uint64_t touched = 0;     // when a load used it last

  std::uint32_t chunks() const { return valid | busy; }
  bool is_live() const { return chunks() && !flushed; }
};

// What a load's chunks cost others.
struct DecoupledCost {
  Lost lost;
  bool overwrites = false;    // another line that stays lost chunks, or its last ones
  bool takes_last = false;    // an overwritten line lost its last one
  bool from_waiting = false;  // an overwritten line has an MSHR entry
};

// Number e = j * ways + w is tag j of way w.
class DecoupledRules {
 public:
  explicit DecoupledRules(const hw::L1dParams& p)
      : ways(static_cast<unsigned>(p.ways)),
        tags(static_cast<unsigned>(p.decoupled.tags_per_way)),
        entries(ways * tags),
        victim_(p.decoupled.victim) {}

  using Set = std::span<DecoupledEntry>;
  using ConstSet = std::span<const DecoupledEntry>;

  unsigned way_of(unsigned e) const { return e % ways; }
  // Chunks of the way whose positions may not be taken.
  std::uint32_t busy(ConstSet set, unsigned way) const;
  // For a line without a tag that wants these chunks; none if nothing can be had.
  std::optional<unsigned> choose(ConstSet set, std::uint32_t missed) const;
  // Others of the way lose these chunks.
  DecoupledCost overwrite(Set set, unsigned e, std::uint32_t missed) const;
  // The last use of the loser that was used last, if the line took entry e; 0: nobody loses anything.
  std::uint64_t youngest_loser(ConstSet set, unsigned e, std::uint32_t missed) const;

  const unsigned ways, tags, entries;  // of a set, but for the tags of a way

 private:
  // Of the entries from, from + step, .. : the lowest without a line, else the one used longest ago.
  std::optional<unsigned> offer(ConstSet set, std::uint32_t missed, unsigned from, unsigned step) const;

  const hw::DecoupledVictim victim_;
};

}  // namespace golden
