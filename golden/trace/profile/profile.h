// The behaviour of a trace in any L1 caches: coalescing, reuse, sharing, use of lines, working set.
// docs/workloads.md defines each figure.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "golden/trace/trace_source.h"

namespace golden {

struct ProfileOptions {
  int sms = 16;
  int line_bytes = 128;
  std::uint64_t cache_bytes = 16 << 10;  // of the caches that figures of one size are of
};

// Where a load's line was touched before, within the kernel.
enum class Locality : std::uint8_t { intra_warp, inter_warp, inter_cta, inter_core, none };
inline constexpr std::array<const char*, 5> locality_names{"intra_warp", "inter_warp", "inter_cta",
                                                           "inter_core", "none"};

struct PcProfile {
  std::uint64_t loads = 0, requests = 0, misses = 0;
  std::uint64_t foreign = 0;  // of the misses, found in the cache of another SM
};

struct IndexProfile {
  std::string name;
  std::uint64_t misses = 0;           // of 4 ways
  std::vector<std::uint64_t> by_set;  // requests

  double sets_in_use() const;  // (sum n)^2 / sum n^2
};

struct Profile {
  std::string name;
  ProfileOptions options;
  std::uint64_t loads = 0, stores = 0, atomics = 0, non_l1 = 0;  // instructions of warps
  std::uint64_t requests = 0;                                    // lines that the loads touch
  std::uint64_t lines = 0;                                       // distinct ones of loads, over all kernels
  std::uint64_t misses = 0, foreign = 0;                         // fully associative, of cache_bytes
  std::array<std::uint64_t, 5> locality{};                       // requests, by Locality
  std::vector<std::uint64_t> degrees;                            // loads that touch n lines
  std::vector<std::uint64_t> distances;  // requests by reuse distance: 0, 1, 2 and 3, 4 to 7, ...
  // Lines that left a cache of cache_bytes, by how many of their quarters were touched, and touched again.
  std::array<std::uint64_t, 5> used_quarters{}, reused_quarters{};
  // Lines of an SM in a kernel, by the requests for them: 1, 2, 3, 4 and more.
  std::array<std::uint64_t, 4> lines_by_requests{};
  std::uint64_t evicted = 0, used_words = 0;  // 32nds of a line that were touched, of all these
  // Misses that another SM's cache could serve, by the distance to the CTA that touched the line there: 1, 2,
  // 3 and 4, 5 to 8, ...
  std::vector<std::uint64_t> cta_distances;
  std::map<std::uint32_t, PcProfile> pcs;
  std::vector<IndexProfile> indices;

  // Misses of a fully associative cache of that size, which is a power of two of lines.
  std::uint64_t misses_at(std::uint64_t bytes) const;
  double requests_per_load() const;
  double miss_rate() const;
  double replication_ratio() const;  // of the misses
  double used_share() const;         // of the bytes of lines that left
  double wide_loads() const;         // loads that touch more than two lines
};

// Reads the trace to its end.
Profile profile(TraceSource& trace, const ProfileOptions& options = {});

// What the papers' criteria make of it.
struct ProfileClass {
  std::string paper, word, why;
};
std::vector<ProfileClass> classes(const Profile& profile);

}  // namespace golden
