// Golden butterfly of a topology: its switches with the packetisers and receivers at their ports, messages in
// and messages out (DC-L1 thesis, chapter 4; docs/contracts/butterfly.md).
#pragma once
#include <optional>
#include <vector>

#include "golden/noc/butterfly.h"
#include "golden/noc/packetiser.h"
#include "golden/noc/receiver.h"
#include "golden/topology/fabric.h"
#include "golden/topology/plan.h"

namespace golden {

// A cycle is one in which the butterfly moves.
template <NetworkPlan P>
class ButterflyNetwork final : public Fabric {
 public:
  static constexpr int ports = hw::ports_of(P.butterfly.size);

  ButterflyNetwork() : ends_(at(ports)) {}

  bool fast() const override { return false; }

  void begin() override {
    for (End& end : ends_) {
      end.message = nullptr;
      end.shown = {};
      end.ready = false;
      end.out = end.sink.out();
    }
  }

  bool drive(int input, const Message* message, int destination) override {
    End& end = ends_[at(input)];
    end.message = message;
    end.shown = end.sender.outputs(message, destination);
    return end.shown.ready;
  }
  bool taken(int input) const override { return ends_[at(input)].shown.ready; }
  const Message* out(int output) const override {
    const auto& message = ends_[at(output)].out;
    return message ? &*message : nullptr;
  }
  void set_ready(int output, bool ready) override {
    ends_[at(output)].ready = ready;
    ends_[at(output)].taken = true;
  }
  bool undefined() const override { return P.checks && (stray_ || switches_.undefined()); }
  void edge_of_checks() override { switches_.edge_of_checks(); }
  void report(FirstErrors::Codes& codes) const override {
    if (!P.checks) return;
    codes.insert(switches_.error());
    if (stray_) codes.insert(hw::ProtocolError::packet_broken);
  }

  void edge(Edge edge) override {
    if (edge == Edge::fast_alone) return;
    typename Switches::template Ports<typename Switches::Flit> in{};
    typename Switches::template Ports<int> credit{};
    for (int n = 0; n < ports; ++n) {
      End& end = ends_[at(n)];
      if (const auto& f = end.shown.flit) in[at(n)] = {f->vc, f->head, f->tail, f->port, f->load};
      end.sender.edge(end.message, end.shown, switches_.outputs().credit[at(n)]);
      credit[at(n)] = end.sink.credit();
      std::optional<typename Sink::Flit> arrives;
      if (switches_.outputs().out[at(n)] && !end.taken) stray_ = true;
      if (const auto& f = switches_.outputs().out[at(n)]) arrives = {f->vc, f->head, f->tail, 0, f->payload};
      end.sink.edge(arrives, end.ready);
    }
    switches_.edge(in, credit);
  }

  void reset() override {
    for (End& end : ends_) end.sender.reset(), end.sink.reset();
    switches_.reset();
    stray_ = false;
  }

 private:
  using Sender = Packetiser<P.sent[0]>;
  using Sink = Receiver<P.taken[0]>;
  using Switches = Butterfly<P.butterfly, FlitLoad<P.sent[0].flit_bytes>>;

  // What stands at a port, and what it does in this cycle.
  struct End {
    Sender sender;
    Sink sink;
    const Message* message = nullptr;
    typename Sender::Out shown = {};
    bool ready = false;
    bool taken = false;  // somebody takes what leaves here
    std::optional<Message> out = {};
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  std::vector<End> ends_;
  Switches switches_;
  bool stray_ = false;
};

}  // namespace golden
