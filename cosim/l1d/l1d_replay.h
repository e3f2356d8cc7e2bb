// Replays a recording at the ports of a cache, with a memory of one 32-byte chunk a cycle and 100 cycles of
// latency: requests in order, each once the answers have come that came before it.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "cosim/l1d/controls_stimulus.h"
#include "cosim/l1d/l1d_driver.h"
#include "cosim/l1d/l1d_recording.h"
#include "cosim/l1d/mechanism_traffic.h"
#include "golden/gpu/next_level.h"
#include "golden/l1d/port_latency.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dReplay final : public L1dDriver {
 public:
  enum class Manner { plain, back_pressure, uncached };  // uncached: every request is of kind 3

  // Throws golden::TraceError, with the position in the recording, when the cache cannot take it.
  static void check(const L1dRecording& recording, const hw::L1dParams& params);
  // Of one that it can take. Recordings know of no degrees: where the cache reads them, they and all that
  // steers it are drawn, and so with any field of the sideband that a mechanism sets.
  L1dReplay(const L1dRecording& recording, const hw::L1dParams& params, Manner manner,
            const golden::CycleL1d& cache);

  bool drive(golden::L1dIn& in) override;
  void clock(const golden::L1dIn& in, const golden::L1dOut& out, const L1dSeen& seen) override;
  void fill(L1dLines& lines) const override;
  const Mismatch* wrong() const override { return wrong_.port.empty() ? nullptr : &wrong_; }
  // From the first cycle behind the reset to the last answer.
  std::int64_t cycles() const { return cycle_ - 1; }
  const golden::PortLatency& latency() const { return latency_; }

 private:
  void answered(std::uint32_t id, const L1dSeen& seen);
  void fail(std::string what, std::uint64_t got, std::uint64_t want);
  void draw_sideband(golden::L1dIn& in, bool waits);
  std::uint32_t mask_of(std::uint32_t recorded) const;

  const L1dRecording& recording_;
  const hw::L1dParams params_;
  const Manner manner_;
  const golden::CycleL1d& cache_;
  golden::PortLatency latency_;
  L1dLines initial_;
  golden::NextLevel memory_;
  std::mt19937_64 draw_{1};
  std::int64_t cycle_ = 0, last_progress_ = 0;
  std::size_t next_ = 0, answers_in_order_ = 0, answered_ = 0, fence_ = 0;
  std::vector<std::uint8_t> has_answer_;  // by request
  std::vector<std::size_t> request_of_;   // by id
  bool offered_ = false, taken_ = false, response_shown_ = false;
  golden::LineData response_{};
  MechanismStimuli mechanisms_;  // that set fields of the sideband
  ControlsStimulus controls_;
  golden::Controls shown_;
  hw::Sideband sideband_ = {};
  Mismatch wrong_;
};

}  // namespace verif
