// The same step for each of many numbers, on all cores or so many at a time.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace gen {

// The first error is thrown when all steps that have begun are over; no more begin.
template <class Step>
void in_parallel(std::size_t count, const Step& step,
                 std::size_t most = std::thread::hardware_concurrency()) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    try {
      for (std::size_t n = next++; n < count; n = next++) step(n);
    } catch (...) {
      next = count;
      throw;
    }
  };
  std::vector<std::future<void>> workers;
  for (std::size_t w = 0; w < std::clamp<std::size_t>(most, 1, count + 1); ++w)
    workers.push_back(std::async(std::launch::async, work));
  for (auto& worker : workers) worker.wait();
  for (auto& worker : workers) worker.get();
}

}  // namespace gen
