// Upsets of protected tags: bits of a code word flip at random times in the RAMs of a cache and in its model,
// and what the requests see that look at them (docs/contracts/l1d-ecc.md, "Tags").
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/harness/seen_state.h"
#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/upset_fates.h"
#include "golden/l1d/cycle_l1d.h"

namespace verif {

// Where an MSHR entry's line lies, which is looked at soon, or anywhere.
struct DrawnLine {
  unsigned set = 0, way = 0;
  bool of_entry = false;
};
DrawnLine drawn_line(const hw::L1dParams& params, const golden::CycleL1d& golden, L1dDraw& draw);

class TagUpsets {
 public:
  // As in a cache with this protection; `checked`: it is one.
  TagUpsets(const hw::L1dParams& params, hw::Protection protection, bool checked, const SeenState& seen,
            golden::CycleL1d& golden, L1dDraw& draw);

  // Before a cycle: now and then an upset of both sides.
  void cycle();
  // After the outputs of the cycle.
  void watch();
  void add_goals(Goals& goals) const;
  void add_lines(std::vector<std::string>& lines) const;
  // Some line goes in this cycle, since its tag is wrong, or waits for that.
  bool is_at_work() const;
  void blame();
  // The arrays' objects, as JSON text. `wrong_answers`: loads that had a wrong byte, of a cache without
  // checks.
  std::vector<std::string> json(std::int64_t wrong_answers) const;

 private:
  enum Event { emptied, emptied_own, kept_by_entry, beside_store, waits, events };
  // One of the model's, by its number there.
  struct Array {
    unsigned number = 0;
    golden::TagArray shape = {};
    std::vector<const SeenRam*> rams = {};
    UpsetFates fates = {};
    std::int64_t alike = 0;  // requests that would find another line without the check
  };

  unsigned any(unsigned count) { return static_cast<unsigned>(draw_() % count); }
  golden::TagWord chosen(const Array& array);
  void upset(Array& array);
  std::size_t number(const Array& array, const golden::TagWord& at) const;
  void settle(Array& array, unsigned set, std::uint64_t rams);

  const hw::L1dParams params_;
  const hw::Protection protection_;
  const bool checked_;
  golden::CycleL1d& golden_;
  L1dDraw& draw_;
  std::vector<Array> arrays_;
  std::array<std::int64_t, events> events_{};
};

}  // namespace verif
