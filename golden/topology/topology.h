// Golden topology: cores, nodes and slices joined by networks, cycle by cycle (DC-L1 thesis, chapter 5;
// docs/dc-l1-timing.md).
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "golden/topology/dc_l1_node.h"
#include "golden/topology/network.h"

namespace golden {

template <hw::TopologyParams P>
class Topology {
 public:
  static constexpr int cores = P.shape.cores, slices = P.shape.slices;
  static constexpr bool with_nodes = caches_in_nodes(P.shape.kind);
  static constexpr bool relays = P.shape.kind == hw::TopologyKind::cdxbar;
  static constexpr int nodes = with_nodes || relays ? P.shape.nodes : 0;
  static constexpr int caches = with_nodes ? nodes : cores;
  static constexpr bool boost = P.boost && nodes > 0;

  // Messages are null where not valid, and must stay until the edge.
  struct In {
    bool rst = false, flush_valid = false;
    std::array<const Message*, P.shape.cores> request{};
    std::array<bool, P.shape.cores> response_ready{};
    std::array<bool, P.shape.slices> slice_request_ready{};
    std::array<const Message*, P.shape.slices> slice_response{};
    std::array<Controls, caches> controls{};
  };
  struct Out {
    std::array<bool, P.shape.cores> request_ready{};
    std::array<const Message*, P.shape.cores> response{};
    std::array<const Message*, P.shape.slices> slice_request{};
    std::array<bool, P.shape.slices> slice_response_ready{};
    bool flush_ready = true;
  };

  Topology()
      : core_requests_(cores, Queue(2, boost, true)),
        core_replies_(cores, Queue(2, boost, false)),
        slice_requests_(slices, Fifo<Message>(2)),
        core_caches_(with_nodes ? 0 : cores) {
    for (int n = 0; n < nodes; ++n) {
      if constexpr (with_nodes) {
        nodes_.push_back(
            std::make_unique<DcL1Node>(parameters, static_cast<std::uint64_t>(n % home_.sizes().homes)));
      } else {
        relay_requests_.emplace_back(P.node.queue, boost, false);
        relay_replies_.emplace_back(P.node.queue, boost, true);
      }
    }
    for (CoreCache& c : core_caches_) c.cache = CycleL1d::make(P.l1d);
  }

  // What the ports show in this cycle; valid until the next edge of either clock.
  const Out& outputs(const In& in) {
    out_ = {};
    noc1_requests_.begin();
    noc1_replies_.begin();
    noc2_requests_.begin();
    noc2_replies_.begin();
    for (int c = 0; c < cores; ++c) with_nodes ? settle_core(in, c) : settle_core_cache(in, c);
    for (int n = 0; n < nodes; ++n) with_nodes ? settle_node(in, n) : settle_relay(n);
    for (int s = 0; s < slices; ++s) settle_slice(in, s);
    return out_;
  }

  // With boost: the edge of the fast clock between two of the slow one, with the inputs of the last call of
  // outputs(), which has to be called again before edge().
  void fast_edge(const In& in) { edges(in, Edge::fast_alone); }
  // The edge of the slow clock, likewise, and with boost of the fast clock with it.
  void edge(const In& in) {
    edges(in, Edge::both);
    if (in.rst) reset();
  }

  // Of core c or node c.
  const CycleL1d& cache(int c) const {
    return with_nodes ? nodes_[at(c)]->cache() : *core_caches_[at(c)].cache;
  }
  const DcL1Node& node(int n) const { return *nodes_[at(n)]; }
  const Home& home() const { return home_; }
  const auto& noc1_requests() const { return noc1_requests_; }
  const auto& noc1_replies() const { return noc1_replies_; }
  const auto& noc2_requests() const { return noc2_requests_; }
  const auto& noc2_replies() const { return noc2_replies_; }

 private:
  using Queue = BoostQueue<Message>;
  static constexpr hw::DcL1NodeParams parameters = node_params(P);

  // A cache at a core, with what it drives in this cycle.
  struct CoreCache {
    std::unique_ptr<CycleL1d> cache;
    L1dIn in;
    std::optional<Message> response, request;
    bool response_taken = false;
  };

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  // The input of NoC#2's requests, and output of its replies, that belongs to a node, or a core of the
  // baseline.
  int noc2_port(int n) const {
    const TopologySizes& z = home_.sizes();
    return n % z.noc2_crossbars * z.noc2_inputs + n / z.noc2_crossbars;
  }
  int home_of(const Message* m) const { return m ? home_.of(m->address).home : 0; }
  int output_of(const Message* m) const { return m ? home_.of(m->address).output : 0; }

  void settle_core(const In& in, int c) {
    const Message* request = boost ? core_requests_[at(c)].front() : in.request[at(c)];
    const bool taken = noc1_requests_.drive(c, request, home_of(request));
    sent_[at(c)] = taken;
    out_.request_ready[at(c)] = boost ? core_requests_[at(c)].ready() : taken;
    out_.response[at(c)] = core_replies_[at(c)].front();
    noc1_replies_.set_ready(c, core_replies_[at(c)].ready());
  }

