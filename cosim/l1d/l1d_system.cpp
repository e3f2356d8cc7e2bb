#include "cosim/l1d/l1d_system.h"

#include <algorithm>
#include <utility>

#include "cosim/l1d/l1d_scoreboard.h"
#include "golden/gpu/system/gap_trace.h"
#include "golden/gpu/two_nodes.h"

namespace verif {

using golden::CycleCause;
using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;
using Access = golden::MemorySide::Access;

namespace {

golden::SystemFrontEnd::CacheSide cache_side(const hw::L1dParams& p) {
  return {.line_bytes = p.line_bytes,
          .chunk_bytes = p.chunk_bytes,
          .address_bits = p.address_bits,
          .id_bits = std::min(p.core_id_bits, L1dScoreboard::most_id_bits),
          .limit = p.limit};
}

std::unique_ptr<golden::MemorySide> memory_of(const SystemAround& around, const hw::L1dParams& p) {
  if (around.two_nodes)
    return golden::for_lines(std::make_unique<golden::TwoNodes>(
                                 golden::TwoNodesParams{.sms = around.params.sms,
                                                        .line_bytes = golden::L2Params::line_bytes,
                                                        .chunk_bytes = golden::L2Params::sector_bytes}),
                             around.params.sms, p.line_bytes, p.chunk_bytes);
  return golden::for_lines(std::make_unique<golden::SystemMemory>(around.params), around.params.sms,
                           p.line_bytes, p.chunk_bytes);
}

}  // namespace

SystemCore::SystemCore(L1dSystem& system, int number, const hw::L1dParams& params, int hit_delay,
                       const MakeGate& make_gate)
    : system_(system),
      number_(number),
      params_(params),
      sources_(params),
      sm_(system.gpu_.sm(number)),
      port_(sm_, hit_delay),
      stores_(params),
      bytes_(params.line_bytes, params.chunk_bytes, golden::MemoryBytes::scrambled) {
  if (!make_gate) return;
  gate_ = std::make_unique<ComparedGate>(make_gate(), params.limit);
  sm_.gate_by(*gate_);
}

void SystemCore::offer(const golden::GpuRequest& request, bool past, L1dIn& in) {
  stores_.offer(request, in);
  if (past && request.request.kind == RequestKind::load) in.core_request_kind = RequestKind::non_l1;
}

bool SystemCore::drive(L1dIn& in) {
  in = {};
  in.rst = reset_;
  in.core_response_ready = true;
  if (reset_) return true;
  waits_for_ = loads_wait_for();
  if (const golden::GpuRequest* const request = port_.offer())
    if (const Access access = system_.memory_->access(request->request.address); access != Access::waits)
      offer(*request, access == Access::uncached, in);
  in.flush_valid = port_.wants_flush();
  sources_.drive(in.monitor_inputs, sm_, *system_.memory_, system_.gpu_.kernel_started());
  system_.memory_->drive(number_, in);
  answer_with_bytes(in);
  return true;
}

void SystemCore::answer_with_bytes(L1dIn& in) {
  if (!in.memory_response_valid || in.memory_response_mask == 0) return;
  const auto held = read_.find(in.memory_response_id);
  if (held != read_.end()) {
    response_ = held->second;  // it stays past the edge, where the entry does not
    in.memory_response_data = &response_;
  } else {
    wrong_ = {.port = "memory_response_id, which the cache did not ask for", .dut = in.memory_response_id};
  }
}

void SystemCore::clock(const L1dIn& in, const L1dOut& out, const L1dSeen& seen) {
  moved_ = false;
  if (in.rst) return;
  if (in.core_request_valid && seen.core_request_ready) {
    port_.accepted(static_cast<std::uint32_t>(in.core_request_id));
    stores_.taken();
    moved_ = true;
  }
  if (seen.core_response_valid) {
    if (out.response_of_lookup) port_.hit(seen.core_response_id);
    port_.answered(seen.core_response_id);
    moved_ = true;
  }
  if (in.flush_valid && seen.flush_ready) port_.flushed();
  if (params_.limit.kind == hw::LimitKind::adaptive)
    port_.limit_to(static_cast<int>(seen.decisions["limit"]));
  system_.memory_->take(number_, in, out);
  keep_bytes(in, out);
}

// What its cache reads is what memory holds when the request leaves it.
void SystemCore::keep_bytes(const L1dIn& in, const L1dOut& out) {
  if (in.memory_response_valid && out.memory_response_ready) read_.erase(in.memory_response_id);
  if (in.memory_request_ready && out.memory_request_valid) bytes_.apply(out, &read_[out.memory_request_id]);
}

void SystemCore::behind(const golden::CycleL1d& model) {
  if (std::exchange(reset_, false)) return;
  port_.fired(model.last_event());
  const auto& probe = model.last_probe();
  if (probe.fired && probe.kind == RequestKind::load)
    system_.memory_->load_left(golden::is_miss(probe.result));
  port_.release();
  sm_.tick();
  const bool stalled = probe.occupied && !probe.fired;
  ++causes_[golden::cycle_cause(sm_.last_cycle(), stalled ? probe.stall : golden::Stall::none, waits_for_)];
  if (gate_ && !gate_->wrong().port.empty()) wrong_ = gate_->wrong();
}

CycleCause SystemCore::loads_wait_for() const {
  if (!system_.own_) return CycleCause::below;
  const auto oldest = system_.own_->oldest_read(number_);
  return oldest ? golden::cause_at(*oldest) : CycleCause::l1;
}

L1dSystem::L1dSystem(const std::string& trace, const hw::L1dParams& params, const SystemAround& around,
                     const MakeGate& make_gate)
    : params_(params),
      source_(golden::open_instructions(trace)),
      gpu_(*source_, around.params, cache_side(params)),
      memory_(memory_of(around, params)),
      own_(golden::own_memory_of(*memory_)) {
  for (int n = 0; n < around.params.sms; ++n)
    cores_.push_back(std::make_unique<SystemCore>(*this, n, params, around.hit_delay, make_gate));
}

void L1dSystem::end_cycle() {
  memory_->tick();
  gpu_.tick();
  if (gpu_.kernel_ended() && own_) own_->kernel_ends();
  ++cycles_;
  if (std::ranges::any_of(cores_, [](const auto& core) { return core->moved(); })) last_progress_ = cycles_;
}

}  // namespace verif
