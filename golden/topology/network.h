// Golden network of a topology: its crossbars with the packetisers and receivers at their ends, messages in
// and messages out (DC-L1 thesis, chapter 5; docs/contracts/dc-l1.md).
#pragma once
#include <optional>
#include <vector>

#include "golden/noc/packetiser.h"
#include "golden/noc/receiver.h"
#include "golden/noc/vc_crossbar.h"
#include "golden/topology/fabric.h"
#include "golden/topology/plan.h"

namespace golden {

// Inputs and outputs are numbered through all crossbars: crossbar times ports plus port.
template <NetworkPlan P>
class Network final : public Fabric {
 public:
  static constexpr int inputs = P.crossbars * P.crossbar.inputs;
  static constexpr int outputs = P.crossbars * P.crossbar.outputs;
  using Sender = Packetiser<P.in>;
  using Sink = Receiver<P.out>;
  using Crossbar = VcCrossbar<P.crossbar, FlitLoad<P.crossbar.flit_bytes>, AnyVc, false>;

  Network()
      : senders_(inputs),
        sinks_(outputs),
        crossbars_(P.crossbars),
        flits_(crossbars_.size()),
        credits_(crossbars_.size()),
        driven_(inputs),
        out_(outputs),
        out_ready_(outputs) {}

  bool fast() const override { return P.fast; }

  void begin() override {
    for (Driven& d : driven_) d.message = nullptr, d.shown.flit.reset();
    std::fill(out_ready_.begin(), out_ready_.end(), false);
    for (int j = 0; j < outputs; ++j) out_[at(j)] = sinks_[at(j)].out();
  }

  bool drive(int input, const Message* message, int destination) override {
    Driven& driven = driven_[at(input)] = {message, senders_[at(input)].outputs(message, destination)};
    return driven.shown.ready;
  }
  bool taken(int input) const override { return driven_[at(input)].shown.ready; }
  const Message* out(int output) const override { return out_[at(output)] ? &*out_[at(output)] : nullptr; }
  void set_ready(int output, bool ready) override { out_ready_[at(output)] = ready; }

  void edge(Edge edge) override {
    if (edge == Edge::fast_alone && !P.fast) return;
    for (int n = 0; n < inputs; ++n) {
      const auto [c, i] = port(n, P.crossbar.inputs);
      const auto& [message, shown] = driven_[at(n)];
      flits_[c][i].reset();
      if (const auto& flit = shown.flit) {
        flits_[c][i] = {flit->vc, flit->head, flit->tail, flit->port, flit->load};
        ++entered_;
      }
      senders_[at(n)].edge(message, shown, crossbars_[c].outputs().credit[i]);
    }
    for (int n = 0; n < outputs; ++n) {
      const auto [c, j] = port(n, P.crossbar.outputs);
      credits_[c][j] = sinks_[at(n)].credit();
      std::optional<typename Sink::Flit> arrives;
      if (const auto& f = crossbars_[c].outputs().out[j])
        arrives = {f->vc, f->head, f->tail, f->port, f->payload};
      sinks_[at(n)].edge(arrives, out_ready_[at(n)]);
    }
    for (std::size_t c = 0; c < crossbars_.size(); ++c) crossbars_[c].edge(flits_[c], credits_[c]);
  }

  void report(FirstErrors::Codes& codes) const override {
    for (const Crossbar& c : crossbars_) codes.insert(c.check().code());
  }

  std::optional<CrossbarFlits> crossbar_flits() const override {
    return CrossbarFlits{P.crossbars, P.crossbar.inputs, P.crossbar.outputs, entered_};
  }

  void reset() override {
    for (auto& s : senders_) s.reset();
    for (auto& t : sinks_) t.reset();
    for (auto& c : crossbars_) c.reset();
  }

 private:
  struct Driven {
    const Message* message = nullptr;
    typename Sender::Out shown = {};
  };
  struct Port {
    std::size_t crossbar, number;
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static Port port(int n, int ports) { return {at(n / ports), at(n % ports)}; }

  std::vector<Sender> senders_;
  std::vector<Sink> sinks_;
  std::vector<Crossbar> crossbars_;
  // What enters the crossbars at an edge.
  std::vector<typename Crossbar::template Flits<P.crossbar.inputs>> flits_;
  std::vector<typename Crossbar::template Credits<P.crossbar.outputs>> credits_;
  std::uint64_t entered_ = 0;  // flits, since it was made
  std::vector<Driven> driven_;
  std::vector<std::optional<Message>> out_;
  std::vector<bool> out_ready_;
};

}  // namespace golden
