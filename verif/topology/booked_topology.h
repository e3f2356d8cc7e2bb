// A golden topology by itself, held against the scoreboard of its cores: random requests, and memory behind
// slices that answers in any order.
#pragma once
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "cosim/noc/dc_traffic.h"
#include "golden/topology/topology.h"

namespace verif {

class BookedTopology {
 public:
  BookedTopology(const hw::TopologyParams& p, std::unique_ptr<golden::Topology> golden, std::uint64_t seed)
      : p_(p), golden_(std::move(golden)), draw_(seed), memory_side_(at(p.shape.slices)) {
    const DcShape shape{p.l1d.address_bits, p.l1d.line_bytes, p.l1d.chunk_bytes,
                        p.l1d.core_id_bits, p.shape.cores,    4};
    for (int c = 0; c < p.shape.cores; ++c) cores_.emplace_back(shape, c);
    requests_.resize(cores_.size());
    in_.rst = true;
    golden_->outputs(in_);
    golden_->edge(in_);
    in_.rst = false;
  }

  // What the scoreboard first find wrong in so many cycles.
  std::optional<Difference> run(std::int64_t cycles) {
    for (std::int64_t n = 0; n < cycles; ++n)
      if (const auto wrong = cycle()) return wrong;
    return {};
  }
  // No more requests: what is found wrong until all are answered.
  std::optional<Difference> drain() {
    quiet_ = true;
    for (int n = 0; n < 100'000 && std::ranges::any_of(cores_, &DcCore::waits); ++n)
      if (const auto wrong = cycle()) return wrong;
    for (const DcCore& core : cores_)
      if (core.waits()) return Difference{"requests without an answer", 1, 0};
    return {};
  }

  std::int64_t answers() const { return answers_; }
  const golden::Topology& golden() const { return *golden_; }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  void drive() {
    if (phase_.next(draw_))
      for (DcCore& core : cores_) core.new_phase(draw_);
    flushing_ = flushing_ || (!quiet_ && once_in(draw_, 4000));
    in_.flush_valid = flushing_;
    for (std::size_t c = 0; c < cores_.size(); ++c) {
      if (!quiet_) requests_[c] = cores_[c].next(draw_);
      in_.request[c] = requests_[c] ? &*requests_[c] : nullptr;
      in_.response_ready[c] = quiet_ || cores_[c].response_ready(draw_);
    }
    for (std::size_t s = 0; s < memory_side_.size(); ++s) {
      memory_side_[s].next(draw_, 8);
      in_.slice_response[s] = memory_side_[s].shown();
      in_.slice_request_ready[s] = !once_in(draw_, 8);
    }
  }

  std::optional<Difference> cycle() {
    drive();
    const golden::TopologyOut& out = golden_->outputs(in_);
    std::optional<Difference> wrong;
    for (std::size_t c = 0; c < cores_.size(); ++c) {
      if (out.response[c] && in_.response_ready[c]) {
        if (const auto d = cores_[c].answered(*out.response[c]); d && !wrong) wrong = d;
        ++answers_;
      }
      if (in_.request[c] && out.request_ready[c]) {
        cores_[c].accepted(now_);
        requests_[c].reset();
      }
    }
    for (std::size_t s = 0; s < memory_side_.size(); ++s) {
      if (in_.slice_response[s] && out.slice_response_ready[s]) memory_side_[s].taken();
      if (out.slice_request[s] && in_.slice_request_ready[s])
        memory_side_[s].accept(memory_, *out.slice_request[s], p_.l1d.line_bytes);
    }
    if (flushing_ && out.flush_ready) flushing_ = false;
    golden_->edge(in_);
    ++now_;
    return wrong;
  }

  const hw::TopologyParams p_;
  std::unique_ptr<golden::Topology> golden_;
  std::mt19937_64 draw_;
  Phase phase_;
  std::vector<DcCore> cores_;
  std::vector<SliceMemory> memory_side_;
  ByteMemory memory_;
  golden::TopologyIn in_;
  std::vector<std::optional<golden::Message>> requests_;
  bool flushing_ = false, quiet_ = false;
  std::int64_t now_ = 0, answers_ = 0;
};

}  // namespace verif
