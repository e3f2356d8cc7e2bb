// Rules of the streams of a cache in banks: answers and requests to memory stay as they are until they are
// taken, and follow no ready.
#pragma once
#include <fmt/format.h>

#include <array>
#include <optional>

#include "cosim/harness/cycle_cosim.h"
#include "cosim/harness/stream_monitor.h"
#include "golden/noc/packet.h"
#include "hw/banks/banked_l1d_params.h"

namespace verif {

template <hw::BankedL1dParams P>
class BankedRules {
 public:
  using Shown = std::optional<golden::Message>;
  using Responses = std::array<Shown, P.banks>;

  void reset() {
    for (auto& response : responses_) response.reset();
    request_.reset();
  }

  // With other readies in the same cycle.
  void probe(const Responses& responses, const Shown& request) {
    for (std::size_t p = 0; p < responses_.size(); ++p)
      responses_[p].probe(responses[p].has_value(), counted(responses[p]));
    request_.probe(request.has_value(), counted(request, true));
  }

  // With those of the cycle.
  std::optional<Difference> cycle(const Responses& responses, const std::array<bool, P.banks>& ready,
                                  const Shown& request, bool request_ready) {
    for (std::size_t p = 0; p < responses_.size(); ++p) {
      const std::string wrong =
          responses_[p].cycle(responses[p].has_value(), ready[p], counted(responses[p]));
      if (!wrong.empty()) return broken(fmt::format("port{}_response: {}", p, wrong));
    }
    const std::string wrong = request_.cycle(request.has_value(), request_ready, counted(request, true));
    if (!wrong.empty()) return broken("memory_request: " + wrong);
    return {};
  }

 private:
  static Difference broken(const std::string& rule) { return Difference{rule + "; broken rules", 1, 0}; }

  // The bytes that count: under the mask of an answer, under the enables of a request.
  static golden::Message counted(const Shown& m, bool request = false) {
    if (!m) return {};
    golden::Message counts = *m;
    const auto chunk = static_cast<unsigned>(P.l1d.chunk_bytes);
    for (unsigned byte = 0; byte < static_cast<unsigned>(P.l1d.line_bytes); ++byte) {
      const bool in = request ? m->byte_enable[byte / 64] >> byte % 64 & 1 : m->mask >> byte / chunk & 1;
      if (!in) counts.data[byte / 8] &= ~(std::uint64_t{0xff} << byte % 8 * 8);
    }
    return counts;
  }

  std::array<StreamMonitor<golden::Message>, P.banks> responses_{};
  StreamMonitor<golden::Message> request_;
};

}  // namespace verif
