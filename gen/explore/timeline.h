// How the miss rate of a cache went in the course of a run, and its picture beside what its monitors decided.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "golden/l1d/history.h"
#include "golden/l1d/l1d_types.h"

namespace gen {

// Parts of a run with about as many loads each. There are never many: as it goes on, each two become one.
class Timeline {
 public:
  struct Part {
    std::uint64_t loads = 0, misses = 0;
    std::uint64_t cycles = 0, issued = 0;  // timed: thread instructions of memory instructions
  };

  // The counters so far.
  void watch(const golden::L1dCounters& c) {
    if (c.loads - loads_ >= width_) take(c);
  }
  // The same at the end of a cycle in which so much was issued.
  void watch(const golden::L1dCounters& c, unsigned issued) {
    ++cycles_;
    issued_ += issued;
    watch(c);
  }
  void finish(const golden::L1dCounters& c) {
    if (c.loads != loads_) take(c);
  }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  void take(const golden::L1dCounters& c);

  std::vector<Part> parts_;
  std::uint64_t width_ = 64, loads_ = 0, misses_ = 0;
  std::uint64_t cycles_ = 0, issued_ = 0;  // of the part to come
};

// One of the configurations that ran the same trace.
struct TimelineRun {
  std::string name;  // as it may stand in a picture
  const char* colour;
  const Timeline* timeline;
  const std::vector<golden::History>* histories;
};

// In SVG: miss rates over the loads, a line a configuration, and below it what the monitors of each decided.
// Begins at height `y` and leaves it at its end.
struct TimelineArea {
  int label, left, width;
};
std::string timeline_chart(const std::string& trace, const std::vector<TimelineRun>& runs,
                           const TimelineArea& area, int& y);

}  // namespace gen
