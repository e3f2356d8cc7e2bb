// Golden adapter between an AXI4 bus of a core and an L1 data cache, cycle by cycle
// (docs/contracts/axi4-adapter.md).
#pragma once
#include <cstdint>
#include <deque>
#include <optional>

#include "golden/noc/packet.h"
#include "hw/bus/axi4_adapter_params.h"

namespace golden {

// A burst on AR or AW.
struct Axi4Burst {
  std::uint64_t id = 0, address = 0;
  int length = 0;  // beats - 1
  int size = 0;    // logarithm of a beat's bytes
  int type = 1;    // 0 FIXED, 1 INCR, 2 WRAP
  int cache = 0;   // AxCACHE

  bool operator==(const Axi4Burst&) const = default;
};
// A beat on W; bytes of strobe and data count from the bus's first.
struct Axi4Write {
  LineData data = {};
  std::uint64_t strobe = 0;
  bool last = false;

  bool operator==(const Axi4Write&) const = default;
};
// A beat on R; one on B has ID and outcome alone.
struct Axi4Answered {
  std::uint64_t id = 0;
  bool refused = false, last = false;
  LineData data = {};

  bool operator==(const Axi4Answered&) const = default;
};

class Axi4Adapter {
 public:
  struct In {
    std::optional<Axi4Burst> ar = {}, aw = {};
    std::optional<Axi4Write> w = {};
    bool r_ready = false, b_ready = false, core_request_ready = false;
    std::optional<Message> core_response = {};
  };
  struct Out {
    bool ar_ready = false, aw_ready = false, w_ready = false, core_response_ready = true;
    std::optional<Axi4Answered> r = {}, b = {};
    std::optional<Message> core_request = {};
  };

  explicit Axi4Adapter(const hw::Axi4AdapterParams& p) : p_(p) {}

  void reset() { *this = Axi4Adapter(p_); }

  Out outputs(const In& in) const {
    const Leaving leaving = leaves(in);
    Out out;
    out.ar_ready = !read_ || (leaving.read && ends(*read_));
    out.aw_ready = !write_ || (leaving.write && ends(*write_));
    out.w_ready = leaving.write;
    out.r = r_, out.b = b_;
    if (leaving.offers) out.core_request = leaving.writes ? store(*in.w) : load();
    return out;
  }

  void edge(const In& in) {
    const Leaving leaving = leaves(in);
    answers(in);
    if (leaving.offers) turn_ = leaving.writes != in.core_request_ready;
    if (leaving.read) send(read_, reads_, next_read_, p_.reads);
    if (leaving.write) send(write_, writes_, next_write_, p_.writes);
    if (in.ar && !read_) read_ = Beats{*in.ar};
    if (in.aw && !write_) write_ = Beats{*in.aw};
    ++now_;
  }

  // What a bench may ask.
  bool read_slot_free() const { return static_cast<int>(reads_.size()) < p_.reads; }
  bool write_slot_free() const { return static_cast<int>(writes_.size()) < p_.writes; }
  bool both_want(const In& in) const { return wants_read() && wants_write(in); }
  std::int64_t waiting() const {
    std::int64_t n = 0;
    for (const Slot& slot : reads_) n += slot.answered_at.has_value();
    return n;
  }

  static bool refuses(const Axi4Burst& b, int data_bytes) {
    const bool wraps = b.length == 1 || b.length == 3 || b.length == 7 || b.length == 15;
    return (1 << b.size) > data_bytes || b.type == 3 || (b.type == 2 && !wraps);
  }

 private:
  // A burst whose beats from number `sent` on are still to be sent.
  struct Beats {
    Axi4Burst burst = {};
    int sent = 0;
  };
  struct Slot {
    std::uint64_t number = 0, id = 0;
    int first = 0;  // byte of the line
    bool last = false, refused = false;
    std::optional<std::int64_t> answered_at = {};  // the cycle
    LineData data = {};
  };
  // What leaves the bursts in a cycle, and what stands at the cache.
  struct Leaving {
    bool offers = false, writes = false, read = false, write = false;
  };

  static std::uint64_t bytes(int n) { return static_cast<std::uint64_t>(n); }
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static bool ends(const Beats& b) { return b.sent == b.burst.length; }
  bool refused(const Beats& b) const { return refuses(b.burst, p_.data_bytes); }

  // ARM IHI 0022, A3.4.1: the address of a beat.
  static std::uint64_t address_of(const Beats& b) {
    const std::uint64_t number_bytes = std::uint64_t{1} << b.burst.size, start = b.burst.address;
    if (b.burst.type == 0 || b.sent == 0) return start;
    const std::uint64_t aligned = start / number_bytes * number_bytes;
    const std::uint64_t flat = aligned + bytes(b.sent) * number_bytes;
    const std::uint64_t page = start / 4096 * 4096;
    if (b.burst.type != 2) return page + flat % 4096;
    const std::uint64_t whole = number_bytes * bytes(b.burst.length + 1), boundary = start / whole * whole;
    return boundary + (flat - boundary) % whole;
  }
  bool cacheable(const Beats& b) const {
    return p_.cacheable == hw::Axi4Cacheable::all || b.burst.cache >> 2 != 0;
  }

