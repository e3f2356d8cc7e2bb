// A line on a terminal that says how far a long run is; silent elsewhere.
#pragma once
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace gen {

inline constexpr std::size_t batch_size = 32768;          // requests of a list read at a time
inline constexpr std::uint64_t watch_requests = 1 << 18;  // requests between two looks at the clock

class Progress {
 public:
  Progress(std::string what, std::string unit, std::size_t parts);  // "explore", "requests"
  ~Progress();                                                      // clears the line

  // `share` of that part is done, 0 to 1, or negative when that cannot be known; `more` units since the last
  // call. May be called from any thread.
  void show(std::size_t part, double share, std::uint64_t more);

 private:
  std::string what_, unit_;
  bool terminal_, shown_ = false;
  std::mutex mutex_;
  std::vector<double> shares_;
  std::uint64_t count_ = 0;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace gen
