// What stands around a topology while kernels run: an SM at each core, a memory behind each slice, and books
// that need no model: every request is answered once, and a line that nobody has written reads as it was.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "golden/gpu/front_end.h"
#include "golden/gpu/next_level.h"
#include "golden/topology/replicas.h"
#include "golden/topology/topology.h"
#include "golden/trace/trace_source.h"
#include "verif/lockstep/harness/cycle_cosim.h"
#include "verif/lockstep/noc/dc_l1_result.h"

namespace verif {

// In each cycle of clk: drive(), then note() with what the topology shows before its edge.
template <hw::TopologyParams P>
class DcL1World {
 public:
  using Golden = golden::Topology<P>;
  using Message = golden::Message;
  static constexpr int cores = P.shape.cores, slices = P.shape.slices;

  DcL1World(const std::string& trace, const std::string& scheduler)
      : source_(golden::open_trace(trace)),
        front_(*source_, gpu_params(scheduler)),
        requests_(cores),
        sends_(cores),
        flying_(cores),
        responses_(slices),
        memory_in_(slices) {
    for (int s = 0; s < slices; ++s)
      memories_.emplace_back(
          golden::NextLevelParams{.line_bytes = P.l1d.line_bytes, .chunk_bytes = P.l1d.chunk_bytes},
          golden::NextLevel::scrambled);
    result_.trace = trace;
    result_.caches.resize(Golden::caches);
    result_.slice_requests.resize(slices);
    front_.tick();  // the cycle of the reset
  }

  // All kernels have run, everything is answered.
  bool over() const { return front_.done() && std::ranges::all_of(memories_, &golden::NextLevel::idle); }

  // The messages stay until the next call.
  const typename Golden::In& drive() {
    in_ = {};
    in_.response_ready.fill(true);
    for (int c = 0; c < cores; ++c) {
      golden::Sm& sm = front_.sm(c);
      in_.flush_valid = in_.flush_valid || sm.wants_flush();
      const golden::GpuRequest* offer = sm.offer();
      if (!offer) continue;
      if (!std::exchange(sends_[at(c)], true)) write(requests_[at(c)], *offer);
      in_.request[at(c)] = &requests_[at(c)];
    }
    for (int s = 0; s < slices; ++s) {
      golden::L1dIn& in = memory_in_[at(s)] = {};
      memories_[at(s)].drive(in);
      in_.slice_request_ready[at(s)] = in.memory_request_ready;
      if (!in.memory_response_valid) continue;
      Message& m = responses_[at(s)];
      m = {.id = in.memory_response_id, .mask = in.memory_response_mask};
      if (in.memory_response_data) m.data = *in.memory_response_data;
      in_.slice_response[at(s)] = &m;
    }
    return in_;
  }

  // What moves at this edge of clk; `golden` is as it was before it.
  std::optional<Difference> note(const typename Golden::Out& shown, const Golden& golden) {
    std::optional<Difference> wrong;
    for (int c = 0; c < cores; ++c) {
      golden::Sm& sm = front_.sm(c);
      if (in_.request[at(c)] && shown.request_ready[at(c)]) accepted(c, golden);
      if (const Message* m = shown.response[at(c)]) {
        if (const auto d = answered(c, *m); d && !wrong) wrong = d;
        if (!wrong) sm.answered(static_cast<std::uint32_t>(m->id));
        progress_ = result_.cycles;
      }
      if (in_.flush_valid && shown.flush_ready) sm.flushed();
    }
    for (int s = 0; s < slices; ++s) move(s, shown);
    note_probes(golden);
    front_.tick();
    if (loads_ >= next_sample_) sample(golden);
    if (++result_.cycles - progress_ > 1'000'000 && !wrong)
      wrong = Difference{"requests that are never answered", 1, 0};
    return wrong;
  }

  DcL1Result finish(const Golden& golden) {
    sample(golden);
    result_.replicas = replicas_ / static_cast<double>(samples_);
    for (int n = 0; n < Golden::caches; ++n) result_.caches[at(n)].harvest(golden.cache(n));
    for (int c = 0; c < cores; ++c) {
      const auto& cycles = front_.sm(c).cycles();
      result_.instructions += front_.sm(c).instructions();
      result_.cores.sending += cycles.sending;
      result_.cores.refused += cycles.refused;
      result_.cores.waiting += cycles.waiting;
      result_.cores.empty += cycles.empty;
    }
    return result_;
  }
  std::int64_t cycles() const { return result_.cycles; }

 private:
  static constexpr std::uint64_t sample_loads = 1024;
  // What an answer has to be; a mask of ~0 stands for no request.
  struct Flying {
    golden::RequestKind kind = golden::RequestKind::load;
    std::uint64_t address = 0;
    std::uint32_t mask = 0;
    bool waits = false;
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  static golden::GpuParams gpu_params(const std::string& scheduler) {
    return {.sms = cores,
            .scheduler = golden::scheduler_named(scheduler),
            .line_bytes = P.l1d.line_bytes,
            .chunk_bytes = P.l1d.chunk_bytes,
            .address_bits = P.l1d.address_bits,
            .id_bits = P.l1d.core_id_bits};
  }

