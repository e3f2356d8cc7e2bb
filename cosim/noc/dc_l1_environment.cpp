// How kernels' requests, a topology and the memories behind it move, and what the scoreboard says of it.
#include "cosim/noc/dc_l1_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "golden/topology/kinds.h"
#include "golden/topology/replicas.h"
#include "golden/trace/open/open_trace.h"

namespace verif {
namespace {

constexpr std::uint64_t sample_loads = 1024;

std::size_t at(int n) { return static_cast<std::size_t>(n); }

golden::GpuParams gpu_params(const hw::TopologyParams& p, const std::string& scheduler) {
  return {.sms = p.shape.cores,
          .scheduler = golden::scheduler_named(scheduler),
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .address_bits = p.l1d.address_bits,
          .id_bits = p.l1d.core_id_bits};
}

}  // namespace

DcL1Environment::DcL1Environment(const hw::TopologyParams& params, const std::string& trace,
                                 const CosimOptions& options)
    : share_(params.l1d),
      pc_mask_(~std::uint32_t{0} >> (32 - params.remote.predictor.pc_bits)),
      cores_(params.shape.cores),
      source_(golden::open_trace(trace)),
      front_(*source_, gpu_params(params, options.scheduler)),
      requests_(at(cores_)),
      sends_(at(cores_)),
      flying_(at(cores_)),
      responses_(at(params.shape.slices)),
      memory_in_(at(params.shape.slices)),
      next_sample_(sample_loads) {
  const hw::PolicyTraits& policy = hw::traits_of(params.l1d.bypass.kind);
  if (policy.unit)
    throw std::runtime_error(fmt::format(
        "bypass.kind = {} waits for inputs that nobody drives in a trace; use mrpb", policy.name));
  for (int s = 0; s < params.shape.slices; ++s)
    memories_.emplace_back(golden::NextLevelParams{.line_bytes = share_.line_bytes,
                                                   .chunk_bytes = share_.chunk_bytes,
                                                   .latency = options.below.latency,
                                                   .bank_bytes = options.below.bytes},
                           golden::NextLevel::scrambled);
  result_.trace = trace;
  result_.caches.resize(at(golden::caches_of(params.shape)));
  result_.slice_requests.resize(memories_.size());
  in_.response_ready.fill(true);
  front_.tick();  // the cycle of the reset
}

bool DcL1Environment::over() const {
  return front_.done() && std::ranges::all_of(memories_, &golden::NextLevel::idle);
}

const golden::TopologyIn& DcL1Environment::drive() {
  in_.flush_valid = false;
  for (int c = 0; c < cores_; ++c) {
    golden::Sm& sm = front_.sm(c);
    in_.request[at(c)] = nullptr;
    in_.flush_valid = in_.flush_valid || sm.wants_flush();
    const golden::GpuRequest* offer = sm.offer();
    if (!offer) continue;
    if (!std::exchange(sends_[at(c)], true)) write(requests_[at(c)], *offer);
    in_.request[at(c)] = &requests_[at(c)];
  }
  for (std::size_t s = 0; s < memories_.size(); ++s) {
    golden::L1dIn& in = memory_in_[s] = {};
    memories_[s].drive(in);
    in_.slice_request_ready[s] = in.memory_request_ready;
    in_.slice_response[s] = nullptr;
    if (!in.memory_response_valid) continue;
    Message& m = responses_[s];
    m = {.id = in.memory_response_id, .mask = in.memory_response_mask};
    if (in.memory_response_data) m.data = *in.memory_response_data;
    in_.slice_response[s] = &m;
  }
  return in_;
}

std::optional<Mismatch> DcL1Environment::note(const golden::TopologyOut& shown,
                                              const golden::Topology& golden) {
  std::optional<Mismatch> wrong;
  for (int c = 0; c < cores_; ++c) {
    golden::Sm& sm = front_.sm(c);
    if (in_.request[at(c)] && shown.request_ready[at(c)]) accepted(c, golden);
    if (const Message* m = shown.response[at(c)]) {
      if (const auto d = answered(c, *m); d && !wrong) wrong = d;
      if (!wrong) sm.answered(static_cast<std::uint32_t>(m->id));
      progress_ = result_.cycles;
    }
    if (in_.flush_valid && shown.flush_ready) sm.flushed();
  }
  for (std::size_t s = 0; s < memories_.size(); ++s) move(s, shown);
  note_probes(golden);
  front_.tick();
  if (loads_ >= next_sample_) sample(golden);
  if (++result_.cycles - progress_ > 1'000'000 && !wrong)
    wrong = Mismatch{.port = "requests that are never answered", .dut = 1, .golden = 0};
  return wrong;
}

DcL1Result DcL1Environment::finish(const golden::Topology& golden) {
  sample(golden);
  result_.replicas = replicas_ / static_cast<double>(samples_);
  result_.figures = golden.figures();
  result_.figures.loads = load_time_;
  for (int n = 0; n < golden.caches(); ++n) {
    golden::L1dFigures& cache = result_.caches[at(n)];
    cache.collect(golden.cache(n));
    if (const golden::History* decisions = golden.decisions(n)) cache.histories.push_back(*decisions);
  }
  for (int c = 0; c < cores_; ++c) {
    const auto& cycles = front_.sm(c).cycles();
    result_.instructions += front_.sm(c).instructions();
    result_.cores.sending += cycles.sending;
    result_.cores.refused += cycles.refused;
    result_.cores.waiting += cycles.waiting;
    result_.cores.empty += cycles.empty;
  }
  return result_;
}

void DcL1Environment::write(Message& m, const golden::GpuRequest& offer) {
  const golden::Request& r = offer.request;
  m = {.kind = r.kind, .id = offer.id, .address = r.address, .mask = r.mask, .sideband = r.sideband};
  m.sideband.pc &= pc_mask_;
  if (r.kind == golden::RequestKind::load || r.kind == golden::RequestKind::non_l1) return;
  for (int byte = 0; byte < share_.line_bytes; ++byte)
    if (r.mask >> byte / share_.chunk_bytes & 1)
      m.byte_enable[at(byte / 64)] |= std::uint64_t{1} << byte % 64;
  ++stores_;
  for (int w = 0; w < share_.line_bytes / 8; ++w)
    m.data[at(w)] = stores_ * 0x9e3779b97f4a7c15 + static_cast<unsigned>(w);
}

void DcL1Environment::accepted(int c, const golden::Topology& golden) {
  const Message& m = requests_[at(c)];
  sends_[at(c)] = false;
  front_.sm(c).accepted(static_cast<std::uint32_t>(m.id));
  if (flying_[at(c)].size() <= m.id) flying_[at(c)].resize(m.id + 1);
  flying_[at(c)][m.id] = {m.kind, m.address, m.mask, true};
  const bool changes = m.kind == golden::RequestKind::store || m.kind == golden::RequestKind::atomic;
  if (changes) written_.insert(m.address);
  if (m.kind == golden::RequestKind::load) load_time_.comes(result_.cycles), ++loads_;
  result_.caches[at(golden.cache_of(c, m.address))].chunks_asked[static_cast<std::size_t>(m.kind)] +=
      static_cast<unsigned>(std::popcount(m.mask));
  progress_ = result_.cycles;
}

std::optional<Mismatch> DcL1Environment::answered(int c, const Message& m) {
  const auto name = [&](const char* what) { return fmt::format("core {}: {}, of the scoreboard", c, what); };
  if (m.id >= flying_[at(c)].size() || !flying_[at(c)][m.id].waits)
    return Mismatch{.port = name("id of an answer that nobody waits for"), .dut = m.id, .golden = 0};
  Flying& f = flying_[at(c)][m.id];
  f.waits = false;
  if (f.kind == golden::RequestKind::load) load_time_.leaves(result_.cycles);
  const std::uint32_t mask = f.kind == golden::RequestKind::store ? 0 : f.mask;
  if (m.mask != mask) return Mismatch{.port = name("mask"), .dut = m.mask, .golden = mask};
  if (written_.contains(f.address)) return {};
  for (unsigned w = 0; w < static_cast<unsigned>(share_.line_bytes) / 8; ++w) {
    const std::uint64_t want = golden::NextLevel::scrambled(f.address / 8 + w);
    if (mask >> w * 8 / static_cast<unsigned>(share_.chunk_bytes) & 1 && m.data[w] != want)
      return Mismatch{
          .port = name("data of a line that nobody has written"), .dut = m.data[w], .golden = want};
  }
  return {};
}

void DcL1Environment::move(std::size_t s, const golden::TopologyOut& shown) {
  golden::L1dOut out;
  out.memory_response_ready = shown.slice_response_ready[s];
  if (const Message* m = shown.slice_request[s]) {
    out.memory_request_valid = true;
    out.memory_request_id = m->id;
    out.memory_request_kind = m->kind;
    out.memory_request_address = m->address;
    out.memory_request_mask = m->mask;
    out.memory_request_byte_enable = &m->byte_enable;
    out.memory_request_data = &m->data;
    result_.slice_requests[s] += in_.slice_request_ready[s];
  }
  memories_[s].edge(memory_in_[s], out);
}

void DcL1Environment::note_probes(const golden::Topology& golden) {
  for (int n = 0; n < golden.caches(); ++n) {
    const auto& probe = golden.cache(n).last_probe();
    if (probe.occupied && !probe.fired) ++result_.caches[at(n)].stalls[static_cast<std::size_t>(probe.stall)];
  }
}

void DcL1Environment::sample(const golden::Topology& golden) {
  replicas_ += golden::replicas(golden.caches(), golden.distinct_caches(),
                                [&](int n) { return golden.cache(n).resident_lines(); });
  ++samples_;
  next_sample_ += sample_loads;
}

DcL1Result golden_kernel(const hw::TopologyParams& params, golden::Topology& golden, const std::string& trace,
                         const CosimOptions& options) {
  DcL1Environment environment(params, trace, options);
  while (!environment.over()) {
    const golden::TopologyIn& in = environment.drive();
    if (golden.fast()) {
      golden.outputs(in);
      golden.fast_edge(in);
    }
    const auto wrong = environment.note(golden.outputs(in), golden);
    if (wrong) throw std::runtime_error(fmt::format("{}: {} is {:#x}", trace, wrong->port, wrong->dut));
    golden.edge(in);
  }
  return environment.finish(golden);
}

}  // namespace verif
