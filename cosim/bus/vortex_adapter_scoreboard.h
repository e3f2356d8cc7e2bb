// What an adapter owes its core, by its ports alone: each load is answered once, on its port, with its tag
// and its own word; stores never; and a fence goes on when all is answered and the cache is flushed.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "cosim/bus/bus_ports.h"

namespace verif {

class VortexAdapterScoreboard {
 public:
  using BusRequest = golden::BusRequest;
  using Message = golden::Message;

  explicit VortexAdapterScoreboard(const hw::VortexAdapterParams& p) : p_(p) {}

  void reset() { at_cache_.clear(), flushed_ = false, fence_.reset(); }

  // A request of the core is taken, and is shown to the cache as `shown`, or to memory if it is a fence.
  std::string taken(std::size_t port, const BusRequest& r, const Message* shown, const BusRequest* passed) {
    if (fence_) return "a request behind a fence that waits";
    if (r.flush) return fence(port, r, passed);
    if (!shown) return "a request that the cache does not see";
    if (at_cache_.contains(shown->id)) return "an id that is not free";
    at_cache_[shown->id] = {port, r};
    if (golden::writes(*shown) != r.rw) return "a load for a store, or a store for a load";
    return bytes(r, *shown);
  }
  std::string flushes() {
    if (!at_cache_.empty()) return "a flush before all is answered";
    flushed_ = true;
    return "";
  }
  // The cache's answer is taken; `answers` are those to the core in this cycle.
  std::string answered(const Message& m, const std::array<std::optional<golden::BusAnswer>, 4>& answers) {
    const auto found = at_cache_.find(m.id);
    if (found == at_cache_.end()) return "an answer to nobody";
    const auto [port, r] = found->second;
    at_cache_.erase(found);
    if (r.rw) return answers[port] ? "an answer to a store" : "";
    if (!answers[port]) return "an answer that is lost";
    if (answers[port]->tag != r.tag) return "another tag";
    for (unsigned b = 0; b < word(); ++b)
      if (enabled(r.byte_enable, b) && byte_of(answers[port]->data, b) != byte_of(m.data, in_line(r, b)))
        return "another word";
    return "";
  }
  // An answer to the core without one of the cache.
  std::string alone(std::size_t port, const golden::BusAnswer& answer) {
    if (!fence_ || fence_->first != port || fence_->second != answer.tag) return "an answer to no fence";
    fence_.reset();
    return "";
  }

 private:
  unsigned word() const { return static_cast<unsigned>(hw::word_bytes(p_)); }
  unsigned in_line(const BusRequest& r, unsigned byte) const {
    return static_cast<unsigned>((r.address * word() + byte) % static_cast<unsigned>(p_.line_bytes));
  }

  std::string fence(std::size_t port, const BusRequest& r, const BusRequest* passed) {
    if (!passed || !passed->flush) return "a fence that memory does not see";
    if (!flushed_) return "a fence without a flush";
    flushed_ = false;
    if (!r.rw) fence_ = {port, r.tag};
    return passed->byte_enable == golden::ByteMask{} ? "" : "a fence that writes";
  }

  std::string bytes(const BusRequest& r, const Message& shown) const {
    const std::uint64_t line = static_cast<std::uint64_t>(p_.line_bytes);
    if (shown.address / line != r.address * word() / line) return "another line";
    golden::ByteMask left = shown.byte_enable;
    for (unsigned b = 0; b < word(); ++b) {
      const unsigned there = in_line(r, b);
      if (!enabled(r.byte_enable, b)) continue;
      if (!(shown.mask >> there / static_cast<unsigned>(p_.chunk_bytes) & 1))
        return "a byte outside the mask";
      if (!r.rw) continue;
      if (!enabled(left, there) || byte_of(shown.data, there) != byte_of(r.data, b)) return "another byte";
      left[there / 64] &= ~(std::uint64_t{1} << there % 64);
    }
    return left == golden::ByteMask{} ? "" : "a byte that nobody writes";
  }

  hw::VortexAdapterParams p_;
  std::map<std::uint64_t, std::pair<std::size_t, BusRequest>> at_cache_;  // by id: port, request
  bool flushed_ = false;
  std::optional<std::pair<std::size_t, std::uint64_t>> fence_;  // port, tag
};

}  // namespace verif
