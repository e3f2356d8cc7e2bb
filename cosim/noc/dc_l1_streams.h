// The ports of a Verilated topology: driven, and compared with what its reference model shows.
#pragma once
#include "cosim/l1d/cache_upsets.h"
#include "cosim/noc/dc_ports.h"
#include "golden/topology/topology.h"

namespace verif {

// `Ports` names the streams: see gen/units/topology/topology_ports.h, which writes it.
template <class Dut, hw::TopologyParams P, class Ports>
struct DcL1Streams {
  static constexpr int line = P.l1d.line_bytes, chunk = P.l1d.chunk_bytes;

  static void drive(Dut& dut, const golden::TopologyIn& in) {
    Ports::each_core(dut, [&](int c, const auto& request, const auto& response) {
      request.drive(in.request[at(c)], line);
      response.ready = in.response_ready[at(c)];
    });
    Ports::each_slice(dut, [&](int s, const auto& request, const auto& response) {
      request.ready = in.slice_request_ready[at(s)];
      response.drive(in.slice_response[at(s)], line);
    });
    dut.flush_valid = in.flush_valid;
  }

  // The first port that differs, outputs being settled.
  static std::optional<Difference> compare(Dut& dut, const golden::TopologyOut& want) {
    std::optional<Difference> found;
    const auto check = [&](const std::optional<Difference>& d) {
      if (!found) found = d;
    };
    Ports::each_core(dut, [&](int c, const auto& request, const auto& response) {
      if (request.ready != want.request_ready[at(c)])
        check(Difference{fmt::format("core{}_request_ready", c), request.ready, want.request_ready[at(c)]});
      if (!response.valid && !want.response[at(c)]) return;
      check(stream_difference(fmt::format("core{}_response", c), response.shown(line), want.response[at(c)],
                              false, line, chunk));
    });
    Ports::each_slice(dut, [&](int s, const auto& request, const auto& response) {
      const bool ready = want.slice_response_ready[at(s)];
      if (response.ready != ready)
        check(Difference{fmt::format("slice{}_response_ready", s), response.ready, ready});
      if (!request.valid && !want.slice_request[at(s)]) return;
      check(stream_difference(fmt::format("slice{}_request", s), request.shown(line),
                              want.slice_request[at(s)], true, line, chunk));
    });
    if (!found && dut.flush_ready != want.flush_ready)
      found = Difference{"flush_ready", dut.flush_ready, want.flush_ready};
    return found;
  }

  // The same of the outputs of protected caches.
  static std::optional<Difference> compare(Dut& dut, const golden::Topology& golden) {
    std::optional<Difference> found;
    Ports::each_ecc(dut, [&](int n, const char* name, const auto&... port) {
      if (!found) found = ecc_difference(name, golden.cache(n).shown(), port...);
    });
    return found;
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
};

}  // namespace verif
