#include "golden/gpu/two_nodes.h"

namespace golden {

TwoNodes::TwoNodes(const TwoNodesParams& p)
    : p_(p),
      unit_(p.blpp),
      pages_(p.blpp),
      requests_({.sms = p.sms, .ends = 2 * p.banks, .entries = p.buffer_entries}),
      answers_(p.sms),
      banks_(static_cast<std::size_t>(p.banks),
             L2Bank(p.bank_bytes / p.line_bytes / p.ways, p.ways, p.banks)),
      gpu_(p.blpp.gpu_bandwidth, p.clock_mhz, p.queue),
      cpu_(p.blpp.cpu_bandwidth, p.clock_mhz, p.queue),
      left_(static_cast<std::size_t>(2 * p.banks)) {
  figures_.clock_mhz = p.clock_mhz;
  figures_.parts.emplace_back(0, unit_.part());
}

MemorySide::Access TwoNodes::access(std::uint64_t address) {
  if (now_.request && !pages_.holds(address)) return Access::waits;
  const bool gpu_full = pages_.full(Node::gpu), cpu_full = pages_.full(Node::cpu);
  const PageTable::Touch touch = pages_.touch(address, unit_);
  if (touch.placed) now_.request = true, now_.gpu_full = gpu_full, now_.cpu_full = cpu_full;
  return touch.node == Node::gpu ? Access::cached : Access::uncached;
}

void TwoNodes::load_left(bool miss) {
  ++now_.events.a1;
  now_.events.m1 += miss;
}

void TwoNodes::drive(int sm, L1dIn& in) const {
  in.memory_request_ready = requests_.ready(sm);
  answers_.drive(sm, cycle_, in);
}

void TwoNodes::take(int sm, const L1dIn& in, const L1dOut& out) {
  if (in.memory_response_valid && out.memory_response_ready) answers_.pop(sm);
  if (!in.memory_request_ready || !out.memory_request_valid) return;
  const MemoryRequest request = MemoryRequest::of(sm, out);
  requests_.take(request, end_of(request));
}

// Banks come first, then the ports of the link. A page that is gone was one of the GPU node.
int TwoNodes::end_of(const MemoryRequest& request) const {
  const auto line = request.address / number(p_.line_bytes);
  const int port = static_cast<int>(line % number(p_.banks));
  return pages_.node(request.address) == Node::cpu ? p_.banks + port : port;
}

void TwoNodes::tick() {
  for (int end = 0; end < 2 * p_.banks; ++end) serve(end);
  requests_.tick();
  figures_.a1 += now_.events.a1, figures_.m1 += now_.events.m1;
  figures_.a2 += now_.events.a2, figures_.m2 += now_.events.m2, figures_.flits += now_.events.flits;
  unit_.edge(now_);
  now_ = {};
  ++cycle_;
  if (unit_.part() != figures_.parts.back().second) figures_.parts.emplace_back(cycle_, unit_.part());
}

void TwoNodes::serve(int end) {
  const MemoryRequest* const request = requests_.front(end);
  if (!request) return;
  int& left = left_[static_cast<std::size_t>(end)];
  if (left == 0) {
    const auto due = end < p_.banks ? at_bank(end, *request) : at_link(*request);
    if (!due) return;
    answers_.add(*request, *due);
    count(*request);
    left = port_cycles(request->bytes(p_.chunk_bytes), p_.port_bytes);
  }
  if (--left == 0) requests_.pop(end);
}

std::optional<std::uint64_t> TwoNodes::at_bank(int number_of_bank, const MemoryRequest& request) {
  L2Bank& bank = banks_[static_cast<std::size_t>(number_of_bank)];
  const std::uint64_t at = request.address / number(p_.line_bytes);
  const bool fetches = !request.writes;
  L2Bank::Line* line = bank.find(at);
  const bool miss = line == nullptr;
  if (miss) {
    if (!gpu_.ready(cycle_)) return std::nullopt;
    if (const auto dirty = bank.victim(at).dirty) gpu_.move(cycle_, std::popcount(dirty) * p_.chunk_bytes);
    line = &bank.allocate(at);
    line->there = fetches ? fetch() : cycle_;
  }
  if (request.writes || request.kind == RequestKind::atomic) line->dirty |= request.mask;
  now_.events.a2 += request.kind == RequestKind::load;
  now_.events.m2 += request.kind == RequestKind::load && miss;
  const std::uint64_t from = fetches ? std::max(cycle_, line->there) : cycle_;
  return from + number(p_.blpp.l2_latency);
}

std::uint64_t TwoNodes::fetch() {
  return gpu_.move(cycle_, p_.line_bytes) + number(p_.blpp.gpu_memory_latency);
}

std::optional<std::uint64_t> TwoNodes::at_link(const MemoryRequest& request) {
  if (!cpu_.ready(cycle_)) return std::nullopt;
  return cpu_.move(cycle_, request.bytes(p_.chunk_bytes)) +
         number(p_.blpp.cpu_memory_latency + p_.blpp.link_latency);
}

// In flits of 32 bytes: data goes down with stores and atomics, and comes back with all that are answered by
// it.
void TwoNodes::count(const MemoryRequest& request) {
  const auto flits = number(port_cycles(request.bytes(p_.chunk_bytes), 32));
  const bool down = request.writes || request.kind == RequestKind::atomic;
  now_.events.flits += (down ? flits : 1) + (request.writes ? 1 : flits);
}

std::optional<NodeFigures> TwoNodes::figures() const {
  NodeFigures all = figures_;
  all.gpu_pages = pages_.pages(Node::gpu), all.cpu_pages = pages_.pages(Node::cpu);
  all.replaced = pages_.replaced();
  all.gpu_bytes = gpu_.bytes(), all.cpu_bytes = cpu_.bytes();
  return all;
}

}  // namespace golden
