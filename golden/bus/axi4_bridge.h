// Golden AXI4 bridge: what a cache asks of its memory as AXI4 reads and writes, each line's in order (ARM IHI
// 0022; docs/contracts/axi4-bridge.md).
#pragma once
#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "golden/bus/axi4_check.h"
#include "golden/cache/l1d_types.h"
#include "hw/bus/axi4_bridge_params.h"
#include "hw/bus/axi4_read_order_params.h"

namespace golden {

// What is driven into the bridge in a cycle. Lines and beats are pointed to and must stay until the edge.
struct Axi4In {
  bool rst = false;
  bool request_valid = false;
  std::uint64_t request_id = 0;
  RequestKind request_kind = RequestKind::load;
  std::uint64_t request_address = 0;
  std::uint32_t request_mask = 0;
  const ByteMask* request_byte_enable = nullptr;  // null = all 0
  const LineData* request_data = nullptr;
  bool response_ready = false;
  bool aw_ready = false, w_ready = false, ar_ready = false;
  bool b_valid = false;
  std::uint32_t b_id = 0, b_resp = 0;
  bool r_valid = false, r_last = false;
  std::uint32_t r_id = 0, r_resp = 0;
  const LineData* r_data = nullptr;  // the beat's bytes, from byte 0 on
};

// AW and AR without what never changes.
struct Axi4Address {
  bool valid = false;
  std::uint32_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t length = 0, size = 0, cache = 0;
  bool operator==(const Axi4Address&) const = default;
};

// What the bridge drives, given its inputs. Fields count while valid, data under the strobes or the mask.
struct Axi4Out {
  bool request_ready = false;
  bool response_valid = false;
  std::uint64_t response_id = 0;
  std::uint32_t response_mask = 0;
  const LineData* response_data = nullptr;
  Axi4Address aw, ar;
  bool w_valid = false, w_last = false;
  ByteMask w_strobe{};                    // of the beat, from byte 0 on
  const std::uint64_t* w_data = nullptr;  // its words
  bool b_ready = false, r_ready = false;
  bool error = false;
  // Where it checks what comes back. Behind an answer that breaks the rules nothing else counts.
  hw::ProtocolError protocol_error_code = hw::ProtocolError::none;
  bool undefined = false;
};

class Axi4Bridge {
 public:
  struct Place {
    bool write = false;
    std::uint64_t line = 0, id = 0;
    std::uint32_t mask = 0;
  };

  explicit Axi4Bridge(const hw::Axi4BridgeParams& p) : p_(p), places_(static_cast<std::size_t>(p.requests)) {
    if (p.check.ports) check_.emplace(p);
  }

  // What the ports show, from the state before the edge.
  Axi4Out outputs(const Axi4In& in) const {
    Axi4Out out;
    if (check_) out.protocol_error_code = check_->code();
    out.undefined = check_ && check_->broken();
    if (out.undefined) return out;
    respond(out);
    out.b_ready = !ack_ || (out.response_valid && !offers_read() && in.response_ready);
    out.r_ready = !read_ || (offers_read() && in.response_ready);
    out.error = error_;
    if (!may_go(in)) return out;
    if (writes(in)) {
      const Block block = block_of(in.request_mask);
      const int beats = beats_of(block), part = beats == 2 ? w_second_ : upper(block);
      if (!aw_done_) out.aw = address_of(in, block, spare_);
      out.w_valid = !w_done_;
      out.w_last = beats == 1 || w_second_;
      for (int word = 0; in.request_byte_enable && word < 2; ++word)
        out.w_strobe[word] = (*in.request_byte_enable)[2 * part + word];
      out.w_data = in.request_data ? in.request_data->data() + 16 * part : nullptr;
      const bool aw = aw_done_ || in.aw_ready, w = w_done_ || (in.w_ready && out.w_last);
      out.request_ready = aw && w;
    } else if (scattered(in)) {
      if (!gathering_) out.ar = address_of(in, next_chunk(in), spare_);
      const bool last = std::popcount(in.request_mask & ~gathered_) == 1;
      out.request_ready = gathering_ && last && in.r_valid && out.r_ready;
    } else {
      out.ar = address_of(in, block_of(in.request_mask), spare_);
      out.request_ready = in.ar_ready;
    }
    return out;
  }

