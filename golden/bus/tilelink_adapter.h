// Golden adapter between a TileLink bus of a core and an L1 data cache, cycle by cycle
// (docs/contracts/tilelink-adapter.md).
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "golden/bus/numbered_requests.h"
#include "golden/noc/packet.h"
#include "hw/bus/tilelink_adapter_params.h"

namespace golden {

// A beat of channel A; bytes of mask and data count from the bus's first.
struct TilelinkA {
  int opcode = 0, param = 0, size = 0;
  std::uint64_t source = 0, address = 0, mask = 0;
  LineData data = {};
  bool corrupt = false;

  bool operator==(const TilelinkA&) const = default;
};
// A beat of channel D.
struct TilelinkD {
  int opcode = 0, size = 0;
  std::uint64_t source = 0;
  bool denied = false, corrupt = false;
  LineData data = {};

  bool operator==(const TilelinkD&) const = default;
};

class TilelinkAdapter {
 public:
  struct In {
    std::optional<TilelinkA> a = {};
    bool core_request_ready = false, d_ready = false;
    std::optional<Message> core_response = {};
  };
  struct Out {
    bool a_ready = false, core_response_ready = false;
    std::optional<Message> core_request = {};
    std::optional<TilelinkD> d = {};
  };

  explicit TilelinkAdapter(const hw::TilelinkAdapterParams& p) : p_(p), slots_(p.requests) {}

  void reset() { *this = TilelinkAdapter(p_); }

  Out outputs(const In& in) const {
    Out out;
    if (in.a && !completes(*in.a)) {
      out.a_ready = true;
    } else if (in.a && refuses(*in.a)) {
      out.a_ready = !denied_;
    } else if (in.a && slots_.not_full()) {
      out.core_request = to_cache(*in.a);
      out.a_ready = in.core_request_ready;
    }
    if (shows_denied(in)) {
      out.d = denied_;
    } else if (in.core_response) {
      out.d = answer(*in.core_response);
      out.core_response_ready = in.d_ready && ends(*out.d);
    }
    return out;
  }

  void edge(const In& in) {
    const Out out = outputs(in);
    const bool denied = shows_denied(in);
    if (out.d) {
      const bool accepted = in.d_ready && ends(*out.d);
      denied_next_ = denied != accepted;
      if (in.d_ready) d_beat_ = accepted ? 0 : d_beat_ + 1;
      if (denied && accepted) denied_.reset();
      if (!denied && accepted) slots_.release(in.core_response->id);
    }
    if (!in.a || !out.a_ready) return;
    if (!completes(*in.a)) return keep(*in.a);
    if (out.core_request)
      slots_.take(*in.a);
    else
      denied_ = denial(*in.a);
    earlier_ = {};
  }

  // For observers.
  bool slot_free() const { return slots_.not_full(); }
  bool denies() const { return denied_.has_value(); }
  int d_beat() const { return d_beat_; }
  int a_beat() const { return earlier_.beats; }

  // The beat is the last of its message.
  bool completes(const TilelinkA& a) const {
    return earlier_.beats + 1 >= (a.opcode < 4 ? words_of(a.size) : 1);
  }
  // The message of the beat, if this one completes it.
  bool refuses(const TilelinkA& a) const { return writes(a) ? a.corrupt || earlier_.corrupt : !reads(a); }

 private:
  // What the beats of a Put brought that came before the one on channel A; bytes of the line.
  struct Earlier {
    int beats = 0;
    bool corrupt = false;
    ByteMask mask = {};
    LineData data = {};
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static bool reads(const TilelinkA& a) { return a.opcode == 4; }
  static bool writes(const TilelinkA& a) { return a.opcode == 0 || a.opcode == 1; }

  // Words of the bus in a message of 2^size bytes.
  int words_of(int size) const {
    const int bytes = std::min(1 << size, hw::largest_message(p_));
    return std::max(bytes / p_.data_bytes, 1);
  }
  bool ends(const TilelinkD& d) const { return d_beat_ + 1 >= (d.opcode == 1 ? words_of(d.size) : 1); }

  // The bytes of the beat on channel A, added to those of the earlier ones.
  Earlier with(const TilelinkA& a) const {
    Earlier all = earlier_;
    const int word = first(a) + earlier_.beats * p_.data_bytes;
    for (int b = 0; b < p_.data_bytes; ++b) {
      const int there = (word + b) % p_.line_bytes;
      if (!(a.mask >> b & 1)) continue;
      all.mask[at(there / 64)] |= std::uint64_t{1} << there % 64;
      all.data[at(there / 8)] |= (a.data[at(b / 8)] >> b % 8 * 8 & 0xff) << there % 8 * 8;
    }
    return all;
  }
  void keep(const TilelinkA& a) {
    if (writes(a)) {
      earlier_ = with(a);
      earlier_.corrupt |= a.corrupt;
    }
    ++earlier_.beats;
  }

  // First byte of the bus's word in the line.
  int first(const TilelinkA& a) const {
    const auto word = static_cast<unsigned>(p_.data_bytes);
    return static_cast<int>(a.address % static_cast<unsigned>(p_.line_bytes) / word * word);
  }
  bool of_device(const TilelinkA& a) const {
    if (p_.devices == hw::DeviceHalf::none) return false;
    return (a.address >> p_.device_bit & 1) == (p_.devices == hw::DeviceHalf::high);
  }

  Message to_cache(const TilelinkA& a) const {
    Message m{
        .id = slots_.next(),
        .address = a.address / static_cast<unsigned>(p_.data_bytes) * static_cast<unsigned>(p_.data_bytes)};
    const Earlier all = with(a);
    const bool none = all.mask == ByteMask{};
    m.kind = reads(a) ? RequestKind::load : RequestKind::store;
    if (of_device(a) && !none) m.kind = RequestKind::non_l1;
    const int words = words_of(a.size);
    for (int b = 0; b < words * p_.data_bytes; ++b) {
      const int there = (first(a) + b) % p_.line_bytes;
      const bool meant = all.mask[at(there / 64)] >> there % 64 & 1;
      if (meant || none || (reads(a) && words > 1)) m.mask |= 1u << there / p_.chunk_bytes;
    }
    if (!reads(a)) m.byte_enable = all.mask, m.data = all.data;
    return m;
  }

  TilelinkD answer(const Message& response) const {
    const TilelinkA a = slots_.at(response.id);
    TilelinkD d{.opcode = reads(a), .size = a.size, .source = a.source};
    for (int b = 0; b < p_.data_bytes; ++b) {
      const int there = (first(a) + d_beat_ * p_.data_bytes + b) % p_.line_bytes;
      d.data[at(b / 8)] |= (response.data[at(there / 8)] >> there % 8 * 8 & 0xff) << b % 8 * 8;
    }
    return d;
  }

  // A bus with bursts has hints, which may be ignored.
  TilelinkD denial(const TilelinkA& a) const {
    const bool data = a.opcode == 2 || a.opcode == 3, hint = a.opcode == 5;
    return {.opcode = hint ? 2 : data,
            .size = a.size,
            .source = a.source,
            .denied = !hint || hw::most_beats(p_) == 1,
            .corrupt = data};
  }

  bool shows_denied(const In& in) const { return denied_ && (denied_next_ || !in.core_response); }

  hw::TilelinkAdapterParams p_;
  NumberedRequests<TilelinkA> slots_;
  Earlier earlier_;
  int d_beat_ = 0;
  std::optional<TilelinkD> denied_;
  bool denied_next_ = false;
};

}  // namespace golden
