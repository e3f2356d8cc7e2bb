// Golden adapter between the word-wide memory bus of a GPU core and an L1 data cache, cycle by cycle
// (docs/contracts/vortex-adapter.md).
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "golden/bus/numbered_requests.h"
#include "golden/noc/packet.h"
#include "hw/bus/vortex_adapter_params.h"

namespace golden {

// A request on a bus of words or lines: `address` counts them, bytes count from the word's first.
struct BusRequest {
  bool rw = false, flush = false, io = false;
  std::uint64_t address = 0, tag = 0;
  ByteMask byte_enable = {};
  LineData data = {};

  bool operator==(const BusRequest&) const = default;
};
struct BusAnswer {
  std::uint64_t tag = 0;
  LineData data = {};

  bool operator==(const BusAnswer&) const = default;
};
// The cache's request writes, and memory does not answer it.
inline bool writes(const Message& m) {
  return m.kind == RequestKind::store || (m.kind == RequestKind::non_l1 && has_byte_enable(m.byte_enable));
}

// What the cache shows of its lookups in a cycle, by the names of its counters.
struct CacheEvents {
  bool loads = false, hits = false, stores = false, store_updates = false, reservation_fail_mshr = false,
       reservation_fail_merge = false;
};

class VortexAdapter {
 public:
  struct In {
    std::array<std::optional<BusRequest>, 4> bus_request = {};
    std::array<bool, 4> bus_response_ready = {};
    bool core_request_ready = false, flush_ready = false, memory_response_ready = false,
         memory_bus_request_ready = false;
    std::optional<Message> core_response = {};
    std::optional<Message> memory_request = {};
    std::optional<BusAnswer> memory_bus_response = {};
    bool probe_valid = false, probe_miss = false;
    CacheEvents events = {};
  };
  struct Out {
    std::array<bool, 4> bus_request_ready = {};
    std::array<std::optional<BusAnswer>, 4> bus_response = {};
    bool core_response_ready = false, memory_request_ready = false, memory_bus_response_ready = false,
         flush_valid = false;
    std::optional<Message> core_request = {};
    std::optional<BusRequest> memory_bus_request = {};
    std::optional<Message> memory_response = {};
  };
  struct Counts {
    std::uint64_t hits = 0, misses = 0, stalls = 0;
    // As Vortex counts.
    std::uint64_t reads = 0, writes = 0, read_misses = 0, write_misses = 0, bank_stalls = 0, mshr_stalls = 0,
                  memory_stalls = 0, response_stalls = 0;
  };

  explicit VortexAdapter(const hw::VortexAdapterParams& p)
      : p_(p), slots_(hw::core_requests(p)), loads_(hw::memory_loads(p)) {
    reset();
  }

  void reset() {
    slots_ = NumberedRequests<Slot>(hw::core_requests(p_));
    loads_ = NumberedRequests<Load>(hw::memory_loads(p_));
    stores_.clear();
    flushed_ = waits_ = store_turn_ = false;
    order_.clear();
    for (int port = 0; port < p_.ports; ++port) order_.push_back(port);
    counts_ = now_ = {};
  }

  Out outputs(const In& in) const {
    Out out;
    const std::optional<int> port = front(in);
    if (port) request(*in.bus_request[at(*port)], out);
    if (in.memory_request && goes(*in.memory_request)) {
      out.memory_bus_request = to_memory(*in.memory_request);
      out.memory_request_ready = in.memory_bus_request_ready;
    }
    if (port && takes(in, out)) out.bus_request_ready[at(*port)] = true;
    answers(in, out);
    memory_answers(in, out);
    return out;
  }

