// What the L2 slices, the DRAM channels and the networks of a system count.
#pragma once
#include <cstdint>

namespace golden {

struct L2Counters {
  std::uint64_t accesses = 0, hits = 0, misses = 0;  // of requests, of sectors where those are split
  std::uint64_t fails = 0;                           // cycles in which one found nothing to reserve
  std::uint64_t bytes_in = 0;                        // of sectors read or written
  std::uint64_t missed_bytes = 0, written_back = 0;

  void add(const L2Counters& other);
};

struct DramCounters {
  std::uint64_t reads = 0, writes = 0;  // column accesses
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
  std::uint64_t busy_cycles = 0;                    // command cycles of the bus
  std::uint64_t bytes_read = 0, bytes_written = 0;  // of reads and writes

  void add(const DramCounters& other);
};

struct SystemMemoryFigures {
  L2Counters l2;
  DramCounters dram;
  std::uint64_t request_flits = 0, reply_flits = 0;  // of a system's own crossbars
  std::uint64_t requests = 0, answers = 0;           // that left the L1s, and that came back
  std::uint64_t bytes_down = 0;                      // of sectors read or written
};

}  // namespace golden
