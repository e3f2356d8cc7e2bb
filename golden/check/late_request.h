// Golden watch for requests without a response: one id after the other is looked at, one in flight until its
// response has come (docs/contracts/protocol-checks.md).
#pragma once
#include <cstdint>

namespace golden {

class LateRequest {
 public:
  LateRequest(std::uint64_t ids, int timeout) : ids_(ids), timeout_(timeout) {}

  std::uint64_t ids() const { return ids_; }

  // The edge; on_way(id): at the beginning of the cycle. True if the request that is looked at is late.
  template <class OnWay>
  bool step(const OnWay& on_way) {
    if (!timeout_) return false;
    if (!on_way(suspect_)) {
      suspect_ = (suspect_ + 1) % ids_;
      waited_ = 0;
      return false;
    }
    if (waited_ + 1 == timeout_) return true;
    ++waited_;
    return false;
  }

 private:
  std::uint64_t ids_, suspect_ = 0;
  int timeout_, waited_ = 0;
};

}  // namespace golden
