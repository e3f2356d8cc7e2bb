// Loads whose read found wrong data in an L1 data cache with a protected data RAM, on their way to an answer
// (docs/contracts/l1d-ecc.md, "Recovery").
#pragma once
#include <cstdint>

#include "golden/cache/tag_store.h"

namespace golden {

class Recovery {
 public:
  struct Load {
    std::uint64_t id = 0, block = 0;
    std::uint32_t mask = 0, set = 0;
    Place place = nowhere;
    Slots slots{};
    bool replayed = false;
    bool late = false;   // a store may have gone to memory since
    bool stays = false;  // an MSHR entry has its line
  };

  explicit Recovery(bool corrects) : corrects_(corrects) {}

  void reset() { checks_ = has_next_ = has_first_ = failed_ = slow_ = known_ = snooped_wrong_ = false; }

  // The answer stage shows a read since this cycle; it was wrong.
  bool checks() const { return checks_; }
  bool found_wrong() const { return checks_ && wrong_; }
  const Load& checked() const { return checked_; }
  // Loads wait here.
  bool has_next() const { return has_next_; }
  bool has_first() const { return has_first_; }
  bool waits() const { return has_next_ || has_first_; }
  const Load& first() const { return first_; }
  const Load& next() const { return next_; }
  // The second read of the first one: to be done; in the answer stage and not known yet; known now.
  bool to_be_read() const { return corrects_ && has_first_ && !failed_ && !known_; }
  bool slow() const { return slow_; }
  bool corrected() const { return known_ && !beyond_; }
  bool beyond() const { return known_ && beyond_; }
  // The first one asks memory.
  bool fetches() const { return has_first_ && (failed_ || !corrects_); }

  // The answer in the answer stage is not given in this cycle, or never.
  bool withdrawn() const { return found_wrong() || beyond(); }
  bool withheld() const { return withdrawn() || slow_; }

  // The edge. `fetched`: the first one went to memory.
  bool moves(bool fetched) const { return has_next_ && (!has_first_ || fetched || corrected()); }
  void step(bool fetched) {
    const bool done = fetched || corrected(), wrong = found_wrong();
    if (beyond()) failed_ = true;
    if (moves(fetched)) {
      first_ = next_;
      has_first_ = true;
      has_next_ = failed_ = false;
    } else if (done) {
      has_first_ = false;
    }
    if (wrong) {
      next_ = checked_;
      has_next_ = true;
    }
    known_ = slow_;
    slow_ = checks_ = snooped_wrong_ = false;
  }
  // Behind step(): what the answer stage has taken.
  void read(const Load& load, bool wrong) {
    checks_ = true;
    checked_ = load;
    wrong_ = wrong;
  }
  void read_again(bool beyond) {
    slow_ = true;
    beyond_ = beyond;
  }
  void stays(bool stays) { checked_.stays = stays; }
  // A snoop has read a line with an error, and is answered that the line is not there.
  void snooped_wrong() { snooped_wrong_ = true; }
  bool has_snooped_wrong() const { return snooped_wrong_; }

 private:
  const bool corrects_;
  bool checks_ = false, wrong_ = false, has_next_ = false, has_first_ = false;
  bool failed_ = false, slow_ = false, known_ = false, beyond_ = false, snooped_wrong_ = false;
  Load checked_, next_, first_;
};

}  // namespace golden
