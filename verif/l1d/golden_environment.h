// A core and a memory around the golden cycle model that behave as badly as the rules allow. The scoreboard
// of the lock step checks that the cache keeps to its own.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "cosim/l1d/l1d_memory.h"
#include "cosim/l1d/l1d_scoreboard.h"
#include "golden/l1d/cycle_l1d.h"
#include "golden/l1d/memory_ids.h"
#include "verif/l1d/golden_ports.h"
#include "verif/parameters/reuse_filter_parameters.h"

namespace verif {

// Chances in percent, a cycle.
struct Traffic {
  unsigned request = 80, response_ready = 80, memory_ready = 80, memory_answers = 60, flush = 1, change = 10;
  unsigned loads = 80, latency = 30, mode_change = 1;
};

// What a line is used for, so that everybody knows what it holds: `shared` ones are written by others, and
// each of their words is the number of the last change; `uncached` ones are for requests that bypass the
// cache.
enum class LineUse { cached, shared, uncached };
inline LineUse use_of(std::uint64_t address) {
  const auto drawn = (address / 32 + 1) * 0x9e3779b97f4a7c15 >> 60;
  return drawn < 3 ? LineUse::shared : drawn < 5 ? LineUse::uncached : LineUse::cached;
}

class GoldenEnvironment {
 public:
  GoldenEnvironment(const hw::L1dParams& params, std::uint64_t seed, Traffic traffic)
      : GoldenEnvironment(params, golden::CycleL1d::make(params), seed, traffic) {}
  // With a policy of the test's.
  GoldenEnvironment(const hw::L1dParams& params, std::unique_ptr<golden::Policy> policy, std::uint64_t seed,
                    Traffic traffic)
      : GoldenEnvironment(params, std::make_unique<golden::CycleL1d>(params, true, std::move(policy)), seed,
                          traffic) {
    scoreboard_.may_bypass();
  }

  void run(int cycles) {
    for (int i = 0; i < cycles && sound(); ++i) cycle(true);
  }
  void drain() {
    for (int i = 0; i < 20'000 && busy() && sound(); ++i) cycle(false);
    if (!sound()) return;
    EXPECT_FALSE(busy()) << "requests are left over";
    EXPECT_TRUE(cache.idle());
  }
  bool busy() const { return request_ || flushing_ || scoreboard_.outstanding() > 0 || !memory_.idle(); }

  const std::unique_ptr<golden::CycleL1d> owned;
  golden::CycleL1d& cache;
  std::map<golden::Stall, int> stalls;
  std::uint64_t fetches = 0, bypasses = 0;
  // Of a broken cache: changes to what it is given, and to what it drives.
  std::function<void(golden::L1dIn& given)> change_inputs = [](golden::L1dIn&) {};
  std::function<void(const golden::L1dIn& in, golden::L1dOut& out)> change_outputs = [](const golden::L1dIn&,
                                                                                        golden::L1dOut&) {};

 private:
  struct CoreRequest {
    golden::RequestKind kind;
    std::uint32_t id, mask;
    std::uint64_t address;  // of the line
    golden::ByteMask enable{};
    golden::LineData data{};
  };

  GoldenEnvironment(const hw::L1dParams& params, std::unique_ptr<golden::CycleL1d> made, std::uint64_t seed,
                    Traffic traffic)
      : owned(std::move(made)),
        cache(*owned),
        p_(params),
        draw_(seed),
        traffic_(traffic),
        memory_draw_(seed),
        memory_(params),
        scoreboard_(params) {
    memory_.behave({.most_latency = 1 + static_cast<int>(traffic.latency), .order = L1dMemory::Order::any});
    scoreboard_.others_write([](std::uint64_t line) { return use_of(line) == LineUse::shared; }, version_);
  }

  bool sound() const { return !broken_ && !testing::Test::HasFailure(); }

  void cycle(bool more) {
    drive(more);
    if (draw_.percent(10)) cache.outputs(something_else());  // which must change nothing
    golden::L1dIn given = in_;
    change_inputs(given);
    golden::L1dOut out = cache.outputs(given);
    change_outputs(in_, out);
    const L1dDifference& rule = scoreboard_.cycle(in_, as_ports(out));
    if (!rule.port.empty()) {
      broken_ = true;
      ADD_FAILURE() << "cycle " << memory_.now() << ": " << rule.port << std::hex << ": " << rule.dut
                    << " in place of " << rule.golden;
      return;
    }
    follow(out);
    const bool accepted = in_.core_request_valid && out.core_request_ready;
    cache.edge(given);
    if (accepted) request_.reset();
    if (const auto& probe = cache.last_probe(); probe.occupied && !probe.fired) ++stalls[probe.stall];
  }

  // What was transferred in this cycle.
  void follow(const golden::L1dOut& out) {
    const bool sent = out.memory_request_valid && in_.memory_request_ready,
               answered = in_.memory_response_valid && out.memory_response_ready;
    if (sent) count(out);
    memory_.clock(sent ? &out : nullptr, answered);
    if (answered) shown_ = false;
    if (in_.flush_valid && out.flush_ready) flushing_ = false;
  }

  void count(const golden::L1dOut& out) {
    const std::uint64_t address = out.memory_request_address;
    if (use_of(address) == LineUse::shared) memory_.lines().at(address).fill(version_);
    if (out.memory_request_kind != golden::RequestKind::load) return;
    ++(out.memory_request_id >> (golden::memory_id_bits(p_) - 1) ? bypasses : fetches);
  }

  void drive(bool more) {
    if (more && !request_ && draw_.percent(traffic_.request)) request_ = new_request();
    if (more && draw_.below(1000) < traffic_.flush) flushing_ = true;
    if (draw_.percent(traffic_.change)) ++version_;
    in_ = {};
    memory_.drive(in_, memory_draw_);
    shown_ |= draw_.percent(traffic_.memory_answers);
    in_.memory_response_valid &= shown_;
    shown_ = in_.memory_response_valid;
    in_.memory_request_ready = draw_.percent(traffic_.memory_ready);
    in_.core_response_ready = draw_.percent(traffic_.response_ready);
    in_.flush_valid = flushing_;
    if (draw_.percent(traffic_.mode_change))
      for (const hw::Control c : hw::all_controls) controls_[c] ^= 1;
    in_.controls = controls_;
    in_.core_request_valid = request_.has_value();
    if (!request_) return;
    in_.core_request_id = request_->id;
    in_.core_request_kind = request_->kind;
    in_.core_request_address = request_->address + draw_.below(static_cast<std::uint64_t>(p_.line_bytes));
    in_.core_request_mask = request_->mask;
    in_.core_request_byte_enable = &request_->enable;
    in_.core_request_data = &request_->data;
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
    if (scoreboard_.in_flight(request.id)) return std::nullopt;
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
        request.enable[static_cast<std::size_t>(i / 64)] |= std::uint64_t{1} << (i % 64);
    for (auto& word : request.data) word = draw_.bits();
    return request;
  }

  const hw::L1dParams p_;
  Draw draw_;
  const Traffic traffic_;
  L1dDraw memory_draw_;
  L1dMemory memory_;
  L1dScoreboard scoreboard_;
  std::optional<CoreRequest> request_;
  golden::Controls controls_;
  std::uint64_t version_ = 0;  // of the shared lines
  bool flushing_ = false, shown_ = false, broken_ = false;
  golden::L1dIn in_;
};

}  // namespace verif