  bool read_present() const { return read_ && read_slot_free(); }
  bool write_present(const In& in) const { return write_ && in.w && write_slot_free(); }
  bool wants_read() const { return read_present() && !refused(*read_); }
  bool wants_write(const In& in) const { return write_present(in) && !refused(*write_); }

  Leaving leaves(const In& in) const {
    Leaving l;
    l.offers = wants_read() || wants_write(in);
    l.writes = wants_write(in) && (turn_ || !wants_read());
    l.read = read_present() && (refused(*read_) || (!l.writes && in.core_request_ready));
    l.write = write_present(in) && (refused(*write_) || (l.writes && in.core_request_ready));
    return l;
  }

  std::uint64_t write_bit() const {
    std::uint64_t bit = 1;
    while (bit < bytes(p_.reads) || bit < bytes(p_.writes)) bit *= 2;
    return bit;
  }
  std::uint64_t word_of(const Beats& b) const {
    return address_of(b) / bytes(p_.data_bytes) * bytes(p_.data_bytes);
  }
  std::uint32_t sector(std::uint64_t address) const {
    return 1u << address % bytes(p_.line_bytes) / bytes(p_.chunk_bytes);
  }

  Message load() const {
    const std::uint64_t address = address_of(*read_), size = std::uint64_t{1} << read_->burst.size;
    Message m{.id = next_read_, .address = word_of(*read_)};
    m.kind = cacheable(*read_) ? RequestKind::load : RequestKind::non_l1;
    for (std::uint64_t b = address; b < address / size * size + size; ++b) m.mask |= sector(b);
    return m;
  }
  Message store(const Axi4Write& w) const {
    Message m{.id = write_bit() + next_write_, .address = word_of(*write_)};
    m.kind = cacheable(*write_) || w.strobe == 0 ? RequestKind::store : RequestKind::non_l1;
    const std::uint64_t first = m.address % bytes(p_.line_bytes);
    for (std::uint64_t b = 0; b < bytes(p_.data_bytes); ++b) {
      const bool written = w.strobe >> b & 1;
      if (written || w.strobe == 0) m.mask |= sector(first + b);
      if (written) m.byte_enable[(first + b) / 64] |= std::uint64_t{1} << (first + b) % 64;
      m.data[(first + b) / 8] |= (w.data[b / 8] >> b % 8 * 8 & 0xff) << (first + b) % 8 * 8;
    }
    return m;
  }

  // A beat takes a slot and leaves its burst.
  void send(std::optional<Beats>& beats, std::deque<Slot>& slots, std::uint64_t& next, int most) {
    Slot slot{.number = next, .id = beats->burst.id, .last = ends(*beats), .refused = refused(*beats)};
    slot.first = static_cast<int>(word_of(*beats) % bytes(p_.line_bytes));
    if (slot.refused) slot.answered_at = now_;
    slots.push_back(slot);
    next = (next + 1) % bytes(most);
    if (++beats->sent > beats->burst.length) beats.reset();
  }

  void answers(const In& in) {
    const bool r_not_full = !r_ || in.r_ready, b_not_full = !b_ || in.b_ready;
    if (r_not_full) r_.reset();
    if (b_not_full) b_.reset();
    // What was answered before this cycle.
    if (!writes_.empty() && writes_.front().answered_at && (b_not_full || !writes_.front().last)) {
      const Slot done = writes_.front();
      writes_.pop_front();
      if (done.last) b_ = Axi4Answered{.id = done.id, .refused = done.refused};
    }
    const bool shown =
        !reads_.empty() && reads_.front().answered_at && *reads_.front().answered_at + 2 <= now_;
    if (r_not_full && shown) leave();
    if (!in.core_response) return;
    const Message& m = *in.core_response;
    if (m.id & write_bit()) {
      for (Slot& slot : writes_)
        if (slot.number == (m.id & (write_bit() - 1))) slot.answered_at = now_;
      return;
    }
    for (Slot& slot : reads_) {
      if (slot.number != m.id) continue;
      for (int b = 0; b < p_.data_bytes; ++b) {
        const int there = slot.first + b;
        slot.data[at(b / 8)] |= (m.data[at(there / 8)] >> there % 8 * 8 & 0xff) << b % 8 * 8;
      }
      slot.answered_at = now_;
      if (&slot == &reads_.front() && r_not_full && !shown) leave();
      return;
    }
  }
  void leave() {
    const Slot& slot = reads_.front();
    r_ = Axi4Answered{.id = slot.id, .refused = slot.refused, .last = slot.last, .data = slot.data};
    reads_.pop_front();
  }

  hw::Axi4AdapterParams p_;
  std::optional<Beats> read_, write_;
  std::deque<Slot> reads_, writes_;
  std::uint64_t next_read_ = 0, next_write_ = 0;
  std::optional<Axi4Answered> r_, b_;
  bool turn_ = false;
  std::int64_t now_ = 0;
};

}  // namespace golden