  void settle_core_cache(const In& in, int c) {
    CoreCache& core = core_caches_[at(c)];
    core.in = core_side(in.request[at(c)], in.response_ready[at(c)]);
    core.in.rst = in.rst;
    core.in.flush_valid = in.flush_valid;
    core.in.controls = in.controls[at(c)];
    const Message* reply = core_replies_[at(c)].front();
    add_memory_side(core.in, reply, false);
    core.request = memory_request(core.cache->outputs(core.in));  // depends on registers alone
    const Message* request = core.request ? &*core.request : nullptr;
    const Message* sent = boost ? core_requests_[at(c)].front() : request;
    sent_[at(c)] = relays ? noc1_requests_.drive(c, sent, home_of(sent))
                          : noc2_requests_.drive(noc2_port(c), sent, output_of(sent));
    add_memory_side(core.in, reply, boost ? core_requests_[at(c)].ready() : sent_[at(c)]);
    const L1dOut& out = core.cache->outputs(core.in);
    core.response = core_response(out);
    core.response_taken = out.memory_response_ready;
    out_.request_ready[at(c)] = out.core_request_ready;
    out_.response[at(c)] = core.response ? &*core.response : nullptr;
    out_.flush_ready = out_.flush_ready && out.flush_ready;
    const bool room = core_replies_[at(c)].ready();
    relays ? noc1_replies_.set_ready(c, room) : noc2_replies_.set_ready(noc2_port(c), room);
  }

  void settle_node(const In& in, int n) {
    DcL1Node& node = *nodes_[at(n)];
    DcL1Node::In& driven = node_in_[at(n)];
    const int port = noc2_port(n);
    driven = {.rst = in.rst,
              .core_request = noc1_requests_.out(n),
              .core_response_ready = noc1_replies_.drive(n, node.core_response()),
              .memory_request_ready =
                  noc2_requests_.drive(port, node.memory_request(), output_of(node.memory_request())),
              .memory_response = noc2_replies_.out(port),
              .flush_valid = in.flush_valid,
              .controls = in.controls[at(n) % caches]};
    noc1_requests_.set_ready(n, node.core_request_ready());
    noc2_replies_.set_ready(port, node.memory_response_ready());
    out_.flush_ready = out_.flush_ready && node.cache_outputs(driven).flush_ready;
  }

  void settle_relay(int n) {
    const int port = noc2_port(n);
    const Message* request = relay_requests_[at(n)].front();
    relay_sent_[at(n)] = {noc2_requests_.drive(port, request, output_of(request)),
                          noc1_replies_.drive(n, relay_replies_[at(n)].front())};
    noc1_requests_.set_ready(n, relay_requests_[at(n)].ready());
    noc2_replies_.set_ready(port, relay_replies_[at(n)].ready());
  }

  void settle_slice(const In& in, int s) {
    out_.slice_request[at(s)] = slice_requests_[at(s)].front();
    noc2_requests_.set_ready(s, slice_requests_[at(s)].ready());
    out_.slice_response_ready[at(s)] = noc2_replies_.drive(s, in.slice_response[at(s)]);
  }

  // Networks first: they read what is in front of the queues. What they give stays until the next outputs().
  void edges(const In& in, Edge edge) {
    const bool slow = edge == Edge::both;
    noc1_requests_.edge();
    noc1_replies_.edge();
    if (slow) noc2_requests_.edge(), noc2_replies_.edge();
    for (int c = 0; c < cores; ++c) with_nodes ? edge_core(in, edge, c) : edge_core_cache(edge, c);
    for (int n = 0; n < nodes; ++n) {
      if constexpr (with_nodes)
        nodes_[at(n)]->edge(node_in_[at(n)], edge);
      else
        edge_relay(edge, n);
    }
    for (int s = 0; slow && s < slices; ++s)
      slice_requests_[at(s)].edge(noc2_requests_.out(s), in.slice_request_ready[at(s)]);
  }

  void edge_core(const In& in, Edge edge, int c) {
    if (boost) core_requests_[at(c)].edge(edge, in.request[at(c)], sent_[at(c)]);
    core_replies_[at(c)].edge(edge, noc1_replies_.out(c), in.response_ready[at(c)]);
  }

  void edge_core_cache(Edge edge, int c) {
    CoreCache& core = core_caches_[at(c)];
    if (edge == Edge::both) core.cache->edge(core.in);  // reads what is in front of the replies
    if (boost) core_requests_[at(c)].edge(edge, core.request ? &*core.request : nullptr, sent_[at(c)]);
    const Message* reply = relays ? noc1_replies_.out(c) : noc2_replies_.out(noc2_port(c));
    core_replies_[at(c)].edge(edge, reply, core.response_taken);
  }

  void edge_relay(Edge edge, int n) {
    relay_requests_[at(n)].edge(edge, noc1_requests_.out(n), relay_sent_[at(n)].request);
    relay_replies_[at(n)].edge(edge, noc2_replies_.out(noc2_port(n)), relay_sent_[at(n)].reply);
  }

  // What is left when caches and nodes have seen rst.
  void reset() {
    noc1_requests_.reset();
    noc1_replies_.reset();
    noc2_requests_.reset();
    noc2_replies_.reset();
    for (auto* queues : {&core_requests_, &core_replies_, &relay_requests_, &relay_replies_})
      for (Queue& q : *queues) q.reset();
    for (auto& q : slice_requests_) q.reset();
  }

  struct Sent {
    bool request = false, reply = false;
  };

  static constexpr Home home_{P.shape, P.node.squeeze};
  Network<noc1_plan(P, hw::Network::request)> noc1_requests_;
  Network<noc1_plan(P, hw::Network::reply)> noc1_replies_;
  Network<noc2_plan(P, hw::Network::request)> noc2_requests_;
  Network<noc2_plan(P, hw::Network::reply)> noc2_replies_;
  std::vector<Queue> core_requests_, core_replies_;
  std::vector<Queue> relay_requests_, relay_replies_;
  std::vector<Fifo<Message>> slice_requests_;
  std::vector<std::unique_ptr<DcL1Node>> nodes_;
  std::vector<CoreCache> core_caches_;
  std::array<DcL1Node::In, nodes> node_in_{};
  std::array<Sent, nodes> relay_sent_{};
  std::array<bool, P.shape.cores> sent_{};  // core's packetiser ends its message in this cycle
  Out out_;
};

}  // namespace golden
