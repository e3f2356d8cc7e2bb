// Settings of an L1 data cache with few lines and everything scarce, for tests of its protected RAMs.
#pragma once
#include <string>
#include <vector>

namespace verif {

inline std::vector<std::string> scarce_l1d(const std::string& code, const std::vector<std::string>& more) {
  std::vector<std::string> all{code,
                               "geometry.capacity_bytes=2048",
                               "geometry.line_bytes=64",
                               "geometry.chunk_bytes=16",
                               "geometry.ways=2",
                               "mshr.entries=4",
                               "mshr.merges=3",
                               "mshr.miss_queue=3",
                               "core.id_bits=5"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace verif
