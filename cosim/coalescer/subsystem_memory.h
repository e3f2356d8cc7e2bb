// The memory behind an L1 subsystem: requests take effect as they are taken. Random traffic is answered in
// any order, a trace's with the latency and the bandwidth of `explore`.
#pragma once
#include <map>
#include <optional>

#include "cosim/noc/dc_traffic.h"
#include "golden/gpu/next_level.h"
#include "golden/topology/dc_l1_node.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class SubsystemMemory {
 public:
  struct Shown {
    bool request_ready = false;
    std::optional<golden::Message> response = {};
  };

  explicit SubsystemMemory(const hw::L1dParams& p) : p_(p) {}

  void follow_trace(const golden::Below& below) {
    timed_.emplace(golden::NextLevelParams{.line_bytes = p_.line_bytes,
                                           .chunk_bytes = p_.chunk_bytes,
                                           .latency = below.latency,
                                           .bank_bytes = below.bytes});
  }
  void new_phase(std::mt19937_64& draw) {
    slow_ = std::array<std::uint64_t, 4>{1, 2, 8, 40}[draw() % 4];
    stall_ = std::array<std::uint64_t, 4>{0, 1, 4, 7}[draw() % 4];
  }

  // What it drives in this cycle.
  Shown next(std::mt19937_64& draw) {
    if (timed_) {
      golden::L1dIn in;
      timed_->drive(in);
      Shown shown{.request_ready = in.memory_request_ready};
      if (in.memory_response_valid) shown.response = answers_.at(in.memory_response_id);
      return shown;
    }
    slice_.next(draw, slow_);
    Shown shown{.request_ready = draw() % 8 >= stall_};
    if (slice_.shown()) shown.response = *slice_.shown();
    return shown;
  }

  // The response of this cycle never comes.
  void drop() { slice_.taken(); }

  // What the cache showed.
  void edge(bool rst, const Shown& shown, const golden::L1dOut& out) {
    const bool taken = !rst && shown.response && out.memory_response_ready;
    const auto request = rst || !shown.request_ready ? std::nullopt : golden::memory_request(out);
    if (timed_) {
      golden::L1dIn in;
      timed_->drive(in);
      in.rst = rst;
      timed_->edge(in, out);
      if (taken) answers_.erase(shown.response->id);
      if (request) answers_[request->id] = applied(bytes_, *request, p_.line_bytes);
    } else {
      if (taken) slice_.taken();
      if (request) slice_.accept(bytes_, *request, p_.line_bytes);
    }
    if (!rst) return;
    slice_.reset();
    answers_.clear();
    bytes_.clear();
  }

 private:
  hw::L1dParams p_;
  ByteMemory bytes_;
  SliceMemory slice_;
  std::uint64_t slow_ = 1, stall_ = 0;
  std::optional<golden::NextLevel> timed_;
  std::map<std::uint64_t, golden::Message> answers_;  // of traces, by id
};

}  // namespace verif
