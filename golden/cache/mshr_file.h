// The MSHR file of an L1 data cache: lines on their way, the loads that wait for each, and which entry's
// oldest load is looked at for an answer (docs/contracts/l1d.md, "Replay of waiting loads").
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "golden/cache/decision.h"
#include "golden/ecc/protected_rows.h"

namespace golden {

// One bit an entry: up to 128 of a core's cache, 1,024 of a node's (DC-L1).
class EntryBits {
 public:
  using Words = std::array<std::uint64_t, 16>;

  explicit EntryBits(std::size_t entries) : used_((entries + 63) / 64) {}

  const Words& words() const { return words_; }
  bool test(unsigned e) const { return words_[e / 64] >> (e % 64) & 1; }
  void set(unsigned e) { words_[e / 64] |= bit(e); }
  void clear(unsigned e) { words_[e / 64] &= ~bit(e); }
  bool any() const { return first_from(0) != no_entry; }
  void clear() { words_ = {}; }
  // The first at or after this one.
  unsigned first_from(unsigned e) const {
    std::uint64_t word = words_[e / 64] & ~std::uint64_t{0} << (e % 64);
    for (unsigned at = e / 64; at < used_;) {
      if (word) return at * 64 + static_cast<unsigned>(std::countr_zero(word));
      if (++at < used_) word = words_[at];
    }
    return no_entry;
  }

 private:
  static std::uint64_t bit(unsigned e) { return std::uint64_t{1} << (e % 64); }

  std::size_t used_;  // words
  Words words_{};
};

class MshrFile {
 public:
  struct Entry {
    std::uint64_t block = 0;
    std::uint32_t set = 0;
    std::uint32_t pending = 0;          // validity bits on their way
    std::uint32_t count = 0, head = 0;  // loads that wait, and the slot of the oldest
    bool poisoned = false, flushed = false;
    std::uint64_t stored = 0;  // warps that wait for it to end, a bit each: of its stores; all of an atomic
  };
  struct Target {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
  };

  MshrFile(int entries, int merges)
      : merges_(static_cast<unsigned>(merges)),
        entries_(static_cast<std::size_t>(entries)),
        targets_(entries_.size() * merges_),
        in_use_(entries_.size()),
        wake_(entries_.size()) {}

  // Its RAMs are protected: of MSHR targets, and of lines where there is one.
  void protect(hw::Protection protection, unsigned target_bits, unsigned line_bits) {
    const auto entries = static_cast<unsigned>(entries_.size());
    target_rows_.emplace(protection, target_bits, std::max(2u, entries << place_bits()));
    if (line_bits) line_rows_.emplace(protection, line_bits, std::max(2u, entries));
  }
  bool is_protected() const { return target_rows_.has_value(); }
  ProtectedRows* target_rows() { return target_rows_ ? &*target_rows_ : nullptr; }
  ProtectedRows* line_rows() { return line_rows_ ? &*line_rows_ : nullptr; }

  void reset();

  unsigned entries() const { return static_cast<unsigned>(entries_.size()); }
  unsigned merges() const { return merges_; }
  const Entry& operator[](unsigned e) const { return entries_[e]; }
  bool full(unsigned e) const { return entries_[e].count == merges_; }
  bool empty() const { return !in_use_.any(); }
  const EntryBits& in_use() const { return in_use_; }
  const EntryBits& wake() const { return wake_; }
  // Slot of the last waiting load of the entry that asks for the chunk; there is one.
  unsigned last_for(unsigned e, unsigned chunk) const;
  // The lowest that is not in use.
  unsigned free_entry() const;

  void take(unsigned e, std::uint64_t block, std::uint32_t set);
  void wait(unsigned e, Target target);
  void fetch(unsigned e, std::uint32_t chunks) { entries_[e].pending |= chunks; }
  void fill(unsigned e, std::uint32_t chunks) { entries_[e].pending &= ~chunks; }
  void poison(unsigned e, std::uint64_t warps) {
    entries_[e].poisoned = true;
    entries_[e].stored |= warps;
  }
  void flush();
  // Its oldest load is worth a look.
  void wake(unsigned e) { wake_.set(e); }
  void free(unsigned e);

  // The load that is looked at, if there is one.
  bool replays() const { return replay_valid_; }
  unsigned replayed_entry() const { return replay_entry_; }
  // What is stored of it cannot be corrected: it stays for ever. Was corrected.
  bool stuck() const {
    return replay_valid_ && ((target_rows_ && target_rows_->wrong()) || (line_rows_ && line_rows_->wrong()));
  }
  bool corrected() const {
    return replay_valid_ &&
           ((target_rows_ && target_rows_->corrected()) || (line_rows_ && line_rows_->corrected()));
  }
  const Target& replayed() const { return targets_[replay_entry_ * merges_ + entries_[replay_entry_].head]; }
  // The edge: that load parks, or has been answered, or is looked at again.
  void step_replay(bool parks, bool answered) {
    if (replay_valid_ ? parks || answered : wake_.any()) move_replay(parks, answered);
  }

 private:
  // A slot of a ring, at most once past its end.
  static unsigned wrapped(unsigned place, std::size_t size) {
    return place < size ? place : place - static_cast<unsigned>(size);
  }
  void move_replay(bool parks, bool answered);
  void read_rows(bool of_new_entry);
  unsigned place_bits() const { return static_cast<unsigned>(std::bit_width(merges_ - 1)); }
  unsigned row_of(unsigned e, unsigned place) const { return e << place_bits() | place; }
  unsigned next_to_replay() const {
    const unsigned after = wake_.first_from(replay_pointer_);
    return after == no_entry ? wake_.first_from(0) : after;
  }

  const unsigned merges_;
  std::vector<Entry> entries_;
  std::vector<Target> targets_;  // by entry, rings
  EntryBits in_use_, wake_;
  bool replay_valid_ = false;
  unsigned replay_entry_ = 0;  // counts while replay_valid_
  unsigned replay_pointer_ = 0;
  std::optional<ProtectedRows> target_rows_, line_rows_;
};

}  // namespace golden
