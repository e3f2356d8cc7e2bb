// Threads that share out the parts of a job and wait for each other at its end.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gen {

class Workers {
 public:
  explicit Workers(unsigned threads);  // the caller's own included; at least 1
  Workers(const Workers&) = delete;
  ~Workers();

  unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Calls part(0) to part(parts - 1), in any order and at the same time; returns when all have. Of
  // exceptions, that of the lowest part is thrown.
  void run(std::size_t parts, const std::function<void(std::size_t)>& part);

 private:
  void work();
  void take_parts(const std::function<void(std::size_t)>& part);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, finish_;
  const std::function<void(std::size_t)>* part_ = nullptr;
  std::size_t parts_ = 0, job_ = 0, busy_ = 0;
  std::atomic<std::size_t> next_ = 0;
  bool stop_ = false;
  std::size_t failed_part_ = 0;
  std::exception_ptr failure_;
};

}  // namespace gen
