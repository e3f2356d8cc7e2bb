#include "golden/gpu/system/l2_slice.h"

#include <algorithm>
#include <bit>

namespace golden {

namespace {

hw::IndexKind kind_of(L2Index index) {
  switch (index) {
    case L2Index::bxi:
      return hw::IndexKind::bxi;
    case L2Index::rxi:
      return hw::IndexKind::rxi;
    case L2Index::pli:
      return hw::IndexKind::pli;
    case L2Index::pri:
      return hw::IndexKind::pri;
    default:
      return hw::IndexKind::cvi;
  }
}

}  // namespace

void L2Counters::add(const L2Counters& o) {
  accesses += o.accesses, hits += o.hits, misses += o.misses, fails += o.fails;
  bytes_in += o.bytes_in, missed_bytes += o.missed_bytes, written_back += o.written_back;
}

L2Slice::L2Slice(const L2Params& p, int line_bytes, int queue, MemoryPort port, Whereabouts* reads)
    : p_(p),
      line_bytes_(static_cast<std::uint64_t>(line_bytes)),
      entries_(static_cast<std::size_t>(queue + p.latency)),
      queue_(static_cast<std::size_t>(queue)),
      index_({.kind = kind_of(p.index), .address_bits = 64, .line_bytes = line_bytes, .sets = p.sets}),
      port_(std::move(port)),
      reads_(reads),
      lines_(static_cast<std::size_t>(p.sets * p.ways)),
      mshrs_(static_cast<std::size_t>(p.mshrs)) {}

int L2Slice::slice_of(std::uint64_t address, const L2Params& p) {
  const std::uint64_t block = address / block_bytes;
  if (p.choice == SliceChoice::modulo || p.slices == 1)
    return static_cast<int>(block % static_cast<std::uint64_t>(p.slices));
  const int degree = std::bit_width(static_cast<unsigned>(p.slices)) - 1;
  return static_cast<int>(long_division_remainder(block, default_polynomial(degree)));
}

// Each run of `slices` blocks has one for each slice, in either choice.
std::uint64_t L2Slice::local_line(std::uint64_t address, int slices, int line_bytes) {
  const std::uint64_t local =
      address / block_bytes / static_cast<std::uint64_t>(slices) * block_bytes + address % block_bytes;
  return local / static_cast<std::uint64_t>(line_bytes);
}

void L2Slice::push(const MemoryPacket& packet, std::uint64_t line, std::uint64_t now) {
  const std::uint64_t due = now + static_cast<std::uint64_t>(p_.latency);
  const int packets = p_.split_sectors ? std::popcount(packet.request.mask) : 1;
  moved(packet, Whereabouts::Place::request_network, Whereabouts::Place::l2_input, packets);
  if (!p_.split_sectors) {
    waiting_.push_back({packet, line, due});
    waiting_.back().packet.sectors = packet.request.mask;
    return;
  }
  for (std::uint32_t rest = packet.request.mask; rest; rest &= rest - 1) {
    waiting_.push_back({packet, line, due});
    waiting_.back().packet.sectors = rest & -rest;
  }
}

L2Slice::Line* L2Slice::set_of(std::uint64_t number) {
  return &lines_[index_.set_of(number) * static_cast<std::size_t>(p_.ways)];
}

// The line, which becomes the last used; null if it is not there.
L2Slice::Line* L2Slice::find(std::uint64_t number) {
  Line* const set = set_of(number);
  for (int w = 0; w < p_.ways; ++w)
    if (set[w].used && set[w].number == number) {
      std::rotate(set, set + w, set + w + 1);
      return set;
    }
  return nullptr;
}

// A free way, else the least recently used that no MSHR waits for; null if there is none.
L2Slice::Line* L2Slice::victim(std::uint64_t number) {
  Line* const set = set_of(number);
  for (int w = p_.ways - 1; w >= 0; --w)
    if (!set[w].used) return set + w;
  for (int w = p_.ways - 1; w >= 0; --w)
    if (!set[w].pending) return set + w;
  return nullptr;
}

L2Slice::Entry* L2Slice::entry_of(std::uint64_t number) {
  if (mshrs_used_ == 0) return nullptr;
  const auto found = std::ranges::find_if(mshrs_, [&](const Entry& e) { return e.used && e.line == number; });
  return found == mshrs_.end() ? nullptr : &*found;
}

void L2Slice::tick(std::uint64_t now) {
  ++ticks_;
  if (waiting_.empty() || waiting_.front().due > now || port_free_ > ticks_ || answers_.size() >= queue_)
    return;
  if (serve(waiting_.front()))
    waiting_.pop_front();
  else
    ++counters_.fails;
}

bool L2Slice::serve(const Waiting& request) {
  const std::uint32_t sectors = request.packet.sectors;
  const bool writes = request.packet.request.writes;
  if (!(writes ? write(request, sectors) : read(request, sectors))) return false;
  ++counters_.accesses;
  counters_.bytes_in += static_cast<std::uint64_t>(std::popcount(sectors)) * sector_bytes;
  return true;
}

// Frees a way for a line; null if no line can be replaced, or its data cannot be written back now.
L2Slice::Line* L2Slice::allocate(std::uint64_t number) {
  Line* const way = victim(number);
  if (!way || (way->used && way->dirty && !port_.ready(true, way->number, way->dirty))) return nullptr;
  if (way->used && way->dirty) {
    port_.send(true, way->number, way->dirty);
    counters_.written_back += static_cast<std::uint64_t>(std::popcount(way->dirty)) * sector_bytes;
  }
  Line* const set = set_of(number);
  std::rotate(set, way, way + 1);
  *set = {.number = number, .used = true};
  return set;
}

bool L2Slice::write(const Waiting& request, std::uint32_t sectors) {
  Line* line = find(request.line);
  ++(line ? counters_.hits : counters_.misses);
  if (!line) line = allocate(request.line);
  if (!line) {
    --counters_.misses;
    return false;
  }
  line->valid |= sectors;
  line->dirty |= sectors;
  occupy_port(sectors);
  reply(request.packet, sectors);
  return true;
}

bool L2Slice::read(const Waiting& request, std::uint32_t sectors) {
  const bool changes = request.packet.request.kind == RequestKind::atomic;
  Line* line = find(request.line);
  const std::uint32_t missing = sectors & ~(line ? line->valid : 0);
  Entry* entry = missing ? entry_of(request.line) : nullptr;
  if (missing) {
    const std::uint32_t fetched = missing & ~(entry ? entry->pending : 0);
    const bool full =
        entry ? entry->targets.size() >= static_cast<std::size_t>(p_.merges) : mshrs_used_ == mshrs_.size();
    if (full || (fetched && !port_.ready(false, request.line, fetched))) return false;
    if (!line) line = allocate(request.line);
    if (!line) return false;
    if (!entry) {
      entry = &*std::ranges::find(mshrs_, false, &Entry::used);
      *entry = {request.line, 0, {}, true};
      ++mshrs_used_;
    }
    if (fetched) port_.send(false, request.line, fetched);
    entry->pending |= fetched;
    entry->targets.push_back({request.packet, sectors});
    moved(request.packet, Whereabouts::Place::l2_input, Whereabouts::Place::dram);
    line->pending = true;
    counters_.missed_bytes += static_cast<std::uint64_t>(std::popcount(fetched)) * sector_bytes;
    ++counters_.misses;
  } else {
    ++counters_.hits;
    occupy_port(sectors);
    moved(request.packet, Whereabouts::Place::l2_input, Whereabouts::Place::l2_output);
    reply(request.packet, sectors);
  }
  if (changes) line->dirty |= sectors;
  return true;
}

void L2Slice::occupy_port(std::uint32_t sectors) {
  port_free_ = ticks_ + static_cast<std::uint64_t>(std::popcount(sectors));
}

void L2Slice::moved(const MemoryPacket& packet, Whereabouts::Place from, Whereabouts::Place to, int packets) {
  if (reads_ && !packet.request.writes)
    reads_->moved(packet.request.sm, packet.request.id, from, to, packets);
}

// It leaves as its first sector moves; the network sends the others behind it.
void L2Slice::reply(const MemoryPacket& request, std::uint32_t sectors) {
  MemoryPacket packet = request;
  packet.sectors = sectors;
  answers_.push_back(packet);
}

void L2Slice::filled(std::uint64_t number, std::uint32_t sectors) {
  Entry* const entry = entry_of(number);
  if (!entry) return;
  entry->pending &= ~sectors;
  Line* const set = set_of(number);
  Line* const line =
      std::ranges::find_if(set, set + p_.ways, [&](const Line& l) { return l.used && l.number == number; });
  line->valid |= sectors;
  std::erase_if(entry->targets, [&](const Target& target) {
    if (target.sectors & entry->pending) return false;
    moved(target.packet, Whereabouts::Place::dram, Whereabouts::Place::l2_output);
    reply(target.packet, target.sectors);
    return true;
  });
  if (entry->pending) return;
  line->pending = false;
  entry->used = false;
  --mshrs_used_;
}

// Lines that wait for memory stay.
void L2Slice::flush() {
  for (Line& line : lines_)
    if (!line.pending) line = {};
}

}  // namespace golden
