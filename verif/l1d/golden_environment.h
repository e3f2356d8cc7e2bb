// A core and a memory around the golden cycle model that behave as badly as the rules allow, and check it:
// every request answered once and with the right bytes, requests sent on unchanged and in order, streams
// stable.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <optional>

#include "golden/l1d/cycle_l1d.h"
#include "verif/l1d/golden_memory.h"
#include "verif/tags/reuse_filter_parameters.h"

namespace verif {

// Chances in percent, a cycle.
struct Traffic {
  unsigned request = 80, response_ready = 80, memory_ready = 80, memory_answers = 60, flush = 1, change = 10;
  unsigned loads = 80, latency = 30, mode_change = 1;
};

class Surroundings {
 public:
  Surroundings(const hw::L1dParams& params, std::uint64_t seed, Traffic traffic)
      : Surroundings(params, golden::Policy::make(params), seed, traffic) {}
  // With a policy of the test's.
  Surroundings(const hw::L1dParams& params, std::unique_ptr<golden::Policy> policy, std::uint64_t seed,
               Traffic traffic)
      : owned(std::make_unique<golden::CycleL1d>(params, true, std::move(policy))),
        cache(*owned),
        p_(params),
        draw_(seed),
        traffic_(traffic) {}

  void run(int cycles) {
    for (int i = 0; i < cycles && !testing::Test::HasFailure(); ++i) cycle(true);
  }
  void drain() {
    for (int i = 0; i < 20'000 && busy() && !testing::Test::HasFailure(); ++i) cycle(false);
    EXPECT_FALSE(busy()) << "requests are left over";
    EXPECT_TRUE(cache.idle());
  }
  bool busy() const { return request_ || flushing_ || !under_way_.empty() || !memory_.answers.empty(); }

  const std::unique_ptr<golden::CycleL1d> owned;
  golden::CycleL1d& cache;
  std::map<golden::Stall, int> stalls;
  std::uint64_t fetches = 0, bypasses = 0, acknowledgements = 0;

 private:
  struct CoreRequest {
    golden::RequestKind kind;
    std::uint32_t id, mask;
    std::uint64_t address;  // of the line
    golden::ByteMask enable{};
    golden::LineData data{};
  };
  struct Expected {
    golden::RequestKind kind;
    std::uint32_t mask;
    std::uint64_t address, least_version;
    Bytes bytes;
  };

  void cycle(bool more) {
    drive(more);
    if (draw_.percent(10)) cache.outputs(something_else());  // which must change nothing
    out_ = cache.outputs(in_);
    check_streams();
    if (out_.core_response_valid && in_.core_response_ready) take_answer();
    if (out_.memory_request_valid && in_.memory_request_ready) take_memory_request();
    if (in_.memory_response_valid && out_.memory_response_ready) {
      memory_.answers.erase(memory_.answers.begin() + static_cast<long>(*answer_));
      answer_.reset();
    }
    if (in_.flush_valid && out_.flush_ready) {
      flushing_ = false;
      least_version_ = memory_.version;
    }
    if (in_.core_request_valid && out_.core_request_ready) accepted();
    cache.edge(in_);
    if (const auto& probe = cache.last_probe(); probe.occupied && !probe.fired) ++stalls[probe.stall];
    ++now_;
  }

  void drive(bool more) {
    if (more && !request_ && draw_.percent(traffic_.request)) request_ = new_request();
    if (more && draw_.below(1000) < traffic_.flush) flushing_ = true;
    if (draw_.percent(traffic_.change)) ++memory_.version;
    if (!answer_ && !memory_.answers.empty() && draw_.percent(traffic_.memory_answers)) {
      const size_t some = draw_.below(memory_.answers.size());
      if (memory_.answers[some].from <= now_) answer_ = some;
    }
    in_ = {};
    in_.core_response_ready = draw_.percent(traffic_.response_ready);
    in_.memory_request_ready = draw_.percent(traffic_.memory_ready);
    in_.flush_valid = flushing_;
    if (draw_.percent(traffic_.mode_change))
      for (const hw::Control c : hw::all_controls) controls_[c] ^= 1;
    in_.controls = controls_;
    in_.core_request_valid = request_.has_value();
    if (request_) {
      in_.core_request_id = request_->id;
      in_.core_request_kind = request_->kind;
      in_.core_request_address = request_->address + draw_.below(static_cast<std::uint64_t>(p_.line_bytes));
      in_.core_request_mask = request_->mask;
      in_.core_request_byte_enable = &request_->enable;
      in_.core_request_data = &request_->data;
    }
    in_.memory_response_valid = answer_.has_value();
    if (answer_) {
      in_.memory_response_id = memory_.answers[*answer_].id;
      in_.memory_response_mask = memory_.answers[*answer_].mask;
      answer_data_ = memory_.answers[*answer_].data;  // may move before the edge
      in_.memory_response_data = &answer_data_;
    }
  }

  golden::L1dIn something_else() {
    golden::L1dIn in = in_;
    in.core_request_valid = !in.core_request_valid;
    in.core_response_ready = !in.core_response_ready;
    in.memory_response_valid = false;
    in.flush_valid = !in.flush_valid;
    return in;
  }

  std::optional<CoreRequest> new_request() {
    CoreRequest request{};
    request.id = static_cast<std::uint32_t>(draw_.below(std::uint64_t{1} << std::min(p_.core_id_bits, 7)));
    if (under_way_.contains(request.id)) return std::nullopt;
    request.address =
        p_.tags == hw::TagKind::reuse_filter ? random_reuse_address(p_, draw_) : random_address(p_, draw_);
    request.mask = random_mask(p_, draw_);
    const LineUse use = use_of(request.address);
    if (use == LineUse::uncached)
      request.kind = golden::RequestKind::non_l1;
    else if (use == LineUse::cached && !draw_.percent(traffic_.loads))
      request.kind = draw_.percent(70) ? golden::RequestKind::store : golden::RequestKind::atomic;
    if (request.kind == golden::RequestKind::load) return request;
    const bool reads = request.kind == golden::RequestKind::non_l1 && draw_.percent(50);
    for (int i = 0; i < p_.line_bytes && !reads; ++i)
      if ((request.mask >> (i / p_.chunk_bytes) & 1) && draw_.percent(70))
        request.enable[i / 64] |= std::uint64_t{1} << (i % 64);
    for (auto& word : request.data) word = draw_.bits();
    return request;
  }

  // From here on, every request for the line sees this request's bytes.
  void accepted() {
    const auto& request = *request_;
    under_way_[request.id] = {request.kind, request.mask, request.address, least_version_,
                              view_.line(request.address)};
    if (request.kind != golden::RequestKind::load) {
      if (request.kind == golden::RequestKind::store ||
          (request.kind == golden::RequestKind::non_l1 && request.enable != golden::ByteMask{}))
        under_way_[request.id].mask = 0;
      view_.write(request.address, request.enable, request.data);
      to_come_.push_back(request);
    }
    request_.reset();
  }

  void take_answer() {
    const auto found = under_way_.find(out_.core_response_id);
    ASSERT_NE(found, under_way_.end()) << "cycle " << now_ << ": nobody asked " << out_.core_response_id;
    const Expected& expected = found->second;
    ASSERT_EQ(out_.core_response_mask, expected.mask) << "cycle " << now_;
    if (expected.mask == 0) ++acknowledgements;
    const bool shared = use_of(expected.address) == LineUse::shared;
    for (int i = 0; i < p_.line_bytes; ++i) {
      if (!(expected.mask >> (i / p_.chunk_bytes) & 1)) continue;
      if (shared) {
        const std::uint64_t word = (*out_.core_response_data)[i / 8];
        ASSERT_GE(word, expected.least_version) << "cycle " << now_ << ": found what a flush had dropped";
        ASSERT_LE(word, memory_.version);
      } else {
        ASSERT_EQ(byte_of(*out_.core_response_data, i), expected.bytes[i])
            << "cycle " << now_ << " byte " << i << " of " << std::hex << expected.address;
      }
    }
    under_way_.erase(found);
  }

  void take_memory_request() {
    ASSERT_EQ(out_.memory_request_address % static_cast<std::uint64_t>(p_.line_bytes), 0u);
    ASSERT_NE(out_.memory_request_mask, 0u);
    if (out_.memory_request_kind == golden::RequestKind::load && out_.memory_request_id >> id_bits()) {
      ++bypasses;
      const auto asker = under_way_.find(static_cast<std::uint32_t>(out_.memory_request_id & core_ids()));
      ASSERT_NE(asker, under_way_.end());
      ASSERT_EQ(asker->second.kind, golden::RequestKind::load);
      ASSERT_EQ(out_.memory_request_address, asker->second.address);
      ASSERT_EQ(out_.memory_request_mask, asker->second.mask);
    } else if (out_.memory_request_kind == golden::RequestKind::load) {
      ++fetches;
      const std::uint32_t line = ~0u >> (32 - hw::chunks_of_line(p_));
      ASSERT_TRUE(out_.memory_request_mask == line || p_.tags != hw::TagKind::conventional);
    } else {
      ASSERT_FALSE(to_come_.empty());
      const CoreRequest& sent = to_come_.front();
      ASSERT_EQ(out_.memory_request_kind, sent.kind);
      ASSERT_EQ(out_.memory_request_id & core_ids(), sent.id);
      ASSERT_EQ(out_.memory_request_address, sent.address);
      ASSERT_EQ(out_.memory_request_mask, sent.mask);
      ASSERT_EQ(*out_.memory_request_byte_enable, sent.enable);
      for (int i = 0; i < p_.line_bytes; ++i)
        ASSERT_TRUE(!enabled(sent.enable, i) ||
                    byte_of(*out_.memory_request_data, i) == byte_of(sent.data, i));
      to_come_.pop_front();
    }
    ASSERT_TRUE(memory_.accept(out_, now_ + draw_.below(traffic_.latency + 1))) << "two requests of one id";
  }

  std::uint64_t core_ids() const { return (std::uint64_t{1} << p_.core_id_bits) - 1; }
  // Of a memory id, without the bit that distinguishes fetches from all others.
  int id_bits() const {
    const auto bits_for = [](int n) {
      return static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)));
    };
    return std::max(p_.core_id_bits, bits_for(p_.mshr_entries) +
                                         (hw::by_chunk(p_.tags) ? bits_for(hw::chunks_of_line(p_)) : 0));
  }

  // What was offered and not taken is offered again, unchanged.
  void check_streams() {
    if (answer_waits_) {
      ASSERT_TRUE(out_.core_response_valid);
      ASSERT_EQ(out_.core_response_id, before_.core_response_id);
      ASSERT_EQ(out_.core_response_mask, before_.core_response_mask);
      ASSERT_EQ(*out_.core_response_data, answer_before_);
    }
    if (request_waits_) {
      ASSERT_TRUE(out_.memory_request_valid);
      ASSERT_EQ(out_.memory_request_id, before_.memory_request_id);
      ASSERT_EQ(out_.memory_request_address, before_.memory_request_address);
      ASSERT_EQ(out_.memory_request_mask, before_.memory_request_mask);
    }
    ASSERT_TRUE(in_.memory_response_valid || !out_.memory_response_ready);
    answer_waits_ = out_.core_response_valid && !in_.core_response_ready;
    request_waits_ = out_.memory_request_valid && !in_.memory_request_ready;
    before_ = out_;
    if (answer_waits_) answer_before_ = *out_.core_response_data;
  }

  const hw::L1dParams p_;
  Draw draw_;
  const Traffic traffic_;
  OrderedMemory memory_;
  ByteLines view_;  // of the core: requests applied as they are accepted
  std::map<std::uint32_t, Expected> under_way_;
  std::deque<CoreRequest> to_come_;  // at the memory, in this order
  std::optional<CoreRequest> request_;
  std::optional<size_t> answer_;
  golden::Controls controls_;
  bool flushing_ = false, answer_waits_ = false, request_waits_ = false;
  std::uint64_t now_ = 0, least_version_ = 0;
  golden::L1dIn in_;
  golden::L1dOut out_, before_;
  golden::LineData answer_before_{}, answer_data_{};
};

}  // namespace verif