  void edge(const In& in) {
    const Out out = outputs(in);
    const std::optional<int> port = front(in);
    count(in, out, port);
    if (in.core_response && out.core_response_ready) slots_.release(in.core_response->id);
    const bool fence_done = waits_ && in.memory_bus_response && out.memory_bus_response_ready;
    memory_edge(in, out);
    if (fence_done) waits_ = false;
    if (out.flush_valid && in.flush_ready) flushed_ = true;
    if (!port) return;
    while (order_.front() != *port) order_.push_back(order_.front()), order_.pop_front();
    if (!out.bus_request_ready[at(*port)]) return;
    order_.push_back(order_.front()), order_.pop_front();
    const BusRequest& taken = *in.bus_request[at(*port)];
    const Slot slot{*port, taken.tag, place(taken)};
    if (!taken.flush) return slots_.take(slot);
    flushed_ = false;
    waits_ = !taken.rw;
    fence_ = slot;
  }

  const Counts& counts() const { return counts_; }
  // For observers.
  std::optional<int> front(const In& in) const {
    for (const int port : order_)
      if (in.bus_request[at(port)]) return port;
    return {};
  }
  bool slot_free() const { return slots_.not_full(); }
  bool at_rest() const { return slots_.empty(); }
  bool fence_waits() const { return waits_; }
  bool load_tag_free() const { return loads_.not_full(); }
  std::size_t stores_to_acknowledge() const { return stores_.size(); }

 private:
  struct Slot {
    int port = 0;
    std::uint64_t tag = 0;
    int place = 0;
  };
  struct Load {
    std::uint64_t id = 0;
    std::uint32_t mask = 0;
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static bool byte(const ByteMask& mask, int n) { return mask[at(n / 64)] >> n % 64 & 1; }

  int place(const BusRequest& r) const {
    return static_cast<int>(r.address % static_cast<unsigned>(hw::words_of_line(p_)));
  }

  // What the request in front shows to the cache, to flush and to memory.
  void request(const BusRequest& r, Out& out) const {
    if (waits_) return;
    if (!r.flush) {
      if (slots_.not_full()) out.core_request = to_cache(r);
      return;
    }
    out.flush_valid = slots_.empty() && !flushed_;
    if (!flushed_) return;
    const auto words = static_cast<unsigned>(hw::words_of_line(p_));
    out.memory_bus_request =
        BusRequest{.rw = r.rw, .flush = true, .io = r.io, .address = r.address / words, .tag = loads_.next()};
  }

  bool takes(const In& in, const Out& out) const {
    if (out.core_request) return in.core_request_ready;
    return flushed_ && in.memory_bus_request_ready;
  }

  Message to_cache(const BusRequest& r) const {
    const int word = hw::word_bytes(p_), first = place(r) * word;
    Message c{.id = slots_.next(), .address = r.address * static_cast<unsigned>(word)};
    bool any = false;
    for (int b = 0; b < word; ++b) any |= byte(r.byte_enable, b);
    for (int b = 0; b < word; ++b) {
      const int there = first + b;
      if (byte(r.byte_enable, b) || !any) c.mask |= 1u << there / p_.chunk_bytes;
      if (r.rw && byte(r.byte_enable, b)) c.byte_enable[at(there / 64)] |= std::uint64_t{1} << there % 64;
    }
    for (int b = 0; b < p_.line_bytes / 8; ++b) c.data[at(b)] = r.data[at(b % (word / 8))];
    c.kind = r.rw ? RequestKind::store : RequestKind::load;
    if (r.io && (any || !r.rw)) c.kind = RequestKind::non_l1;
    return c;
  }

  bool goes(const Message& r) const {
    if (flushed_) return false;
    return writes(r) ? stores_.size() < static_cast<std::size_t>(hw::acknowledgements) : loads_.not_full();
  }

  BusRequest to_memory(const Message& r) const {
    BusRequest b{.rw = writes(r),
                 .io = r.kind == RequestKind::non_l1,
                 .address = r.address / static_cast<unsigned>(p_.line_bytes),
                 .tag = loads_.next(),
                 .byte_enable = r.byte_enable,
                 .data = r.data};
    for (int n = 0; !b.rw && n < p_.line_bytes; ++n)
      if (r.mask >> n / p_.chunk_bytes & 1) b.byte_enable[at(n / 64)] |= std::uint64_t{1} << n % 64;
    return b;
  }

