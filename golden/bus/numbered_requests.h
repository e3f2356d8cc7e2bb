// Requests of a bus that a cache or memory has not answered, by their numbers.
#pragma once
#include <cstdint>
#include <map>

namespace golden {

// Requests on their way, numbered in turn.
template <class Kept>
class NumberedRequests {
 public:
  explicit NumberedRequests(int most) : most_(static_cast<std::uint64_t>(most)) {}

  std::uint64_t next() const { return count_ % most_; }
  bool not_full() const { return !open_.contains(next()); }
  bool empty() const { return open_.empty(); }
  // Of a number that nobody has, nothing in particular.
  Kept at(std::uint64_t number) const {
    const auto found = open_.find(number);
    return found == open_.end() ? Kept{} : found->second;
  }
  void take(const Kept& kept) { open_[next()] = kept, ++count_; }
  void release(std::uint64_t number) { open_.erase(number); }

 private:
  std::uint64_t most_, count_ = 0;
  std::map<std::uint64_t, Kept> open_;
};

}  // namespace golden
