// Golden check of what comes back over AXI4: each B and R belongs to a write or read in flight, and each read
// ends with its last beat (ARM IHI 0022; docs/contracts/protocol-checks.md).
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "golden/check/late_request.h"
#include "hw/bus/axi4_bridge_params.h"

namespace golden {

class Axi4Check {
 public:
  struct Read {
    int place = 0, beats = 1;
  };
  struct R {
    std::uint32_t id = 0;
    bool last = false;
  };
  // What transfers in a cycle.
  struct Transfers {
    std::optional<int> write = {};  // entry of a write whose address and data are all sent
    std::optional<std::pair<std::uint32_t, Read>> read = {};  // by its ID
    std::optional<std::uint32_t> b = {};
    std::optional<R> r = {};
  };

  explicit Axi4Check(const hw::Axi4BridgeParams& p)
      : late_(std::uint64_t{1} << hw::axi_id_bits(p), p.check.timeout) {}

  void edge(const Transfers& t) {
    using hw::ProtocolError;
    const bool late = late_.step([this](std::uint64_t place) { return on_way(static_cast<int>(place)); });
    const ProtocolError b = t.b ? take(*t.b) : ProtocolError::none;
    const ProtocolError r = t.r ? take(*t.r) : ProtocolError::none;
    broken_ |= b != ProtocolError::none || r != ProtocolError::none;
    for (const ProtocolError found : {b, r, late ? ProtocolError::answer_late : ProtocolError::none})
      if (code_ == ProtocolError::none) code_ = found;
    if (t.write) writes_.insert(*t.write);
    if (t.read) reads_[t.read->first].push_back(t.read->second);
  }

  hw::ProtocolError code() const { return code_; }
  // An answer has come that breaks the rules.
  bool broken() const { return broken_; }
  std::uint64_t places() const { return late_.ids(); }
  bool writes(std::uint32_t id) const { return writes_.contains(static_cast<int>(id)); }
  bool reads(std::uint32_t id) const {
    const auto queue = reads_.find(id);
    return queue != reads_.end() && !queue->second.empty();
  }
  int beats(std::uint32_t id) const { return reads_.at(id).front().beats; }  // left of its oldest read

 private:
  hw::ProtocolError take(std::uint32_t b) {
    return writes_.erase(static_cast<int>(b)) ? hw::ProtocolError::none : hw::ProtocolError::write_unasked;
  }
  hw::ProtocolError take(const R& r) {
    if (!reads(r.id)) return hw::ProtocolError::read_unasked;
    Read& oldest = reads_[r.id].front();
    if (r.last != (oldest.beats == 1)) return hw::ProtocolError::read_last;
    if (--oldest.beats == 0) reads_[r.id].pop_front();
    return hw::ProtocolError::none;
  }
  bool on_way(int place) const {
    return writes_.contains(place) || std::ranges::any_of(reads_, [&](const auto& queue) {
             return std::ranges::count(queue.second, place, &Read::place) > 0;
           });
  }

  LateRequest late_;
  std::set<int> writes_;                             // entries
  std::map<std::uint32_t, std::deque<Read>> reads_;  // of each ID, in the order in which they were sent
  hw::ProtocolError code_ = hw::ProtocolError::none;
  bool broken_ = false;
};

}  // namespace golden
