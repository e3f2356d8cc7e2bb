// What a DynEB controller's decisions are called in reports (DC-L1 thesis, chapter 4;
// docs/contracts/shared-l1.md).
#pragma once
#include "golden/cache/history.h"
#include "golden/shared/dyneb.h"

namespace golden {

// Words by DynebCause, and one more for the beginning.
inline History organisation_history() {
  return {
      .name = "organisation_history",
      .key = "organisation",
      .title = "Organisation",
      .words = {"private: few misses", "private: no access of even sets", "private: no access of odd sets",
                "private: a tie", "private: worse", "shared", "samples"}};
}
inline constexpr int organisation_samples = 6;

// A controller moves on from a phase, with what it has counted in that.
inline void note_organisation(History& history, std::uint64_t loads, const hw::DynebParams& p,
                              Dyneb::Phase before, const DynebSample& sample, Dyneb::Phase now) {
  using Phase = Dyneb::Phase;
  if (before == Phase::sample && now != Phase::sample)
    history.note(loads, static_cast<int>(compared(p, sample)));
  if (before == Phase::drain_to_sample && now == Phase::sample) history.note(loads, organisation_samples);
}

}  // namespace golden
