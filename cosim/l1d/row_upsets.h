// Upsets of the RAMs of waiting loads and of queued requests, whose rows exist once: bits of a word flip in a
// cache and in its model. What cannot be corrected stays until a reset, so such upsets come seldom, and half
// of the time none at all (docs/contracts/l1d-ecc.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/upset_fates.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

class RowUpsets {
 public:
  RowUpsets(const hw::L1dParams& params, const SeenState& seen, golden::CycleL1d& golden, std::uint64_t seed);

  // Before a cycle: now and then an upset of both sides.
  void cycle();
  // After the outputs of the cycle.
  void watch();
  void add_goals(Goals& goals) const;
  void add_lines(std::vector<std::string>& lines) const;
  // The run has failed in this cycle, at this port: notes the array that a wrong row was read of, if one was.
  void blame(const std::string& port);
  // The arrays' objects, as JSON text.
  std::vector<std::string> json() const;

 private:
  struct Array {
    golden::CycleL1d::RowArray which;
    std::string name;
    golden::ProtectedRows& rows;
    const SeenRam& ram;
    UpsetFates fates = {};
    std::int64_t wrong_without_check = 0;
    bool at_work = false;  // in the cycle before, the row that is looked at had a wrong bit
  };

  bool is_at_work(const Array& array) const;
  unsigned chosen_row(const Array& array);
  void upset(Array& array);
  void settle(Array& array);

  const hw::L1dParams params_;
  golden::CycleL1d& golden_;
  L1dDraw draw_;
  std::vector<Array> arrays_;
  std::int64_t cycles_ = 0;
};

}  // namespace verif
