// What remote-core probing came to in a run (DC-L1 thesis, section 3.5).
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace golden {

struct RemoteFigures {
  std::uint64_t misses = 0;  // of loads
  // Those to lines that the core may have stored to, or in entries to which L2 owes a reply: the predictor is
  // not asked.
  std::uint64_t filtered = 0;
  std::uint64_t shared = 0;                       // of the others, those whose line another core had
  std::uint64_t searches = 0;                     // of the others, the ones taken to be shared
  std::uint64_t right = 0;                        // and were
  std::uint64_t probes = 0;                       // of all searches, leaders for candidates among them
  std::uint64_t by_leader = 0, by_candidate = 0;  // searches that found the line, by what found it
  // By core: lines that it sent to others, and lines that it could have sent.
  std::vector<std::uint64_t> supplied = {}, able = {};

  std::optional<std::uint64_t> stale_loads = {};  // with nothing that keeps them away

  // With time: searches that took too long, searches with a request to L2 and a line of another core; probes
  // that found the queue of arriving probes full, and the lost ones among them.
  struct Losses {
    std::uint64_t timed_out = 0, late = 0, deflected = 0, dropped = 0;
    bool operator==(const Losses&) const = default;
  };
  std::optional<Losses> losses = {};

  std::uint64_t served() const { return by_leader + by_candidate; }
  double precision() const { return part(right, searches); }
  double recall() const { return part(right, shared); }
  double probes_a_line() const { return part(probes, served()); }
  // The busiest core's over the idlest one's; 0 where one has none.
  static double imbalance(const std::vector<std::uint64_t>& by_core) {
    const auto [least, most] = std::ranges::minmax(by_core);
    return part(most, least);
  }
  bool operator==(const RemoteFigures&) const = default;

 private:
  static double part(std::uint64_t a, std::uint64_t b) {
    return b ? static_cast<double>(a) / static_cast<double>(b) : 0;
  }
};

}  // namespace golden
