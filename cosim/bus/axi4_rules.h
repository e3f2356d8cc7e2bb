// What an AXI4 manager shows in a cycle, and the rules of the AXI4 specification (ARM IHI 0022) that it must
// keep.
#pragma once
#include <fmt/format.h>

#include <bit>
#include <deque>
#include <string>

#include "cosim/bus/axi4_memory.h"
#include "cosim/harness/port_bits.h"
#include "cosim/harness/stream_monitor.h"

namespace verif {

struct Axi4Channel {
  bool valid = false;
  std::uint32_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t length = 0, size = 0, burst = 0, cache = 0, prot = 0;
  bool operator==(const Axi4Channel&) const = default;
};

struct Axi4WriteChannel {
  bool valid = false, last = false;
  golden::LineData data{};
  golden::ByteMask strobe{};
  bool operator==(const Axi4WriteChannel&) const = default;
};

struct Axi4Shown {
  Axi4Channel aw, ar;
  Axi4WriteChannel w;
  bool b_ready = false, r_ready = false;
  bool operator==(const Axi4Shown&) const = default;
};

// Reads the outputs of a Verilated module with AXI4 ports of `beat_bytes`.
template <class Dut>
Axi4Shown axi4_shown(const Dut& d, int beat_bytes) {
  Axi4Shown s;
  s.aw = {d.axi_awvalid != 0, d.axi_awid,    d.axi_awaddr,  d.axi_awlen,
          d.axi_awsize,       d.axi_awburst, d.axi_awcache, d.axi_awprot};
  s.ar = {d.axi_arvalid != 0, d.axi_arid,    d.axi_araddr,  d.axi_arlen,
          d.axi_arsize,       d.axi_arburst, d.axi_arcache, d.axi_arprot};
  s.w.valid = d.axi_wvalid, s.w.last = d.axi_wlast;
  words_of(d.axi_wdata, s.w.data, 8 * beat_bytes);
  words_of(d.axi_wstrb, s.w.strobe, beat_bytes);
  s.b_ready = d.axi_bready, s.r_ready = d.axi_rready;
  return s;
}

// Drives what a memory shows, and its ready signals.
template <class Dut>
void axi4_drive(Dut& d, const std::optional<Axi4Memory::B>& b, const std::optional<Axi4Memory::R>& r,
                bool aw_ready, bool w_ready, bool ar_ready, int beat_bytes) {
  d.axi_awready = aw_ready, d.axi_wready = w_ready, d.axi_arready = ar_ready;
  d.axi_bvalid = b.has_value(), d.axi_rvalid = r.has_value();
  if (b) d.axi_bid = static_cast<std::uint8_t>(b->id), d.axi_bresp = static_cast<std::uint8_t>(b->resp);
  if (!r) return;
  d.axi_rid = static_cast<std::uint8_t>(r->id), d.axi_rresp = static_cast<std::uint8_t>(r->resp);
  d.axi_rlast = r->last;
  put_words(d.axi_rdata, r->data, 8 * beat_bytes);
}

class Axi4Rules {
 public:
  explicit Axi4Rules(int beat_bytes) : beat_bytes_(static_cast<std::uint64_t>(beat_bytes)) {}

  // The outputs of a cycle with all AXI4 inputs the other way: called before cycle(), which must show the
  // same.
  void probe(const Axi4Shown& s) { probed_ = s; }

  // The rule that a cycle breaks, or nothing. Addresses and data of one write may come in either order.
  std::string cycle(const Axi4Shown& s, bool aw_ready, bool w_ready, bool ar_ready) {
    if (probed_ && *probed_ != s) return "AXI4: an output depends on an input of the same cycle";
    probed_.reset();
    if (auto x = aw_.cycle(s.aw.valid, aw_ready, s.aw); !x.empty()) return "AW: " + x;
    if (auto x = w_.cycle(s.w.valid, w_ready, s.w); !x.empty()) return "W: " + x;
    if (auto x = ar_.cycle(s.ar.valid, ar_ready, s.ar); !x.empty()) return "AR: " + x;
    if (auto x = address(s.aw); !x.empty()) return "AW: " + x;
    if (auto x = address(s.ar); !x.empty()) return "AR: " + x;
    if (s.aw.valid && aw_ready) writes_.push_back(s.aw);
    if (s.w.valid && w_ready) beats_.push_back(s.w);
    return data();
  }

  void reset() { *this = Axi4Rules(static_cast<int>(beat_bytes_)); }

 private:
  std::string address(const Axi4Channel& a) const {
    if (!a.valid) return "";
    const std::uint64_t bytes = std::uint64_t{1} << a.size, end = a.address + bytes * (a.length + 1) - 1;
    if (a.burst != 1) return "burst is not INCR";
    if (bytes > beat_bytes_) return "size is wider than the bus";
    if (a.address % bytes) return "address is not a multiple of the size";
    if (a.address / 4096 != end / 4096) return "burst crosses 4 KiB";
    return "";
  }

  // Data that has met its address: the last beat is the last one, and strobes stay on the beat's lanes.
  std::string data() {
    while (!writes_.empty() && !beats_.empty()) {
      const Axi4Channel& a = writes_.front();
      const std::uint64_t bytes = std::uint64_t{1} << a.size,
                          lanes = (a.address + bytes * beat_) % beat_bytes_;
      for (std::uint64_t lane = 0; lane < beat_bytes_; ++lane)
        if (beats_.front().strobe[lane / 64] >> lane % 64 & 1 && (lane < lanes || lane >= lanes + bytes))
          return "W: a strobe beside the lanes of the beat";
      const bool last = beat_ == a.length;
      if (beats_.front().last != last) return "W: last is not at the last beat";
      beats_.pop_front();
      beat_ = last ? 0 : beat_ + 1;
      if (last) writes_.pop_front();
    }
    return "";
  }

  std::uint64_t beat_bytes_;
  StreamMonitor<Axi4Channel> aw_, ar_;
  StreamMonitor<Axi4WriteChannel> w_;
  std::optional<Axi4Shown> probed_;
  std::deque<Axi4Channel> writes_;
  std::deque<Axi4WriteChannel> beats_;
  std::uint32_t beat_ = 0;  // of the first write whose address came
};

}  // namespace verif
