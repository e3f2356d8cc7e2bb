// Upsets of protected RAMs of data and of tags, and those of rows that exist once: bits of a code word flip
// at random times in a cache and in its model, as many as the code promises to notice: one, two adjacent, two
// anywhere (docs/contracts/l1d-ecc.md).
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/row_upsets.h"
#include "cosim/l1d/tag_upsets.h"
#include "cosim/l1d/upset_fates.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class L1dUpsets {
 public:
  // As in a cache with this protection; `checked`: it is one.
  L1dUpsets(const hw::L1dParams& params, const hw::EccParams& ecc, const SeenState& seen,
            golden::CycleL1d& golden, std::uint64_t seed);
  bool checked() const { return checked_; }

  // Before a cycle: now and then an upset of both sides.
  void cycle();
  // After the outputs of the cycle. `is_wrong`: the response that is checked has a wrong byte, where anybody
  // knows.
  void watch(const golden::L1dOut& out, const std::function<bool()>& is_wrong = {});
  Goals goals() const;
  std::vector<std::string> lines() const;
  // The run has failed in this cycle, at this port: notes the array of which an upset was silent, if it was
  // one.
  void blame(const std::string& port);
  // Effects of the upsets, array by array; JSON text. `wrong_answers`: loads that had a wrong byte, of a
  // cache without checks.
  std::string json(std::int64_t wrong_answers) const;

 private:
  enum Event { wrong_hit, wrong_replay, wrong_twice, wrong_snoop, line_stays, slow_read, events };

  // A word of the data RAM.
  struct Word {
    unsigned set = 0, slot = 0, word = 0;
  };
  Word chosen_word();
  unsigned any(int count) { return static_cast<unsigned>(draw_() % static_cast<unsigned>(count)); }
  unsigned words_of_slot() const;
  void upset_data();
  void flip(const Word& at, const golden::CodeWord& bits);
  void watch_data(const golden::L1dOut& out, const std::function<bool()>& is_wrong);

  std::size_t number(const Word& at) const;
  void settle(const golden::Recovery::Load& load, std::int64_t UpsetFates::*fate);

  const hw::L1dParams params_;
  const hw::EccParams ecc_;
  const bool checked_;
  golden::CycleL1d& golden_;
  L1dDraw draw_;
  std::vector<const SeenRam*> banks_;  // by slot; those of way 0, of way 1 ... where lines lie in ways
  UpsetFates data_fates_;
  std::array<std::int64_t, events> events_{};
  std::optional<TagUpsets> tags_;
  std::optional<RowUpsets> rows_;  // of waiting loads and queued requests
  std::int64_t wrong_ = 0, wrong_loads_ = 0, corrected_ = 0, refetched_ = 0, uncorrectable_ = 0;
};

}  // namespace verif
