// Which of what an L1 data cache has came into use in a lock step: each MSHR entry in each state, each way of
// each set, each row of the miss queue, each bit of what is stored and compared.
#pragma once
#include <cstdint>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/l1d/close_lines.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dFillingWatch {
 public:
  explicit L1dFillingWatch(const hw::L1dParams& params);

  // Before the edge, and behind it. `filled`: the entry that a fill of this cycle is for, ~0u without one.
  void before(const golden::L1dIn& in, const golden::L1dOut& out, const golden::CycleL1d& golden,
              unsigned filled);
  void behind(const golden::CycleL1d& golden);
  void reset();
  // Adds its goals; `ids`: requests in flight at most.
  void goals(Goals& seen, const golden::CycleL1d& golden, unsigned ids) const;

 private:
  // A stored word: bits seen 0, bits seen 1, and bits that were once the only difference at a lookup.
  struct Word {
    std::uint64_t zeros = 0, ones = 0, alone = 0;
    void store(std::uint64_t value) {
      zeros |= ~value;
      ones |= value;
    }
  };
  struct Entry {
    std::int64_t allocated = 0, poisoned = 0, flushed = 0, full = 0;
  };
  // Words of one kind, of so many bits each.
  struct Words {
    unsigned bits = 0;
    std::vector<Word> words = {};
    // All bits of the first `count` were seen 0 and 1; each was once the only difference.
    bool toggled(std::size_t count) const;
    bool alone(std::size_t count, std::uint64_t but = 0) const;
  };

  void look_up(const golden::CycleL1d& golden);
  void compare_entries(std::uint64_t block, const golden::CycleL1d& golden);
  void compare_tags(std::uint64_t block, const golden::CycleL1d& golden);
  void compare_slots(std::uint64_t block, const golden::CycleL1d& golden);
  void compare(Words& tags, std::size_t number, std::uint64_t stored, std::uint64_t asked);

  const hw::L1dParams params_;
  const CloseLines lines_;
  const bool in_ways_;
  std::vector<Entry> entries_;
  Words entry_words_;     // tag of each entry, and its set above that
  Words tags_, private_;  // of ways, or of what stands for them; the second of slots of split tags
  Words rows_;            // of the miss queue: addresses
  std::vector<std::int64_t> filled_;  // by set and way, or by set
  std::size_t next_row_ = 0;
  std::uint64_t lookups_ = 0;
  bool entries_done_ = false, tags_done_ = false;  // nothing is left to look for
};

}  // namespace verif