  void edge(const Axi4In& in) {
    if (in.rst) {
      *this = Axi4Bridge(p_);
      return;
    }
    const Axi4Out out = outputs(in);
    const bool taken = in.request_valid && out.request_ready;
    if (check_) check_edge(in, out, taken);
    if (check_ && check_->broken()) return;
    const bool r = in.r_valid && out.r_ready && is_owed_read(in),
               b = in.b_valid && out.b_ready && is_owed_write(in);
    error_ =
        (r && in.r_resp >= 2) || (b && in.b_resp >= 2) || (taken && in.request_kind == RequestKind::atomic);
    const std::vector<std::optional<Place>> before = places_;
    answered(in, out);
    if (b) ack_ = in.b_id;
    if (r) read_beat(in);
    if (taken)
      places_[static_cast<std::size_t>(spare_)] =
          Place{writes(in), line_of(in), in.request_id, writes(in) ? 0 : in.request_mask};
    sent(in, out, taken);
    if (taken || !spare_valid_) find_spare(before, taken);
  }

  // Of benches: what the state is about.
  const std::vector<std::optional<Place>>& places() const { return places_; }
  int in_use() const {
    return static_cast<int>(std::ranges::count_if(places_, [](const auto& x) { return x.has_value(); }));
  }
  bool spare_valid() const { return spare_valid_; }
  bool held(const Axi4In& in) const { return in.request_valid && spare_valid_ && !may_go(in); }
  bool scattered(const Axi4In& in) const {
    return in.request_kind == RequestKind::non_l1 && !writes(in) &&
           std::popcount(in.request_mask) != block_of(in.request_mask).chunks;
  }
  bool writes(const Axi4In& in) const {
    if (in.request_kind == RequestKind::store) return true;
    return in.request_kind == RequestKind::non_l1 && in.request_byte_enable &&
           *in.request_byte_enable != ByteMask{};
  }
  bool both_answers() const { return read_ && ack_; }
  bool gathering() const { return gathered_ != 0; }
  const Axi4Check* check() const { return check_ ? &*check_ : nullptr; }

 private:
  struct Block {
    int first = 0, chunks = 1;
  };

  std::uint64_t line_of(const Axi4In& in) const {
    return in.request_address / static_cast<std::uint64_t>(p_.line_bytes);
  }

  // The smallest aligned block of 2^k chunks that holds the mask: grow from single chunks until one does.
  Block block_of(std::uint32_t mask) const {
    const int lowest = std::countr_zero(mask);
    Block b{lowest, 1};
    const auto holds = [&](const Block& x) {
      for (int c = 0; c < 32; ++c)
        if (mask >> c & 1 && (c < x.first || c >= x.first + x.chunks)) return false;
      return true;
    };
    while (!holds(b) && b.chunks < 32) {
      b.chunks *= 2;
      b.first = lowest / b.chunks * b.chunks;
    }
    return b;
  }

  Block next_chunk(const Axi4In& in) const { return {std::countr_zero(in.request_mask & ~gathered_), 1}; }

  int bytes_of(const Block& b) const { return b.chunks * p_.chunk_bytes; }
  int beats_of(const Block& b) const { return bytes_of(b) == 256 ? 2 : 1; }
  int upper(const Block& b) const { return b.first * p_.chunk_bytes >= 128; }

  Axi4Address address_of(const Axi4In& in, const Block& b, int place) const {
    const int beats = beats_of(b);
    return {.valid = true,
            .id = writes(in) ? static_cast<std::uint32_t>(place) : read_id(line_of(in)),
            .address = line_of(in) * static_cast<std::uint64_t>(p_.line_bytes) +
                       static_cast<std::uint64_t>(b.first * p_.chunk_bytes),
            .length = static_cast<std::uint32_t>(beats - 1),
            .size = static_cast<std::uint32_t>(std::countr_zero(static_cast<unsigned>(bytes_of(b) / beats))),
            .cache = in.request_kind == RequestKind::non_l1 ? 0u : 3u};
  }

  // All reads of a line have one ID, so that they come back in order; with two beats a line all reads have.
  std::uint32_t read_id(std::uint64_t line) const {
    const auto ids = static_cast<std::uint64_t>(hw::axi_read_ids(p_));
    std::uint64_t id = 0;
    for (int digit = 0; digit < hw::axi_read_id_digits; ++digit, line /= ids) id ^= line % ids;
    return static_cast<std::uint32_t>(id);
  }

  bool may_go(const Axi4In& in) const {
    if (!in.request_valid || !spare_valid_) return false;
    if (!writes(in) && scattered(in)) return in_use() == 0;
    return std::ranges::none_of(
        places_, [&](const auto& x) { return x && x->line == line_of(in) && (x->write || writes(in)); });
  }

  bool offers_read() const { return read_ && (!turn_ack_ || !ack_); }

