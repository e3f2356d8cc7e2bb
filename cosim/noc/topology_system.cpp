#include "cosim/noc/topology_system.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "golden/gpu/next_level.h"
#include "golden/shared/route_select.h"
#include "golden/topology/shared_node.h"

namespace verif {

using namespace golden;

namespace {

constexpr int slice_queue = 8;  // requests at the input of an L2 slice

bool is_write(const Message& m) {
  return m.kind == RequestKind::store || (m.kind == RequestKind::non_l1 && has_byte_enable(m.byte_enable));
}

bool meshed(const hw::TopologyParams& p) {
  return p.shape.kind == hw::TopologyKind::shared && p.shared.fabric == hw::SharedFabric::mesh;
}

}  // namespace

TopologySystem::TopologySystem(const hw::TopologyParams& topology, const SystemParams& p, TraceSource& source,
                               int hit_delay)
    : topology_(topology),
      p_(p),
      home_(home_of(topology)),
      pc_mask_(~std::uint32_t{0} >> (32 - topology.remote.predictor.pc_bits)),
      id_bits_(topology.l1d.core_id_bits),
      gpu_(source, p,
           {.line_bytes = topology.l1d.line_bytes,
            .chunk_bytes = topology.l1d.chunk_bytes,
            .address_bits = topology.l1d.address_bits,
            .id_bits = id_bits_}),
      network_clock_(p.network_clock, p.core_clock),
      loads_(topology.shape.cores),
      lower_(p, slice_queue, reads_),
      responses_(at(topology.shape.slices)),
      parts_(at(topology.shape.slices)),
      causes_(at(topology.shape.cores)),
      seen_(at(caches_of(topology.shape))),
      slice_requests_(at(topology.shape.slices)) {
  for (int c = 0; c < topology.shape.cores; ++c)
    cores_.push_back(std::make_unique<Core>(gpu_.sm(c), hit_delay));
  if (meshed(topology)) {
    const RouteSelect nodes(route_params(topology));
    core_at_.resize(at(hw::nodes_of(topology.mesh)), -1);
    for (int c = 0; c < topology.shape.cores; ++c) core_at_[at(nodes.core_node(c))] = c;
  }
  in_.response_ready.fill(true);
}

const TopologyIn& TopologySystem::drive() {
  in_.flush_valid = false;
  for (std::size_t c = 0; c < cores_.size(); ++c) {
    Core& core = *cores_[c];
    in_.request[c] = nullptr;
    in_.flush_valid = in_.flush_valid || core.sm.wants_flush();
    const GpuRequest* const offer = core.sm.offer();
    if (!offer) continue;
    if (!std::exchange(core.written, true)) write(core.request, *offer);
    in_.request[c] = &core.request;
  }
  for (std::size_t s = 0; s < responses_.size(); ++s) {
    in_.slice_request_ready[s] = lower_.ready(static_cast<int>(s)) && parts_[s].empty();
    in_.slice_response[s] = nullptr;
    const Below* const below = answer(static_cast<int>(s));
    if (!below) continue;
    responses_[s] = {.id = below->id, .mask = below->mask};
    if (bytes_ && responses_[s].mask) fill(responses_[s], below->number);
    in_.slice_response[s] = &responses_[s];
  }
  return in_;
}

void TopologySystem::fill(Message& m, std::uint64_t number) const {
  for (std::size_t w = 0; w < at(topology_.l1d.line_bytes / 8); ++w)
    m.data[w] = NextLevel::scrambled(number << 8 | w);
}

void TopologySystem::write(Message& m, const GpuRequest& offer) {
  const Request& r = offer.request;
  m = {.kind = r.kind, .id = offer.id, .address = r.address, .mask = r.mask, .sideband = r.sideband};
  m.sideband.pc &= pc_mask_;
  if (r.kind == RequestKind::load || r.kind == RequestKind::non_l1) return;
  for (int byte = 0; byte < topology_.l1d.line_bytes; ++byte)
    if (r.mask >> byte / topology_.l1d.chunk_bytes & 1)
      m.byte_enable[at(byte / 64)] |= std::uint64_t{1} << byte % 64;
  if (bytes_) fill(m, ~++stores_);
}

void TopologySystem::move(const TopologyOut& shown, const Topology& topology) {
  note_hits(topology);
  for (std::size_t c = 0; c < cores_.size(); ++c) move_core(static_cast<int>(c), shown, topology);
  for (std::size_t s = 0; s < responses_.size(); ++s) move_slice(static_cast<int>(s), shown);
  lower_.tick_dram();
  for (int ticks = network_clock_.step(); ticks > 0; --ticks) lower_.tick_slices();
  lower_.end_cycle();
  gpu_.tick();
  if (gpu_.kernel_ended()) lower_.flush();
  ++cycles_;
}

// Of the cycle before: loads that hit, whose answers are still on their way, and what holds lookups.
void TopologySystem::note_hits(const Topology& topology) {
  for (int n = 0; n < topology.caches(); ++n) {
    const CycleL1d& cache = topology.cache(n);
    const auto& probe = cache.last_probe();
    if (probe.occupied && !probe.fired) ++seen_[at(n)].stalls[static_cast<std::size_t>(probe.stall)];
    const ProbeEvent* const event = cache.last_event();
    if (!event || !event->is_load() || event->result != Result::hit) continue;
    const int core = core_of(n, event->id);
    if (core >= 0) cores_[at(core)]->port.hit(static_cast<std::uint32_t>(event->id & ((1u << id_bits_) - 1)));
  }
}

int TopologySystem::core_of(int cache, std::uint64_t id) const {
  const std::uint64_t above = id >> id_bits_;
  if (kind_of(topology_.shape).caches_in_nodes)
    return cache / home_.rule().homes * home_.rule().cluster_cores + static_cast<int>(above);
  if (topology_.shape.kind != hw::TopologyKind::shared)
    return above == 0 ? cache : -1;  // else a search of another
  const int marks = hw::mark_bits(topology_.shared), node_bits = bits_for(kinds::shared_nodes(topology_));
  if (!(above >> (marks + node_bits) & 1)) return cache;
  const auto node = static_cast<std::size_t>(above >> marks & ((1u << node_bits) - 1));
  return core_at_.empty() ? static_cast<int>(node) : core_at_[node];
}

void TopologySystem::move_core(int c, const TopologyOut& shown, const Topology& topology) {
  Core& core = *cores_[at(c)];
  const CycleCause waits_for = loads_wait_for(c);
  const auto oldest = loads_.oldest_id(c);
  Stall lookup = Stall::none;
  if (oldest) {
    const auto& probe = topology.cache(topology.cache_of(c, core.flying[*oldest].address)).last_probe();
    if (probe.occupied && !probe.fired) lookup = probe.stall;
  }
  if (in_.request[at(c)] && shown.request_ready[at(c)]) {
    const Message& m = core.request;
    core.written = false;
    if (core.flying.size() <= m.id) core.flying.resize(m.id + 1);
    core.flying[m.id] = m;
    core.port.accepted(static_cast<std::uint32_t>(m.id));
    if (m.kind == RequestKind::load) load_time_.comes(cycles_), ++loads_taken_, loads_.sent(c, m.id);
    seen_[at(topology.cache_of(c, m.address))].chunks_asked[static_cast<std::size_t>(m.kind)] +=
        static_cast<unsigned>(std::popcount(m.mask));
  }
  if (const Message* const m = shown.response[at(c)]) {
    if (core.flying[m->id].kind == RequestKind::load) {
      load_time_.leaves(cycles_ + static_cast<std::int64_t>(core.port.delay_of(m->id)));
      loads_.answered(c, m->id);
    }
    core.port.answered(m->id);
  }
  if (in_.flush_valid && shown.flush_ready) core.sm.flushed();
  core.port.release();
  if (core.sm.quiet() && core.sm.wakes_at() > core.sm.now())
    core.sm.skip(1);
  else
    core.sm.tick();
  ++causes_[at(c)][cycle_cause(core.sm.last_cycle(), lookup, waits_for)];
}

// What a core waits for that waits for loads: the oldest of them is below the slices, or in the topology.
CycleCause TopologySystem::loads_wait_for(int c) const {
  const auto oldest = loads_.oldest_id(c);
  if (!oldest) return CycleCause::l1;
  const auto read = reading_.find(cores_[at(c)]->flying[*oldest].address);
  return read == reading_.end() ? CycleCause::network : cause_at(reads_.place(0, read->second));
}

void TopologySystem::move_slice(int s, const TopologyOut& shown) {
  if (const MemoryPacket* const packet = lower_.answer(s)) {
    const std::uint64_t token = packet->request.id;
    const bool whole = answer(s) != nullptr;
    if (!whole || shown.slice_response_ready[at(s)]) {
      --below_[token].left;
      lower_.pop(s);
      if (whole) answered(token);
    }
  }
  const Message* const m = shown.slice_request[at(s)];
  if (m && in_.slice_request_ready[at(s)]) take_request(s, *m);
  send_part(s);
}

const TopologySystem::Below* TopologySystem::answer(int s) const {
  const MemoryPacket* const packet = lower_.answer(s);
  if (!packet || below_[packet->request.id].left > 1) return nullptr;
  return &below_[packet->request.id];
}

void TopologySystem::answered(std::uint64_t token) {
  const Below& below = below_[token];
  if (!below.writes) {
    reads_.answered(0, token);
    if (const auto read = reading_.find(below.line); read != reading_.end() && read->second == token)
      reading_.erase(read);
  }
  free_tokens_.push_back(token);
  ++answers_;
}

void TopologySystem::take_request(int s, const Message& m) {
  if (free_tokens_.empty()) free_tokens_.push_back(below_.size()), below_.emplace_back();
  const std::uint64_t token = free_tokens_.back();
  free_tokens_.pop_back();
  const bool writes = is_write(m);
  const LineParts parts(m.address, m.mask, topology_.l1d.line_bytes, topology_.l1d.chunk_bytes);
  below_[token] = {m.id, m.address, writes, requests_, writes ? 0 : m.mask, parts.all().size()};
  if (!writes) reads_.sent(0, token, static_cast<int>(parts.all().size())), reading_[m.address] = token;
  for (const LinePart& part : parts.all()) {
    MemoryPacket packet{.to = s};
    packet.request = {
        .address = part.address, .id = token, .mask = part.sectors, .kind = m.kind, .writes = writes};
    bytes_down_ += static_cast<std::uint64_t>(packet.request.bytes(L2Params::sector_bytes));
    parts_[at(s)].push_back(packet);
  }
  ++slice_requests_[at(s)];
  ++requests_;
}

// One a cycle, while its input is ready.
void TopologySystem::send_part(int s) {
  auto& parts = parts_[at(s)];
  if (parts.empty() || !lower_.ready(s)) return;
  lower_.push(parts.front());
  parts.pop_front();
}

SystemMemoryFigures TopologySystem::memory_figures() const {
  SystemMemoryFigures figures;
  lower_.add_to(figures);
  figures.requests = requests_;
  figures.answers = answers_;
  figures.bytes_down = bytes_down_;
  return figures;
}

}  // namespace verif
