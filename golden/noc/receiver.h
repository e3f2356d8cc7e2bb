// Golden receiver: flits in, a stream of messages out (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <deque>
#include <optional>

#include "golden/noc/packet.h"
#include "golden/ring.h"

namespace golden {

template <hw::PacketParams P>
class Receiver {
 public:
  using Flit = PacketFlit<P.flit_bytes>;

  // What the last edge took, for benches.
  struct Step {
    bool taken = false, waited_for_flit = false, waited_for_ready = false;
  };

  // The message that is complete in this cycle; it does not depend on `out_ready`.
  std::optional<Message> out() const {
    const Flit* f = next();
    if (!f || !f->tail) return {};
    Message m = message_;
    add(m, *f);
    return m;
  }
  // The register: a flit of this VC was taken in the cycle before.
  const std::optional<int>& credit() const { return credit_; }

  void edge(const std::optional<Flit>& in, bool out_ready) {
    const Flit* f = next();
    step_ = {.taken = f && (!f->head || out_ready),
             .waited_for_flit = !f && !order_.empty(),
             .waited_for_ready = f && f->head && !out_ready};
    credit_.reset();
    if (step_.taken) take(*f);
    if (!in) return;
    fifo_[static_cast<std::size_t>(in->vc)].push_back(*in);
    if (in->head) order_.push_back(in->vc);
  }

  void reset() { *this = {}; }

  const Step& last_step() const { return step_; }
  std::size_t held(int vc) const { return fifo_[static_cast<std::size_t>(vc)].size(); }
  // VCs of the packets that are here, in the order of their heads.
  const std::deque<int>& order() const { return order_; }

 private:
  const Flit* next() const {
    if (order_.empty()) return nullptr;
    const auto& flits = fifo_[static_cast<std::size_t>(order_.front())];
    return flits.empty() ? nullptr : &flits.front();
  }

  void take(const Flit& f) {
    if (f.tail) {
      message_ = {};
      taken_ = 0;
    } else {
      add(message_, f);
      ++taken_;
    }
    const int vc = order_.front();
    if (f.tail) order_.pop_front();
    credit_ = vc;
    fifo_[static_cast<std::size_t>(vc)].pop_front();  // f is gone
  }

  // The data go to the flit positions of the mask, ascending.
  void add(Message& m, const Flit& f) const {
    if (f.head) {
      m.id = f.load.id;
      m.mask = f.load.mask;
      if constexpr (P.network == hw::Network::request) {
        m.id |= static_cast<std::uint64_t>(f.port) << P.id_bits;
        m.kind = f.load.kind;
        m.address = f.load.line * static_cast<unsigned>(P.line_bytes);
        m.sideband = hw::take_sideband(P.sideband, f.load.sideband);
      }
    }
    std::uint32_t positions = flits_of_mask(P, m.mask);
    for (int n = 0; n < taken_; ++n) positions &= positions - 1;
    if (positions) put_flit(m, f.load, std::countr_zero(positions));
  }

  std::vector<Ring<Flit>> fifo_ = std::vector<Ring<Flit>>(P.vcs, Ring<Flit>(P.vc_depth));
  std::deque<int> order_;
  Message message_{};  // what has been taken of the packet that is being taken
  int taken_ = 0;      // flits of it
  std::optional<int> credit_;
  Step step_;
};

}  // namespace golden
