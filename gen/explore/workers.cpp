#include "gen/explore/workers.h"

#include <utility>

namespace gen {

Workers::Workers(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(std::size_t parts, const std::function<void(std::size_t)>& part) {
  {
    const std::lock_guard lock(mutex_);
    part_ = &part;
    parts_ = parts;
    next_ = 0;
    busy_ = threads_.size();
    ++job_;
  }
  start_.notify_all();
  take_parts(part);
  std::unique_lock lock(mutex_);
  finish_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::take_parts(const std::function<void(std::size_t)>& part) {
  for (std::size_t i; (i = next_++) < parts_;) {
    try {
      part(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (failure_ && failed_part_ < i) continue;
      failure_ = std::current_exception();
      failed_part_ = i;
    }
  }
}

void Workers::work() {
  for (std::size_t seen = 0;;) {
    const std::function<void(std::size_t)>* part = nullptr;
    {
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || job_ != seen; });
      if (stop_) return;
      seen = job_;
      part = part_;
    }
    take_parts(*part);
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) finish_.notify_one();
  }
}

}  // namespace gen