  void answers(const In& in, Out& out) const {
    if (waits_) {
      if (in.memory_bus_response) out.bus_response[at(fence_.port)] = BusAnswer{.tag = fence_.tag};
      return;
    }
    if (!in.core_response) return;
    out.core_response_ready = true;
    if (in.core_response->mask == 0) return;
    const Slot slot = slots_.at(in.core_response->id);
    BusAnswer answer{.tag = slot.tag};
    const int words = hw::word_bytes(p_) / 8;
    for (int n = 0; n < words; ++n) answer.data[at(n)] = in.core_response->data[at(slot.place * words + n)];
    out.bus_response[at(slot.port)] = answer;
    out.core_response_ready = in.bus_response_ready[at(slot.port)];
  }

  bool shows_store(const In& in) const {
    return !stores_.empty() && (store_turn_ || !in.memory_bus_response || waits_);
  }

  void memory_answers(const In& in, Out& out) const {
    if (waits_) out.memory_bus_response_ready = in.bus_response_ready[at(fence_.port)];
    if (shows_store(in)) {
      out.memory_response = Message{.id = stores_.front()};
      return;
    }
    if (waits_) return;
    out.memory_bus_response_ready = in.memory_response_ready;
    if (!in.memory_bus_response) return;
    const Load load = loads_.at(in.memory_bus_response->tag);
    out.memory_response = Message{.id = load.id, .mask = load.mask, .data = in.memory_bus_response->data};
  }

  void memory_edge(const In& in, const Out& out) {
    const bool store = shows_store(in), answered = out.memory_response && in.memory_response_ready;
    const bool asked = in.memory_request && out.memory_request_ready;
    if (out.memory_response) store_turn_ = store != in.memory_response_ready;
    if (answered && store) stores_.pop_front();
    if (asked && writes(*in.memory_request))
      stores_.push_back(in.memory_request->id);
    else if (asked)
      loads_.take({in.memory_request->id, in.memory_request->mask});
    if (answered && !store) loads_.release(in.memory_bus_response->tag);
  }

  void count(const In& in, const Out& out, std::optional<int> port) {
    const std::uint64_t most =
        p_.count_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << p_.count_bits) - 1;
    for (const auto n : {&Counts::hits, &Counts::misses, &Counts::stalls, &Counts::reads, &Counts::writes,
                         &Counts::read_misses, &Counts::write_misses, &Counts::bank_stalls,
                         &Counts::mshr_stalls, &Counts::memory_stalls, &Counts::response_stalls})
      counts_.*n = (counts_.*n + now_.*n) & most;
    const bool taken = port && out.bus_request_ready[at(*port)];
    now_ = {.hits = in.probe_valid && !in.probe_miss,
            .misses = in.probe_valid && in.probe_miss,
            .stalls = port && !taken};
    const CacheEvents& e = in.events;
    now_.reads = e.loads, now_.writes = e.stores;
    now_.read_misses = e.loads && !e.hits, now_.write_misses = e.stores && !e.store_updates;
    now_.mshr_stalls = e.reservation_fail_mshr || e.reservation_fail_merge;
    now_.memory_stalls = out.memory_bus_request && !in.memory_bus_request_ready;
    int offered = 0;
    for (std::size_t n = 0; n < in.bus_request.size(); ++n) {
      offered += in.bus_request[n].has_value();
      now_.response_stalls += out.bus_response[n] && !in.bus_response_ready[n];
    }
    now_.bank_stalls = taken && offered > 1;
  }

  hw::VortexAdapterParams p_;
  NumberedRequests<Slot> slots_;
  NumberedRequests<Load> loads_;
  std::deque<std::uint64_t> stores_;  // ids
  std::deque<int> order_;             // ports, the one that is asked first in front
  Slot fence_;
  bool flushed_ = false, waits_ = false, store_turn_ = false;
  Counts counts_, now_;  // now_: of the cycle before
};

}  // namespace golden
