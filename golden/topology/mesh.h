// Golden mesh of a topology: its routers with the packetisers and receivers at their nodes, messages in and
// messages out (DC-L1 thesis, chapter 4; docs/contracts/mesh.md).
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "golden/noc/mesh_router.h"
#include "golden/packet/packetiser.h"
#include "golden/packet/receiver.h"
#include "golden/topology/fabric.h"
#include "golden/topology/mesh_links.h"
#include "golden/topology/plan.h"

namespace golden {

// A cycle is one in which the mesh moves. Inputs and outputs are numbered through both classes: class times
// nodes plus node.
template <NetworkPlan P>
class MeshNetwork final : public Fabric {
 public:
  static constexpr int nodes = hw::nodes_of(P.mesh), half = P.mesh.vcs / 2, classes = 2;

  MeshNetwork() : nodes_(nodes), links_(P.mesh.width, P.mesh.height) { reset(); }

  bool fast() const override { return false; }

  void begin() override {
    for (Node& n : nodes_) {
      n.driven = {};
      n.ready = {};
      n.out = {n.taker0.out(), n.taker1.out()};
    }
  }

  bool drive(int input, const Message* message, int destination) override {
    Node& n = nodes_[at(input % nodes)];
    Driven& driven = n.driven[at(input / nodes)];
    driven.message = message;
    if (input < nodes)
      take_over(driven, n.sender0.outputs(message, destination));
    else
      take_over(driven, n.sender1.outputs(message, destination));
    return taken(input);
  }
  bool taken(int input) const override {
    const Node& n = nodes_[at(input % nodes)];
    return granted(n) == input / nodes && n.driven[at(input / nodes)].ends;
  }
  const Message* out(int output) const override {
    const auto& message = nodes_[at(output % nodes)].out[at(output / nodes)];
    return message ? &*message : nullptr;
  }
  void set_ready(int output, bool ready) override {
    nodes_[at(output % nodes)].ready[at(output / nodes)] = ready;
  }

  void edge(Edge edge) override {
    if (edge == Edge::both) move();
  }
  std::vector<LinkFlits> links() const override { return links_.list(); }

  void reset() override {
    for (int n = 0; n < nodes; ++n) {
      nodes_[at(n)] = {};
      nodes_[at(n)].router.reset(n % P.mesh.width, n / P.mesh.width);
    }
  }

 private:
  static constexpr hw::MeshRouterParams router_params{.width = P.mesh.width,
                                                      .height = P.mesh.height,
                                                      .vcs = P.mesh.vcs,
                                                      .vc_flits = P.mesh.vc_flits,
                                                      .link_stages = P.mesh.link_stages,
                                                      .flit_bytes = P.sent[0].flit_bytes};
  using Router = MeshRouter<router_params, FlitLoad<P.sent[0].flit_bytes>>;
  using Flit = PacketFlit<P.sent[0].flit_bytes>;

  struct Driven {
    const Message* message = nullptr;
    std::optional<Flit> flit = {};
    bool ends = false;  // with this flit
  };
  struct Node {
    Router router;
    Packetiser<P.sent[0]> sender0;
    Packetiser<P.sent[1]> sender1;
    Receiver<P.taken[0]> taker0;
    Receiver<P.taken[1]> taker1;
    int turn = 0, credit_turn = 0;  // the class that goes first
    std::array<std::deque<int>, classes> credits = {};
    std::array<Driven, classes> driven = {};
    std::array<std::optional<Message>, classes> out = {};
    std::array<bool, classes> ready = {};
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  template <class Out>
  static void take_over(Driven& driven, const Out& shown) {
    driven.flit = shown.flit;
    driven.ends = shown.ready;
  }

  // The class whose flit leaves the node, -1 for none.
  static int granted(const Node& n) {
    for (const int c : {n.turn, 1 - n.turn})
      if (n.driven[at(c)].flit) return c;
    return -1;
  }

  static int facing(int port) {
    constexpr int faces[] = {hw::mesh_local, hw::mesh_south, hw::mesh_west, hw::mesh_north, hw::mesh_east};
    return faces[port];
  }

  void move() {
    std::vector<typename Router::Outputs> shown;
    for (const Node& n : nodes_) shown.push_back(n.router.outputs());
    for (int n = 0; n < nodes; ++n) {
      typename Router::template Ports<typename Router::Flit> in{};
      typename Router::template Ports<int> credit{};
      for (int port = 1; port < hw::mesh_ports; ++port)
        if (const auto other = MeshLinks::neighbour(P.mesh.width, P.mesh.height, n, port)) {
          links_.add(n, port, shown[at(n)].out[at(port)].has_value());
          in[at(port)] = shown[at(*other)].out[at(facing(port))];
          credit[at(port)] = shown[at(*other)].credit[at(facing(port))];
        }
      Node& node = nodes_[at(n)];
      in[hw::mesh_local] = leave(node, shown[at(n)].credit[hw::mesh_local]);
      credit[hw::mesh_local] = arrive(node, shown[at(n)].out[hw::mesh_local]);
      node.router.edge(in, credit);
    }
  }

  // Whose credit it is.
  static std::optional<int> of_class(int c, const std::optional<int>& vc) {
    return vc && *vc / half == c ? std::optional(*vc % half) : std::nullopt;
  }

  // The flit that enters the router.
  static std::optional<typename Router::Flit> leave(Node& n, const std::optional<int>& credit) {
    const int c = granted(n);
    const auto shown = [&](int of) {
      Driven driven = n.driven[at(of)];
      if (of != c) driven.flit.reset();
      return driven;
    };
    const Driven first = shown(0), second = shown(1);
    n.sender0.edge(first.message, {first.flit, first.ends}, of_class(0, credit));
    n.sender1.edge(second.message, {second.flit, second.ends}, of_class(1, credit));
    if (c < 0) return {};
    n.turn = 1 - c;
    const Flit& flit = *n.driven[at(c)].flit;
    return typename Router::Flit{c * half + flit.vc, flit.head, flit.tail, flit.port, flit.load};
  }

  // Takes a flit; the credit that goes back.
  static std::optional<int> arrive(Node& n, const std::optional<typename Router::Flit>& flit) {
    const auto waits = [&](int c) { return !n.credits[at(c)].empty(); };
    std::optional<int> back;
    const std::array<std::optional<int>, classes> freed{n.taker0.credit(), n.taker1.credit()};
    if constexpr (P.both_taken) {
      const int c = waits(n.credit_turn) ? n.credit_turn : 1 - n.credit_turn;
      if (waits(c)) {
        back = n.credits[at(c)].front();
        n.credits[at(c)].pop_front();
        n.credit_turn = 1 - c;
      }
    }
    for (int c = 0; c < classes; ++c) {
      if (!freed[at(c)]) continue;
      const int vc = c * half + *freed[at(c)];
      if constexpr (P.both_taken)
        n.credits[at(c)].push_back(vc);
      else
        back = vc;
    }
    const auto arrives = [&](int c) -> std::optional<Flit> {
      if (!flit || flit->vc / half != c) return {};
      return Flit{flit->vc % half, flit->head, flit->tail, 0, flit->payload};
    };
    n.taker0.edge(arrives(0), n.ready[0]);
    n.taker1.edge(arrives(1), n.ready[1]);
    return back;
  }

  std::vector<Node> nodes_;
  MeshLinks links_;
};

}  // namespace golden