  void respond(Axi4Out& out) const {
    out.response_valid = read_ || ack_;
    if (!out.response_valid) return;
    const Place& place = *places_[offers_read() ? *read_ : *ack_];
    out.response_id = place.id;
    out.response_mask = place.mask;
    if (offers_read()) out.response_data = &read_data_;
  }

  // The answer on memory_response: it leaves, or it stays in front.
  void answered(const Axi4In& in, const Axi4Out& out) {
    if (!out.response_valid) return;
    const bool read = offers_read();
    turn_ack_ = read == in.response_ready;
    if (!in.response_ready) return;
    places_[read ? *read_ : *ack_].reset();
    (read ? read_ : ack_).reset();
  }

  // Without a check an answer to no request is undefined. Here it does not count, so that a model can be
  // timed alone with the inputs of a run in which upsets made it ask for more.
  bool is_owed_read(const Axi4In& in) const {
    const auto sent = order_.find(in.r_id);
    return gathering_ || (sent != order_.end() && !sent->second.empty());
  }
  bool is_owed_write(const Axi4In& in) const {
    return in.b_id < places_.size() && places_[in.b_id] && places_[in.b_id]->write;
  }

  void read_beat(const Axi4In& in) {
    if (gathering_) {
      const int chunk = next_chunk(in).first;
      copy(in, chunk * p_.chunk_bytes, p_.chunk_bytes);
      gathering_ = false;
      gathered_ |= 1u << chunk;
      if ((in.request_mask & ~gathered_) != 0) return;
      gathered_ = 0;
      read_ = static_cast<std::uint32_t>(spare_);
      return;
    }
    if (p_.line_bytes < 256) {
      copy(in, 0, p_.line_bytes);
    } else {
      if (!read_second_) copy(in, 0, 128);
      copy(in, 128, 128);
      read_second_ = !in.r_last;
      if (!in.r_last) return;
    }
    std::deque<int>& sent = order_[in.r_id];
    read_ = static_cast<std::uint32_t>(sent.front());
    sent.pop_front();
  }

  // Bytes of the line, from the lanes of their address; chunks are whole words.
  void copy(const Axi4In& in, int first, int bytes) {
    for (int byte = first; byte < first + bytes; byte += 8)
      read_data_[static_cast<std::size_t>(byte / 8)] =
          in.r_data ? (*in.r_data)[static_cast<std::size_t>(byte % 128 / 8)] : 0;
  }

  // What the request at memory_request has sent in this cycle.
  void sent(const Axi4In& in, const Axi4Out& out, bool taken) {
    if (out.aw.valid && in.aw_ready) aw_done_ = true;
    if (out.w_valid && in.w_ready) (out.w_last ? w_done_ : w_second_) = true;
    if (taken) aw_done_ = w_done_ = w_second_ = false;
    if (!out.ar.valid || !in.ar_ready) return;
    if (taken)
      order_[out.ar.id].push_back(spare_);
    else
      gathering_ = true;
  }

  void check_edge(const Axi4In& in, const Axi4Out& out, bool taken) {
    Axi4Check::Transfers t;
    if (taken && writes(in)) t.write = spare_;
    if (out.ar.valid && in.ar_ready)
      t.read = {out.ar.id, {.place = spare_, .beats = static_cast<int>(out.ar.length) + 1}};
    if (in.b_valid && out.b_ready) t.b = in.b_id;
    if (in.r_valid && out.r_ready) t.r = {.id = in.r_id, .last = in.r_last};
    check_->edge(t);
  }

  // `before`: the table at the beginning of the cycle.
  void find_spare(const std::vector<std::optional<Place>>& before, bool taken) {
    const int used = taken ? spare_ : -1;
    spare_valid_ = false;
    for (int i = 0; i < p_.requests && !spare_valid_; ++i)
      if (!before[static_cast<std::size_t>(i)] && i != used) spare_ = i, spare_valid_ = true;
  }

  hw::Axi4BridgeParams p_;
  std::optional<Axi4Check> check_;
  std::vector<std::optional<Place>> places_;  // the table of requests
  int spare_ = 0;
  bool spare_valid_ = true;
  bool aw_done_ = false, w_done_ = false, w_second_ = false;
  std::uint32_t gathered_ = 0;
  bool gathering_ = false;
  std::map<std::uint32_t, std::deque<int>> order_;  // entries of reads on their way, by ID
  std::optional<std::uint32_t> read_, ack_;         // the entries whose answers stand in the two stages
  LineData read_data_{};
  bool read_second_ = false, turn_ack_ = false, error_ = false;
};

}  // namespace golden
