// Golden packetiser: a stream of messages in, flits out (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <optional>

#include "golden/noc/packet.h"

namespace golden {

template <hw::PacketParams P>
class Packetiser {
 public:
  using Flit = PacketFlit<P.flit_bytes>;
  struct Out {
    std::optional<Flit> flit;
    bool ready = false;
  };

  Packetiser() { reset(); }

  // `in` is null when not valid; the id of a reply is {destination, id}, and `destination` counts for
  // requests.
  Out outputs(const Message* in, int destination = 0) const {
    if (!in) return {};
    std::uint64_t id = in->id;
    if constexpr (P.network == hw::Network::reply) {
      destination = static_cast<int>(id >> P.id_bits);
      id &= (std::uint64_t{1} << P.id_bits) - 1;
    }
    const std::uint64_t line = in->address / static_cast<unsigned>(P.line_bytes);
    const int vc = vc_of(destination, P.network == hw::Network::request ? line : id);
    if (credits_[static_cast<std::size_t>(vc)] == 0) return {};
    const std::uint32_t flits = flits_of(P, *in), left = flits & ~sent_;
    Flit flit{.vc = vc, .head = sent_ == 0, .tail = (left & (left - 1)) == 0, .port = destination};
    if (left) flit.load = flit_of<P.flit_bytes>(P, *in, std::countr_zero(left));
    if (flit.head) {
      flit.load.id = id;
      flit.load.mask = in->mask;
      if constexpr (P.network == hw::Network::request) flit.load.kind = in->kind, flit.load.line = line;
      flit.load.sideband = hw::take_sideband(P.sideband, in->sideband, hw::no_sideband);
    }
    return {flit, flit.tail};
  }

  void edge(const Message* in, int destination, std::optional<int> credit) {
    edge(in, outputs(in, destination), credit);
  }
  // The same where this cycle's outputs are known.
  void edge(const Message* in, const Out& out, std::optional<int> credit) {
    if (out.flit) {
      --credits_[static_cast<std::size_t>(out.flit->vc)];
      const std::uint32_t left = flits_of(P, *in) & ~sent_;
      sent_ = out.flit->tail ? 0 : sent_ | (left & (0 - left));
    }
    if (credit) ++credits_[static_cast<std::size_t>(*credit)];
  }

  void reset() {
    credits_.fill(P.vc_depth);
    sent_ = 0;
  }

  int credits(int vc) const { return credits_[static_cast<std::size_t>(vc)]; }
  // Flits of the message that have left, a bit each.
  std::uint32_t sent() const { return sent_; }

  static constexpr int vc_of(int destination, std::uint64_t n) {
    if (P.vc_select == hw::VcSelect::line) return static_cast<int>(n % P.vcs);
    if (P.ports >= P.vcs) return destination % P.vcs;
    return destination + P.ports * static_cast<int>(n % static_cast<unsigned>(P.vcs / P.ports));
  }

 private:
  std::array<int, P.vcs> credits_{};
  std::uint32_t sent_ = 0;
};

}  // namespace golden
