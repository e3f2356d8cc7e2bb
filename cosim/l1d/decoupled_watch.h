// What a lock step of an L1 data cache with decoupled sectored tags must come by beyond what any cache does.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cosim/l1d/axis_watch.h"
#include "golden/tags/decoupled_tags.h"

namespace verif {

class L1dDecoupledWatch final : public AxisWatch {
 public:
  explicit L1dDecoupledWatch(const hw::L1dParams& params)
      : AxisWatch(params), chosen_(static_cast<std::size_t>(params.ways)) {}

  void before(const golden::L1dIn& in, const golden::CycleL1d& golden, unsigned filled) override;
  void behind(const golden::CycleL1d& golden) override;
  void goals(std::map<std::string, std::int64_t>& seen, unsigned ids) const override;

 private:
  enum Event {
    way_shared,
    found_overwrites,
    new_overwrites,
    last_chunk_lost,
    several_lines_lost,
    costs_nobody,
    lost_while_waiting,
    failed_by_pending,
    failed_by_held,
    failed_by_flushed,
    poisoned_beside_live,
    flushed_beside_live,
    events
  };

  void see_set(const golden::CycleL1d& golden, unsigned set);
  void see_fail(const golden::CycleL1d& golden);

  std::array<std::int64_t, events> seen_{};
  std::vector<std::int64_t> chosen_;  // new lines, by way
};

}  // namespace verif
