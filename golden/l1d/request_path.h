// The stages of an L1 data cache in front of the probe, and what requests with data carry along.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "golden/cache/decision.h"

namespace golden {

class RequestPath {
 public:
  struct Payload {
    ByteMask byte_enable;
    LineData data;
  };

  // `before`: stages in front of the tag-lookup stage. `payloads`: requests that can be under way with their
  // data; 0 = data is left out.
  RequestPath(int before, int payloads, unsigned words)
      : last_(before), words_(words), payloads_(static_cast<std::size_t>(payloads)) {}

  void reset() {
    stages_.fill({});
    aside_ = {};
    next_payload_ = 0;
  }

  const Held& probe() const { return stages_[last_]; }
  // The request that a snoop passes; the snoop is in the tag-lookup stage then.
  const Held& aside() const { return aside_; }
  // The stage in front of the tag-lookup stage; null where requests enter that at once.
  const Held* before_probe() const { return last_ ? &stages_[last_ - 1] : nullptr; }
  // At the last edge that stage has taken a request.
  bool arrived() const { return arrived_; }
  const Payload& payload(std::uint32_t n) const { return payloads_[n]; }
  bool empty() const {
    for (int i = 0; i <= last_; ++i)
      if (stages_[i].valid) return false;
    return true;
  }
  // Bubbles close: the first stage is free or becomes free when one from it on is empty, or the tag-lookup
  // stage is left to the next request.
  bool accepts(bool probe_fires, bool passes) const {
    for (int i = 0; i <= last_; ++i)
      if (!stages_[i].valid) return true;
    return passes || (probe_fires && !aside_.valid);
  }

  // None of the first `stages` holds a request.
  bool free_before(int stages) const {
    return std::none_of(stages_.begin(), stages_.begin() + stages, [](const Held& h) { return h.valid; });
  }

  // `passes`: a snoop comes in front of what stays in the tag-lookup stage, which has it back when the snoop
  // fires.
  void step(bool probe_fires, bool passes) {
    arrived_ = false;
    Held& probe = stages_[last_];
    if (passes) aside_ = probe;
    if (passes || probe_fires) probe.valid = false;
    if (probe_fires && aside_.valid) {
      probe = aside_;
      aside_.valid = false;
    }
    for (int i = last_; i > 0; --i)
      if (!stages_[i].valid && stages_[i - 1].valid) {
        stages_[i] = stages_[i - 1];
        stages_[i - 1].valid = false;
        arrived_ |= i == last_ - 1;
      }
  }
  void accept(const L1dIn& in, std::uint64_t block, std::uint32_t set) {
    stages_[0] = {.valid = true,
                  .kind = in.core_request_kind,
                  .id = in.core_request_id,
                  .mask = in.core_request_mask,
                  .set = set,
                  .payload = next_payload_,
                  .block = block,
                  .sideband = in.core_request_sideband};
    arrived_ |= last_ == 1;
    const bool writes = changes_memory(in.core_request_kind) || in.core_request_kind == RequestKind::non_l1;
    if (payloads_.empty() || !writes) return;
    Payload& payload = payloads_[next_payload_];
    if (++next_payload_ == payloads_.size()) next_payload_ = 0;
    payload.byte_enable = in.core_request_byte_enable ? *in.core_request_byte_enable : ByteMask{};
    if (in.core_request_data) std::copy_n(in.core_request_data->begin(), words_, payload.data.begin());
  }
  // All of them are looked up again.
  template <class SetOf>
  void reindex(SetOf set_of) {
    for (Held& request : stages_) request.set = set_of(request.block);
    aside_.set = set_of(aside_.block);
  }

 private:
  const int last_;
  const unsigned words_;          // of a line
  std::array<Held, 6> stages_{};  // those in front, then the tag-lookup stage
  Held aside_;
  bool arrived_ = false;
  std::vector<Payload> payloads_;  // ring of requests with data: they keep their order up to the memory
  unsigned next_payload_ = 0;
};

}  // namespace golden
