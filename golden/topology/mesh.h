// Golden mesh of a topology: its routers with the packetisers and receivers at their nodes, messages in and
// messages out (DC-L1 thesis, chapter 4; docs/contracts/mesh.md).
#pragma once
#include <deque>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "golden/noc/mesh_router.h"
#include "golden/noc/packetiser.h"
#include "golden/noc/receiver.h"
#include "golden/topology/fabric.h"
#include "golden/topology/mesh_links.h"
#include "golden/topology/plan.h"

namespace golden {

// What a class has at a node: a packetiser, a receiver, and what they do in a cycle.
template <hw::PacketParams Sent, hw::PacketParams Taken>
struct MeshEnd {
  Packetiser<Sent> sender = {};
  Receiver<Taken> sink = {};
  const Message* message = nullptr;  // at the packetiser
  typename Packetiser<Sent>::Out shown = {};
  std::optional<Message> out = {};
  bool ready = false;
};

// A cycle is one in which the mesh moves. Inputs and outputs are numbered through all classes: class times
// nodes plus node.
template <NetworkPlan P>
class MeshNetwork final : public Fabric {
 public:
  static constexpr int nodes = hw::nodes_of(P.mesh), classes = P.classes, vcs = P.mesh.vcs / classes;

  MeshNetwork() : nodes_(nodes), links_(P.mesh.width, P.mesh.height) { reset(); }

  bool fast() const override { return false; }

  void begin() override {
    for (Node& n : nodes_)
      each_end(n, [](int, auto& end) {
        end.message = nullptr;
        end.shown = {};
        end.ready = false;
        end.out = end.sink.out();
      });
  }

  bool drive(int input, const Message* message, int destination) override {
    at_end(input, [&](auto& end) {
      end.message = message;
      end.shown = end.sender.outputs(message, destination);
    });
    return taken(input);
  }
  bool taken(int input) const override {
    const Node& n = nodes_[at(input % nodes)];
    bool ends = false;
    each_end(n, [&](int c, const auto& end) { ends = ends || (c == input / nodes && end.shown.ready); });
    return ends && granted(n) == input / nodes;
  }
  const Message* out(int output) const override {
    const Message* message = nullptr;
    each_end(nodes_[at(output % nodes)], [&](int c, const auto& end) {
      if (c == output / nodes && end.out) message = &*end.out;
    });
    return message;
  }
  void set_ready(int output, bool ready) override {
    at_end(output, [&](auto& end) { end.ready = ready; });
    if (P.checks) taken_[at(output)] = true;
  }
  void report(FirstErrors::Codes& codes) const override {
    if (!P.checks) return;
    for (const Node& n : nodes_) codes.insert(n.router.crossbar().check().code());
    if (stray_) codes.insert(hw::ProtocolError::packet_broken);
  }

  void edge(Edge edge) override {
    if (edge == Edge::both) move();
  }
  std::vector<LinkFlits> links() const override { return links_.list(); }

  void reset() override {
    stray_ = false;
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
                                                      .flit_bytes = P.sent[0].flit_bytes,
                                                      .checks = P.checks};
  using Router = MeshRouter<router_params, FlitLoad<P.sent[0].flit_bytes>>;
  using Flit = PacketFlit<P.sent[0].flit_bytes>;
  using RouterFlit = typename Router::Flit;

  template <std::size_t... c>
  static std::tuple<MeshEnd<P.sent[c], P.taken[c]>...> ends_of(std::index_sequence<c...>);
  using Ends = decltype(ends_of(std::make_index_sequence<classes>()));

  struct Node {
    Router router;
    Ends ends = {};
    int turn = 0, credit_turn = 0;  // the class that goes first
    std::array<std::deque<int>, classes> credits = {};
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  // Visits the class and what it has at a node.
  template <class N, class Visit>
  static void each_end(N& node, const Visit& visit) {
    int c = 0;
    std::apply([&](auto&... end) { (visit(c++, end), ...); }, node.ends);
  }
  template <class Visit>
  void at_end(int number, const Visit& visit) {
    each_end(nodes_[at(number % nodes)], [&](int c, auto& end) {
      if (c == number / nodes) visit(end);
    });
  }
  // The first class at or behind one, and around, that does something; -1 for none.
  template <class Does>
  static int first_class(int from, const Does& does) {
    for (int n = 0; n < classes; ++n)
      if (const int c = (from + n) % classes; does(c)) return c;
    return -1;
  }

