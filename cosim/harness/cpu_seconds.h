// The clock that speeds are measured by.
#pragma once
#include <time.h>

namespace verif {

// Processor time of this thread, so that other programs on the machine do not count.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace verif
