// How the papers sort programs, applied to a profile.
#include <fmt/format.h>

#include "golden/trace/profile/profile.h"

namespace golden {

namespace {

// Shares of the requests: first touches on an SM, and what a fully associative cache and one of 4 ways with
// the conventional index miss beyond them.
struct MissKinds {
  double compulsory, capacity, conflict;
};

MissKinds miss_kinds(const Profile& p) {
  const auto requests = static_cast<double>(p.requests);
  const auto first = static_cast<double>(p.locality[static_cast<std::size_t>(Locality::inter_core)] +
                                         p.locality[static_cast<std::size_t>(Locality::none)]);
  const auto full = static_cast<double>(p.misses), sets = static_cast<double>(p.indices[0].misses);
  return {first / requests, (full - first) / requests, (sets - full) / requests};
}

ProfileClass misses_of(const Profile& p) {
  const MissKinds kinds = miss_kinds(p);
  constexpr double much = 0.1, most = 0.5;
  const bool conflicts = kinds.conflict > much, thrashes = kinds.capacity > much;
  const char* const word = conflicts && thrashes     ? "conflicting and thrashing"
                           : conflicts               ? "conflicting"
                           : thrashes                ? "thrashing"
                           : kinds.compulsory > most ? "streaming"
                                                     : "friendly";
  return {
      "ACI thesis", word,
      fmt::format("of the requests {:.1f} % are first touches, {:.1f} % miss for capacity and {:.1f} % for "
                  "conflicts; the thesis states no bounds, here 50, 10 and 10 %",
                  100 * kinds.compulsory, 100 * kinds.capacity, 100 * kinds.conflict)};
}

}  // namespace

std::vector<ProfileClass> classes(const Profile& p) {
  if (p.requests == 0) return {};
  std::vector<ProfileClass> out;
  out.push_back({"BUCL", p.wide_loads() > 0.1 ? "un-coalesced" : "coherent",
                 fmt::format("{:.1f} % of the loads touch more than two lines; un-coalesced above 10 %",
                             100 * p.wide_loads())});
  const double replicated = p.replication_ratio();
  out.push_back(
      {"DC-L1 thesis, chapter 3", replicated > 0.3 ? "inter-core locality" : "little inter-core locality",
       fmt::format("another L1 could serve {:.1f} % of the misses; locality above 30 %", 100 * replicated)});
  const double larger =
      static_cast<double>(p.misses_at(16 * p.options.cache_bytes)) / static_cast<double>(p.requests);
  const double fewer = p.misses ? 1 - larger / p.miss_rate() : 0;
  const bool sensitive = replicated > 0.1 && p.miss_rate() > 0.5 && fewer > 0.05;
  out.push_back(
      {"DC-L1 thesis, chapter 4", sensitive ? "sensitive to replication" : "not sensitive to replication",
       fmt::format("{:.1f} % replicated (above 10 %), {:.1f} % misses (above 50 %), {:.1f} % fewer misses "
                   "with 16 times the size (above 5 %, in place of the thesis' speed-up)",
                   100 * replicated, 100 * p.miss_rate(), 100 * fewer)});
  out.push_back(misses_of(p));
  return out;
}

}  // namespace golden