  // The class whose flit leaves the node, -1 for none.
  static int granted(const Node& n) {
    std::array<bool, classes> has_flit{};
    each_end(n, [&](int c, const auto& end) { has_flit[at(c)] = end.shown.flit.has_value(); });
    return first_class(n.turn, [&](int c) { return has_flit[at(c)]; });
  }

  static int facing(int port) {
    constexpr int faces[] = {hw::mesh_local, hw::mesh_south, hw::mesh_west, hw::mesh_north, hw::mesh_east};
    return faces[port];
  }

  void move() {
    std::vector<typename Router::Outputs> shown;
    for (const Node& n : nodes_) shown.push_back(n.router.outputs());
    for (int n = 0; n < nodes; ++n) {
      typename Router::template Ports<RouterFlit> in{};
      typename Router::template Ports<int> credit{};
      for (int port = 1; port < hw::mesh_ports; ++port)
        if (const auto other = MeshLinks::neighbour(P.mesh.width, P.mesh.height, n, port)) {
          links_.add(n, port, shown[at(n)].out[at(port)].has_value());
          in[at(port)] = shown[at(*other)].out[at(facing(port))];
          credit[at(port)] = shown[at(*other)].credit[at(facing(port))];
        }
      if (P.checks) stray_ = stray_ || strays(n, shown[at(n)].out);
      Node& node = nodes_[at(n)];
      in[hw::mesh_local] = leave(node, shown[at(n)].credit[hw::mesh_local]);
      credit[hw::mesh_local] = arrive(node, shown[at(n)].out[hw::mesh_local]);
      node.router.edge(in, credit);
    }
  }

  // A flit leaves the router of a node for nobody.
  bool strays(int n, const typename Router::template Ports<RouterFlit>& out) const {
    for (int port = 1; port < hw::mesh_ports; ++port)
      if (out[at(port)] && !MeshLinks::neighbour(P.mesh.width, P.mesh.height, n, port)) return true;
    const auto& arrives = out[hw::mesh_local];
    return arrives && !taken_[at(arrives->vc / vcs * nodes + n)];
  }

  // Whose credit it is.
  static std::optional<int> of_class(int c, const std::optional<int>& vc) {
    return vc && *vc / vcs == c ? std::optional(*vc % vcs) : std::nullopt;
  }

  // The flit that enters the router.
  static std::optional<RouterFlit> leave(Node& n, const std::optional<int>& credit) {
    const int first = granted(n);
    std::optional<RouterFlit> entering;
    each_end(n, [&](int c, auto& end) {
      if (c != first) end.shown.flit.reset();
      if (const auto& flit = end.shown.flit)
        entering = RouterFlit{c * vcs + flit->vc, flit->head, flit->tail, flit->port, flit->load};
      end.sender.edge(end.message, end.shown, of_class(c, credit));
    });
    if (first >= 0) n.turn = (first + 1) % classes;
    return entering;
  }

  // Takes a flit; the credit that goes back.
  static std::optional<int> arrive(Node& n, const std::optional<RouterFlit>& flit) {
    std::optional<int> back;
    if constexpr (P.both_taken) {
      const int c = first_class(n.credit_turn, [&](int of) { return !n.credits[at(of)].empty(); });
      if (c >= 0) {
        back = n.credits[at(c)].front();
        n.credits[at(c)].pop_front();
        n.credit_turn = (c + 1) % classes;
      }
    }
    each_end(n, [&](int c, auto& end) {
      if (const std::optional<int>& freed = end.sink.credit()) {
        if constexpr (P.both_taken)
          n.credits[at(c)].push_back(c * vcs + *freed);
        else
          back = c * vcs + *freed;
      }
      std::optional<Flit> arrives;
      if (flit && flit->vc / vcs == c)
        arrives = Flit{flit->vc % vcs, flit->head, flit->tail, 0, flit->payload};
      end.sink.edge(arrives, end.ready);
    });
    return back;
  }

  std::vector<Node> nodes_;
  MeshLinks links_;
  std::array<bool, classes * nodes> taken_{};  // somebody takes what arrives
  bool stray_ = false;
};

}  // namespace golden
