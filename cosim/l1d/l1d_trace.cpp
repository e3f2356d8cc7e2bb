#include "cosim/l1d/l1d_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "golden/trace/open/open_trace.h"

namespace verif {

using golden::L1dIn;
using golden::L1dOut;
using golden::RequestKind;

namespace {

constexpr std::int64_t longest_kernel_wait = 1'000'000;  // cycles without an answer or a request taken

golden::GpuParams gpu_of(const hw::L1dParams& p, const std::string& scheduler) {
  golden::GpuParams gpu;
  gpu.scheduler = golden::scheduler_named(scheduler);
  gpu.line_bytes = p.line_bytes;
  gpu.chunk_bytes = p.chunk_bytes;
  gpu.address_bits = p.address_bits;
  gpu.id_bits = std::min(p.core_id_bits, L1dScoreboard::most_id_bits);
  gpu.limit = p.limit;
  return gpu;
}

}  // namespace

L1dTrace::L1dTrace(const std::string& trace, const hw::L1dParams& params, const CosimOptions& options,
                   const MakeGate& make_gate)
    : params_(params),
      sources_(params),
      source_(golden::open_trace(trace)),
      front_(*source_, gpu_of(params, options.scheduler)),
      memory_({.line_bytes = params.line_bytes,
               .chunk_bytes = params.chunk_bytes,
               .latency = options.below.latency,
               .bank_bytes = options.below.bytes},
              golden::NextLevel::scrambled),
      stores_(params) {
  const auto require = [](bool ok, const std::string& rule) {
    if (!ok) throw std::runtime_error(rule);
  };
  require(!hw::follows_unit(params.bypass),
          fmt::format("bypass.{}.follow = true waits for inputs that nobody drives in a trace; leave it out",
                      hw::traits_of(params.bypass.kind).name));
  const int slots = params.limit.scope == hw::LimitScope::core ? 48 : 24;
  require(params.limit.kind == hw::LimitKind::none || params.limit.warps == slots,
          fmt::format("limit.warps = {} is not what an SM here has of this scope; use {}", params.limit.warps,
                      slots));
  if (!make_gate) return;
  gate_ = std::make_unique<ComparedGate>(make_gate(), params.limit);
  front_.sm(0).gate_by(*gate_);
}

void TraceStores::offer(const golden::GpuRequest& request, L1dIn& in) {
  in.core_request_valid = true;
  in.core_request_id = request.id;
  in.core_request_kind = request.request.kind;
  in.core_request_address = request.request.address;
  in.core_request_mask = request.request.mask;
  in.core_request_sideband = hw::take_sideband(hw::sideband_bits(params_), request.request.sideband);
  // Kind 3 is a load past the cache.
  if (request.request.kind == RequestKind::load || request.request.kind == RequestKind::non_l1) return;
  if (!std::exchange(prepared_, true)) {
    enables_ = {};
    for (int byte = 0; byte < params_.line_bytes; ++byte)
      if (request.request.mask >> byte / params_.chunk_bytes & 1)
        enables_[static_cast<std::size_t>(byte / 64)] |= std::uint64_t{1} << byte % 64;
    ++stores_;
    for (int w = 0; w < params_.line_bytes / 8; ++w)
      data_[static_cast<std::size_t>(w)] = stores_ * 0x9e3779b97f4a7c15 + static_cast<unsigned>(w);
  }
  in.core_request_byte_enable = &enables_;
  in.core_request_data = &data_;
}

bool L1dTrace::drive(L1dIn& in) {
  if (front_.done() && memory_.idle()) return false;
  in = {};
  in.rst = cycle_ == 0;
  if (!in.rst) {
    golden::Sm& sm = front_.sm(0);
    if (const golden::GpuRequest* request = sm.offer()) stores_.offer(*request, in);
    in.flush_valid = sm.wants_flush();
    sources_.drive(in.monitor_inputs, sm, memory_, front_.kernel_started());
  }
  in.core_response_ready = true;
  memory_.drive(in);
  if (in.memory_response_data) {
    response_ = *in.memory_response_data;  // the memory may use the field again before the edge
    in.memory_response_data = &response_;
  }
  return true;
}

void L1dTrace::clock(const L1dIn& in, const L1dOut& out, const L1dSeen& seen) {
  golden::Sm& sm = front_.sm(0);
  const bool taken = in.core_request_valid && seen.core_request_ready;
  if (!in.rst) {
    if (taken) {
      sm.accepted(in.core_request_id);
      stores_.taken();
    }
    if (seen.core_response_valid) sm.answered(seen.core_response_id);
    if (in.flush_valid && seen.flush_ready) sm.flushed();
    if (params_.limit.kind == hw::LimitKind::adaptive) sm.limit_to(static_cast<int>(seen.decisions["limit"]));
    issued_ += sm.issued_lanes();
    front_.tick();
    if (gate_ && !gate_->wrong().port.empty()) wrong_ = gate_->wrong();
    if (taken || seen.core_response_valid) last_progress_ = cycle_;
    if (cycle_ - last_progress_ > longest_kernel_wait) {
      wrong_.port = "requests that are never answered";
      wrong_.dut = 1;
    }
  }
  memory_.edge(in, out);
  ++cycle_;
}

}  // namespace verif
