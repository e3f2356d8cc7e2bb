// Faults of the memory below a cache that checks its answers: now and then one answer is wrong, doubled or
// missing, the cache must say so, and a reset ends it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "cosim/harness/report.h"
#include "cosim/l1d/l1d_draw.h"
#include "cosim/l1d/l1d_dut.h"
#include "golden/cache/l1d_types.h"
#include "golden/check/answer_check.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dMemoryFaults {
 public:
  L1dMemoryFaults(const hw::L1dParams& params, std::uint64_t seed);

  // A fault has begun and its reset has not come: the inputs are set here.
  bool running() const { return left_ > 0; }
  void drive(golden::L1dIn& in);
  // Now and then puts a fault in the place of memory's answer. True up to the reset behind it.
  bool alter(golden::L1dIn& in, const golden::AnswerCheck& check);
  // After the comparison of a cycle.
  void clock(const golden::L1dIn& in, const L1dSeen& seen);
  // A fault that the cache has not noticed, or null.
  const Mismatch* missed() const { return missed_ ? &*missed_ : nullptr; }
  Goals goals() const;

 private:
  enum Kind { never_made, doubled, other_id, id_in_use, id_of_other_mask, other_mask, dropped, kinds };
  using Answer = golden::AnswerCheck::Transfer;

  bool begin(golden::L1dIn& in, const golden::AnswerCheck& check);
  std::optional<Answer> wrong(Kind kind, const golden::L1dIn& in, const golden::AnswerCheck& check);
  std::optional<Answer> in_use(const Answer& right, bool same_mask, const golden::AnswerCheck& check);
  std::optional<Answer> not_in_use(const golden::AnswerCheck& check);
  void offer(golden::L1dIn& in) const;

  const hw::L1dParams params_;
  L1dDraw draw_;
  std::uint32_t all_chunks_;
  std::array<std::int64_t, kinds> seen_{};
  std::optional<Answer> last_;   // answer that was taken last
  bool stalled_ = false;         // memory's answer was offered before, and is not taken
  std::optional<Kind> planned_;  // as soon as there is a chance
  // The fault under way.
  Kind kind_ = never_made;
  int left_ = 0;  // cycles to the reset
  std::optional<Answer> offered_, then_;
  std::optional<Mismatch> missed_;
};

}  // namespace verif
