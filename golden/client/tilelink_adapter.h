// Golden adapter between a TileLink-UL bus of a core and an L1 data cache, cycle by cycle
// (docs/contracts/tilelink-adapter.md).
#pragma once
#include <cstdint>
#include <optional>

#include "golden/client/numbered_requests.h"
#include "golden/packet/packet.h"
#include "hw/client/tilelink_adapter_params.h"

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
    if (in.a && refuses(*in.a)) {
      out.a_ready = !denied_;
    } else if (in.a && slots_.not_full()) {
      out.core_request = to_cache(*in.a);
      out.a_ready = in.core_request_ready;
    }
    if (shows_denied(in)) {
      out.d = denied_;
    } else if (in.core_response) {
      out.d = answer(*in.core_response);
      out.core_response_ready = in.d_ready;
    }
    return out;
  }

  void edge(const In& in) {
    const Out out = outputs(in);
    const bool denied = shows_denied(in);
    if (out.d) denied_next_ = denied != in.d_ready;
    if (denied && in.d_ready) denied_.reset();
    if (!denied && out.d && in.d_ready) slots_.release(in.core_response->id);
    if (!in.a || !out.a_ready) return;
    if (out.core_request)
      slots_.take(*in.a);
    else
      denied_ = denial(*in.a);
  }

  // For observers.
  bool slot_free() const { return slots_.not_full(); }
  bool denies() const { return denied_.has_value(); }

  static bool refuses(const TilelinkA& a) {
    const bool put = a.opcode == 0 || a.opcode == 1;
    return put ? a.corrupt : a.opcode != 4;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static bool reads(const TilelinkA& a) { return a.opcode == 4; }

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
    m.kind = reads(a) ? RequestKind::load : RequestKind::store;
    if (of_device(a) && a.mask != 0) m.kind = RequestKind::non_l1;
    for (int b = 0; b < p_.data_bytes; ++b) {
      const int there = first(a) + b;
      const bool meant = a.mask >> b & 1;
      // A word within a sector is of that sector, also with an empty mask.
      if (meant || a.mask == 0 || p_.data_bytes <= p_.chunk_bytes) m.mask |= 1u << there / p_.chunk_bytes;
      if (meant && !reads(a)) m.byte_enable[at(there / 64)] |= std::uint64_t{1} << there % 64;
      const std::uint64_t value = a.data[at(b / 8)] >> b % 8 * 8 & 0xff;
      for (int copy = b; copy < p_.line_bytes; copy += p_.data_bytes)
        m.data[at(copy / 8)] |= value << copy % 8 * 8;
    }
    return m;
  }

  TilelinkD answer(const Message& response) const {
    const TilelinkA a = slots_.at(response.id);
    TilelinkD d{.opcode = reads(a), .size = a.size, .source = a.source};
    for (int b = 0; b < p_.data_bytes; ++b) {
      const int there = first(a) + b;
      d.data[at(b / 8)] |= (response.data[at(there / 8)] >> there % 8 * 8 & 0xff) << b % 8 * 8;
    }
    return d;
  }

  static TilelinkD denial(const TilelinkA& a) {
    const bool data = a.opcode == 2 || a.opcode == 3;
    return {.opcode = a.opcode == 5 ? 2 : data,
            .size = a.size,
            .source = a.source,
            .denied = true,
            .corrupt = data};
  }

  bool shows_denied(const In& in) const { return denied_ && (denied_next_ || !in.core_response); }

  hw::TilelinkAdapterParams p_;
  NumberedRequests<TilelinkA> slots_;
  std::optional<TilelinkD> denied_;
  bool denied_next_ = false;
};

}  // namespace golden