  // A trace says which chunks a request touches: stores write all of them, each with other bytes.
  void write(Message& m, const golden::GpuRequest& offer) {
    const auto& [kind, address, mask] = offer.request;
    m = {.kind = kind, .id = offer.id, .address = address, .mask = mask};
    if (kind == golden::RequestKind::load || kind == golden::RequestKind::non_l1) return;
    for (int byte = 0; byte < P.l1d.line_bytes; ++byte)
      if (mask >> byte / P.l1d.chunk_bytes & 1) m.byte_enable[at(byte / 64)] |= std::uint64_t{1} << byte % 64;
    ++stores_;
    for (int w = 0; w < P.l1d.line_bytes / 8; ++w)
      m.data[at(w)] = stores_ * 0x9e3779b97f4a7c15 + static_cast<unsigned>(w);
  }

  void accepted(int c, const Golden& golden) {
    const Message& m = requests_[at(c)];
    sends_[at(c)] = false;
    front_.sm(c).accepted(static_cast<std::uint32_t>(m.id));
    if (flying_[at(c)].size() <= m.id) flying_[at(c)].resize(m.id + 1);
    flying_[at(c)][m.id] = {m.kind, m.address, m.mask, true};
    const bool changes = m.kind == golden::RequestKind::store || m.kind == golden::RequestKind::atomic;
    if (changes) written_.insert(m.address);
    loads_ += m.kind == golden::RequestKind::load;
    const int cache = Golden::with_nodes ? golden.home().node(c, golden.home().of(m.address).home) : c;
    result_.caches[at(cache)].chunks_asked[static_cast<std::size_t>(m.kind)] +=
        static_cast<unsigned>(std::popcount(m.mask));
    progress_ = result_.cycles;
  }

  std::optional<Difference> answered(int c, const Message& m) {
    const auto name = [&](const char* what) { return fmt::format("core {}: {}, of the books", c, what); };
    if (m.id >= flying_[at(c)].size() || !flying_[at(c)][m.id].waits)
      return Difference{name("id of an answer that nobody waits for"), m.id, 0};
    Flying& f = flying_[at(c)][m.id];
    f.waits = false;
    const std::uint32_t mask = f.kind == golden::RequestKind::store ? 0 : f.mask;
    if (m.mask != mask) return Difference{name("mask"), m.mask, mask};
    if (written_.contains(f.address)) return {};
    for (unsigned w = 0; w < static_cast<unsigned>(P.l1d.line_bytes) / 8; ++w) {
      const std::uint64_t want = golden::NextLevel::scrambled(f.address / 8 + w);
      if (mask >> w * 8 / static_cast<unsigned>(P.l1d.chunk_bytes) & 1 && m.data[w] != want)
        return Difference{name("data of a line that nobody has written"), m.data[w], want};
    }
    return {};
  }

  void move(int s, const typename Golden::Out& shown) {
    golden::L1dOut out;
    out.memory_response_ready = shown.slice_response_ready[at(s)];
    if (const Message* m = shown.slice_request[at(s)]) {
      out.memory_request_valid = true;
      out.memory_request_id = m->id;
      out.memory_request_kind = m->kind;
      out.memory_request_address = m->address;
      out.memory_request_mask = m->mask;
      out.memory_request_byte_enable = &m->byte_enable;
      out.memory_request_data = &m->data;
      result_.slice_requests[at(s)] += in_.slice_request_ready[at(s)];
    }
    memories_[at(s)].edge(memory_in_[at(s)], out);
  }

  // Of the cycle before.
  void note_probes(const Golden& golden) {
    for (int n = 0; n < Golden::caches; ++n) {
      const auto& probe = golden.cache(n).last_probe();
      if (probe.occupied && !probe.fired)
        ++result_.caches[at(n)].stalls[static_cast<std::size_t>(probe.stall)];
    }
  }

  void sample(const Golden& golden) {
    const int homes = Golden::with_nodes ? golden.home().sizes().homes : 1;
    replicas_ +=
        golden::replicas(Golden::caches, homes, [&](int n) { return golden.cache(n).resident_lines(); });
    ++samples_;
    next_sample_ += sample_loads;
  }

  std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd front_;
  typename Golden::In in_;
  std::vector<Message> requests_;
  std::vector<char> sends_;  // the request of that core is written
  std::vector<std::vector<Flying>> flying_;
  std::unordered_set<std::uint64_t> written_;  // lines
  std::vector<Message> responses_;
  std::vector<golden::L1dIn> memory_in_;
  std::vector<golden::NextLevel> memories_;
  std::uint64_t stores_ = 0, loads_ = 0, next_sample_ = sample_loads, samples_ = 0;
  double replicas_ = 0;
  std::int64_t progress_ = 0;
  DcL1Result result_;
};

// A kernel on the golden model by itself.
template <hw::TopologyParams P>
DcL1Result golden_kernel(const std::string& trace, const std::string& scheduler) {
  using Golden = golden::Topology<P>;
  const auto golden = std::make_unique<Golden>();
  DcL1World<P> world(trace, scheduler);
  while (!world.over()) {
    const auto& in = world.drive();
    if (Golden::boost) {
      golden->outputs(in);
      golden->fast_edge(in);
    }
    const auto wrong = world.note(golden->outputs(in), *golden);
    if (wrong) throw std::runtime_error(fmt::format("{}: {} is {:#x}", trace, wrong->what, wrong->dut));
    golden->edge(in);
  }
  return world.finish(*golden);
}

}  // namespace verif
