// Checks the rules of hw/rtl/stream.h on one stream, cycle by cycle; the bench may drive either side.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace verif {

// `Fields`: all fields of a beat, comparable with ==.
template <class Fields>
class StreamMonitor {
 public:
  // What the stream shows in a cycle, before its edge. The rule that it breaks, or nothing.
  std::string cycle(bool valid, bool ready, const Fields& fields) {
    std::string broken;
    if (waiting_ && !valid) broken = "valid fell before the transfer";
    if (waiting_ && valid && fields != *waiting_) broken = "fields changed before the transfer";
    if (probed_ && *probed_ != std::pair(valid, valid ? fields : Fields{}))
      broken = "valid or fields depend on ready";
    waiting_.reset();
    probed_.reset();
    if (valid && !ready) waiting_ = fields;
    transfers_ += valid && ready;
    stalls_ += valid && !ready;
    return broken;
  }

  // What the stream shows with the opposite ready; called before cycle(), which must show the same.
  void probe(bool valid, const Fields& fields) { probed_ = std::pair(valid, valid ? fields : Fields{}); }

  void reset() {
    waiting_.reset();
    probed_.reset();
  }

  std::int64_t transfers() const { return transfers_; }
  std::int64_t stalls() const { return stalls_; }

 private:
  std::optional<Fields> waiting_;
  std::optional<std::pair<bool, Fields>> probed_;
  std::int64_t transfers_ = 0, stalls_ = 0;
};

}  // namespace verif
