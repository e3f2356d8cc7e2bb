// A line on a terminal that says what a long step is at, and for how many seconds; nothing elsewhere.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace gen {

class StatusLine {
 public:
  explicit StatusLine(std::string what);
  ~StatusLine();  // clears the line

  // From now on; may be called from any thread.
  void at(const std::string& phase);

 private:
  void show();
  void tick(const std::stop_token& stop);

  const std::string what_;
  const bool terminal_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any stopped_;
  std::string phase_;
  std::chrono::steady_clock::time_point since_;
  std::jthread clock_;  // last: it uses all the others
};

}  // namespace gen
