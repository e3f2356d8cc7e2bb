// The channels of an AXI4 bus of a core at the ports of a Verilated module.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "golden/bus/axi4_adapter.h"

namespace verif {

inline constexpr auto drive_axi4_burst = [](const std::optional<golden::Axi4Burst>& b, auto& valid, auto& id,
                                            auto& address, auto& length, auto& size, auto& type,
                                            auto& cache) {
  valid = b.has_value();
  if (!b) return;
  put(id, std::bitset<64>(b->id));
  put(address, std::bitset<64>(b->address));
  length = static_cast<std::uint8_t>(b->length), size = static_cast<std::uint8_t>(b->size);
  type = static_cast<std::uint8_t>(b->type), cache = static_cast<std::uint8_t>(b->cache);
};

// What a core drives on the five channels.
template <class Dut>
void drive_axi4_core(Dut& d, const golden::Axi4Adapter::In& in, int data_bytes) {
  drive_axi4_burst(in.ar, d.s_axi_arvalid, d.s_axi_arid, d.s_axi_araddr, d.s_axi_arlen, d.s_axi_arsize,
                   d.s_axi_arburst, d.s_axi_arcache);
  drive_axi4_burst(in.aw, d.s_axi_awvalid, d.s_axi_awid, d.s_axi_awaddr, d.s_axi_awlen, d.s_axi_awsize,
                   d.s_axi_awburst, d.s_axi_awcache);
  d.s_axi_wvalid = in.w.has_value();
  if (in.w) {
    put(d.s_axi_wstrb, std::bitset<64>(in.w->strobe));
    put_words(d.s_axi_wdata, in.w->data, 8 * data_bytes);
    d.s_axi_wlast = in.w->last;
  }
  d.s_axi_rready = in.r_ready, d.s_axi_bready = in.b_ready;
}

// What it sees. Data of a refused read has no meaning.
template <class Dut>
void shown_to_axi4_core(const Dut& d, golden::Axi4Adapter::Out& out, int data_bytes) {
  out.ar_ready = d.s_axi_arready, out.aw_ready = d.s_axi_awready, out.w_ready = d.s_axi_wready;
  out.r.reset(), out.b.reset();
  if (d.s_axi_rvalid) {
    out.r.emplace();
    out.r->id = bits_of<64>(d.s_axi_rid).to_ullong();
    out.r->refused = d.s_axi_rresp == 2, out.r->last = d.s_axi_rlast;
    if (!out.r->refused) words_of(d.s_axi_rdata, out.r->data, 8 * data_bytes);
  }
  if (d.s_axi_bvalid) {
    out.b.emplace();
    out.b->id = bits_of<64>(d.s_axi_bid).to_ullong();
    out.b->refused = d.s_axi_bresp == 2;
  }
}

// Outcomes other than OKAY and SLVERR.
template <class Dut>
bool axi4_outcomes_known(const Dut& d) {
  return (!d.s_axi_rvalid || d.s_axi_rresp == 0 || d.s_axi_rresp == 2) &&
         (!d.s_axi_bvalid || d.s_axi_bresp == 0 || d.s_axi_bresp == 2);
}

// `data` says whether a beat has data.
inline std::optional<Difference> axi4_difference(const std::string& channel,
                                                 const std::optional<golden::Axi4Answered>& got,
                                                 const std::optional<golden::Axi4Answered>& want,
                                                 std::uint64_t data) {
  const std::string port = "s_axi_" + channel;
  if (got.has_value() != want.has_value())
    return Difference{port + "valid", got.has_value(), want.has_value()};
  if (!got) return {};
  if (got->id != want->id) return Difference{port + "id", got->id, want->id};
  if (got->refused != want->refused) return Difference{port + "resp", got->refused, want->refused};
  if (got->last != want->last) return Difference{port + "last", got->last, want->last};
  for (std::size_t b = 0; b < 64 && !want->refused; ++b) {
    const auto byte = [&](const golden::Axi4Answered& r) { return r.data[b / 8] >> b % 8 * 8 & 0xff; };
    if (data >> b & 1 && byte(*got) != byte(*want))
      return Difference{fmt::format("{}data, byte {}", port, b), byte(*got), byte(*want)};
  }
  return {};
}

}  // namespace verif
