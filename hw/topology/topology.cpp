#include "hw/topology/topology.h"

#include <fmt/format.h>

#include <bit>

#include "hw/noc/crossing_fifo.h"
#include "hw/noc/vc_crossbar.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"
#include "hw/topology/dc_l1_node.h"
#include "hw/topology/topology_parts.h"

namespace hw {
namespace {

using rtl::Expr;

constexpr int most_capacity = 2 * 1024 * 1024, most_entries = 1024;  // of a node

PacketParams packets_of(const TopologyParams& p, Network network, int id_bits, int ports) {
  return {.network = network,
          .address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .chunk_bytes = p.l1d.chunk_bytes,
          .flit_bytes = p.flit_bytes,
          .id_bits = id_bits,
          .ports = ports,
          .vcs = p.vcs,
          .vc_depth = p.vc_depth,
          .vc_select = p.vc_select};
}

CrossbarParams crossbar_of(const TopologyParams& p, const PacketParams& packets, int inputs, int outputs) {
  return {.inputs = inputs,
          .outputs = outputs,
          .flit_bytes = p.flit_bytes,
          .side_bits = side_bits(packets),
          .vcs = p.vcs,
          .vc_depth = p.vc_depth,
          .iterations = p.iterations};
}

bool power_of_two(int n) { return std::has_single_bit(static_cast<unsigned>(n)); }

// One of the two networks on chip. Its near side asks, its far side answers; links by the number of the part.
struct Noc {
  int number = 1;
  CrossbarSizes sizes = {};
  CrossbarParams requests = {}, replies = {};
  PacketParams of_requests = {}, of_replies = {};  // of the packetisers
  bool in_turn = false;                            // parts of the near side go to the crossbars in turn
  rtl::Clock clock = {};
  std::vector<Link> near_to = {}, near_from = {}, far_to = {}, far_from = {};
};

class Builder {
 public:
  Builder(const TopologyParams& p, const TopologyPlan& plan, rtl::Module& m)
      : p_(p), plan_(plan), m_(m), top_(m.name()), with_noc1_(has_noc1(p.shape.kind)) {}

  L1dFacts run() {
    noc1_ = {.number = 1,
             .sizes = plan_.map.noc1,
             .requests = plan_.noc1_requests,
             .replies = plan_.noc1_replies,
             .of_requests = plan_.core_requests,
             .of_replies = plan_.node_replies};
    noc2_ = {.number = 2,
             .sizes = plan_.map.noc2,
             .requests = plan_.noc2_requests,
             .replies = plan_.noc2_replies,
             .of_requests = plan_.memory_requests,
             .of_replies = plan_.slice_replies,
             .in_turn = true};
    if (p_.boost && with_noc1_) noc1_.clock = noc1_clock(m_);
    flush_ = m_.input("flush_valid", 1, "flush all caches");
    const Expr flushed = m_.output("flush_ready", 1, "the flush takes effect at this edge if valid");
    caches_ready_ = m_.wire("caches_ready", has_nodes(p_.shape.kind) ? p_.shape.nodes : p_.shape.cores,
                            "caches that can take a flush");
    const L1dFacts facts = cores_and_nodes();
    slices();
    if (with_noc1_) network(noc1_);
    network(noc2_);
    m_.section("Flush, and what nobody reads.");
    m_.assign(flushed, rtl::all(caches_ready_));
    if (!sources_.empty())
      m_.unused("unused_sources", rtl::cat(sources_),
                "replies name their crossbar's input, and ids say it all");
    return facts;
  }

 private:
  // Ports of a part that the top has too, with `prefix` and the part's name in their text.
  Pins own_ports(const rtl::Module& part, const std::string& prefix, const std::string& whose) {
    Pins pins;
    for (const rtl::Signal& s : part.data().signals) {
      const bool input = s.role == rtl::Role::input;
      if (!input && s.role != rtl::Role::output) continue;
      if (s.name.starts_with("to_noc") || s.name.starts_with("from_noc") || s.name.starts_with("flush_") ||
          s.name == "home")
        continue;
      const std::string text = fmt::format("{}: {}", whose, s.doc);
      pins.emplace_back(s.name, input ? m_.input(prefix + s.name, s.width, text)
                                      : m_.output(prefix + s.name, s.width, text));
    }
    return pins;
  }

  // The wires of a part at one side of a network, and the part's pins.
  Pins joined(Noc& noc, const std::string& part, bool near) {
    const PacketParams &sent = near ? noc.of_requests : noc.of_replies,
                       &taken = near ? noc.of_replies : noc.of_requests;
    const CrossbarParams& back = near ? noc.replies : noc.requests;
    FlitShape leaving = shape_of(taken, false);
    leaving.destination_bits = 0;
    leaving.source_bits = number_bits(back.inputs);
    const std::string to_name = fmt::format("to_noc{}", noc.number),
                      from_name = fmt::format("from_noc{}", noc.number);
    const Link to(m_, part + "_" + to_name, shape_of(sent, false), Link::Made::wires);
    const Link from(m_, part + "_" + from_name, leaving, Link::Made::wires);
    (near ? noc.near_to : noc.far_to).push_back(to);
    (near ? noc.near_from : noc.far_from).push_back(from);
    if (near && from.has("source")) sources_.push_back(from["source"]);
    Pins pins = to.pins(to_name, true, false);
    append(pins, from.pins(from_name, false, !near));
    return pins;
  }

  Pins flush_pins(int cache) {
    return {{"flush_valid", flush_}, {"flush_ready", caches_ready_.slice(cache, cache)}};
  }

  L1dFacts cores_and_nodes() {
    m_.section("The cores.");
    if (has_nodes(p_.shape.kind)) {
      place_cores(core_port(p_, plan_, top_ + "_core"), false);
      const L1d node = dc_l1_node(plan_.node, top_ + "_cache_node");
      m_.section("The nodes.");
      place_nodes(node_port(p_, plan_, node.module, top_ + "_node"), true);
      return node.facts;
    }
    const L1d cache = l1d(plan_.cache, top_ + "_cache");
    place_cores(core_cache(p_, plan_, cache.module, top_ + "_core"), true);
    if (with_noc1_) {
      m_.section("The relays.");
      place_nodes(relay(p_, plan_, top_ + "_relay"), false);
    }
    return cache.facts;
  }

  void place_cores(const rtl::Module& part, bool has_cache) {
    for (int c = 0; c < p_.shape.cores; ++c) {
      const std::string name = fmt::format("core{}", c);
      Pins pins = own_ports(part, name + "_", fmt::format("core {}", c));
      append(pins, joined(with_noc1_ ? noc1_ : noc2_, name, true));
      if (has_cache) append(pins, flush_pins(c));
      m_.instance(part, name, pins, fmt::format("Core {}.", c));
    }
  }

  void place_nodes(const rtl::Module& part, bool has_cache) {
    for (int n = 0; n < p_.shape.nodes; ++n) {
      const std::string name = fmt::format("node{}", n);
      Pins pins = own_ports(part, name + "_", fmt::format("node {}", n));
      append(pins, joined(noc1_, name, false));
      append(pins, joined(noc2_, name, true));
      if (has_cache) append(pins, flush_pins(n));
      if (has_cache && plan_.node.home_bits)
        pins.emplace_back("home", rtl::lit(plan_.node.home_bits, static_cast<unsigned>(n % plan_.map.homes)));
      m_.instance(part, name, pins, fmt::format("Node {}.", n));
    }
  }

  void slices() {
    m_.section("The slices.");
    const rtl::Module part = slice_port(p_, plan_, top_ + "_slice");
    for (int s = 0; s < p_.shape.slices; ++s) {
      const std::string name = fmt::format("slice{}", s);
      Pins pins = own_ports(part, name + "_", fmt::format("slice {}", s));
      append(pins, joined(noc2_, name, false));
      m_.instance(part, name, pins, fmt::format("Slice {}.", s));
    }
  }

  void network(const Noc& noc) {
    m_.section(fmt::format("NoC#{}.", noc.number));
    const std::string name = fmt::format("noc{}", noc.number);
    const rtl::Module requests = vc_crossbar(noc.requests, fmt::format("{}_{}_requests", top_, name));
    const rtl::Module replies = vc_crossbar(noc.replies, fmt::format("{}_{}_replies", top_, name));
    for (int x = 0; x < noc.sizes.count; ++x) {
      Pins asking, answering;
      for (int i = 0; i < noc.sizes.inputs; ++i) {
        const int part = noc.in_turn ? i * noc.sizes.count + x : x * noc.sizes.inputs + i;
        append(asking, noc.near_to[static_cast<std::size_t>(part)].pins(fmt::format("in{}", i), true, true));
        append(answering,
               noc.near_from[static_cast<std::size_t>(part)].pins(fmt::format("out{}", i), true, true));
      }
      for (int j = 0; j < noc.sizes.outputs; ++j) {
        const auto part = static_cast<std::size_t>(x * noc.sizes.outputs + j);
        append(asking, noc.far_from[part].pins(fmt::format("out{}", j), true, true));
        append(answering, noc.far_to[part].pins(fmt::format("in{}", j), true, true));
      }
      m_.instance(noc.clock, requests, fmt::format("{}_requests{}", name, x), asking, "Requests.");
      m_.instance(noc.clock, replies, fmt::format("{}_replies{}", name, x), answering, "Replies.");
    }
  }

  const TopologyParams& p_;
  const TopologyPlan& plan_;
  rtl::Module& m_;
  std::string top_;
  bool with_noc1_;
  Noc noc1_, noc2_;
  Expr flush_, caches_ready_;
  std::vector<Expr> sources_;
};

void check_networks(const TopologyParams& p) {
  require(p.node.queue >= 2 && p.node.queue <= 16, "node.queue", p.node.queue, "must be from 2 to 16",
          "use 4");
  require(p.l1d.protocol == MemoryProtocol::native, "memory.protocol", "axi4",
          "the memory side of a topology's caches is a network of packets", "use native");
  require(p.flit_bytes >= p.l1d.chunk_bytes && p.flit_bytes <= p.l1d.line_bytes && power_of_two(p.flit_bytes),
          "crossbar.flit_bytes", p.flit_bytes,
          fmt::format("must be a power of two from a chunk, {}, to a line, {}", p.l1d.chunk_bytes,
                      p.l1d.line_bytes),
          fmt::format("use {}", p.l1d.chunk_bytes));
}

// The limits of a cache hold for a core's share.
void check_share(const TopologyParams& p) {
  require(p.l1d.address_bits >= 20 && p.l1d.address_bits <= 64, "geometry.address_bits", p.l1d.address_bits,
          "must be from 20 to 64", "use 32 unless the GPU's addresses are wider");
  require(p.l1d.capacity_bytes >= 1024 && p.l1d.capacity_bytes <= 131072, "geometry.capacity_bytes",
          p.l1d.capacity_bytes, "must be from 1024 to 131072, a core's share", "use 16384");
  require(p.l1d.mshr_entries >= 1 && p.l1d.mshr_entries <= 128, "mshr.entries", p.l1d.mshr_entries,
          "must be from 1 to 128, a core's share", "use 32");
  const int share = cores_a_cache(p);
  require(share * p.l1d.capacity_bytes <= most_capacity, "geometry.capacity_bytes", p.l1d.capacity_bytes,
          fmt::format("makes {} bytes of a node for {} cores, and a node has at most {}",
                      share * p.l1d.capacity_bytes, share, most_capacity),
          fmt::format("use at most {}", most_capacity / share));
  require(share * p.l1d.mshr_entries <= most_entries, "mshr.entries", p.l1d.mshr_entries,
          fmt::format("makes {} of a node for {} cores, and a node has at most {}",
                      share * p.l1d.mshr_entries, share, most_entries),
          fmt::format("use at most {}", most_entries / share));
  require(p.l1d.core_id_bits >= 1 && p.l1d.core_id_bits <= 32, "core.id_bits", p.l1d.core_id_bits,
          "must be from 1 to 32", "use 8, ids of 256 requests under way");
}

}  // namespace

int cores_a_cache(const TopologyParams& p) {
  return has_nodes(p.shape.kind) ? p.shape.cores / p.shape.nodes : 1;
}

int squeezed_bits(const TopologyParams& p) {
  return has_nodes(p.shape.kind) && p.node.squeeze ? home_map(p.shape).field_bits : 0;
}

void check(const TopologyParams& p) {
  check(p.shape);
  check_share(p);
  check_networks(p);
  require(p.l1d.index.kind != IndexKind::rxi || squeezed_bits(p) == 0, "index.kind", "rxi",
          "is published for whole addresses, and the home is cut from them here",
          "use another index.kind, or node.squeeze = false");
  check(plan_of(p).cache);
}

TopologyPlan plan_of(const TopologyParams& p) {
  TopologyPlan plan;
  const HomeMap map = plan.map = home_map(p.shape);
  const int share = cores_a_cache(p), cut = squeezed_bits(p);
  plan.cache = p.l1d;
  plan.cache.capacity_bytes *= share;
  plan.cache.mshr_entries *= share;
  plan.cache.address_bits -= cut;
  const int joined = number_bits(map.noc1.inputs), noc2_joined = number_bits(map.noc2.inputs);
  if (has_nodes(p.shape.kind)) {
    plan.cache.core_id_bits += joined;
    plan.node = {.l1d = plan.cache,
                 .queue = p.node.queue,
                 .home_low = cut ? map.field_low : 0,
                 .home_bits = cut,
                 .boost = p.boost};
    plan.noc1_id_bits = p.l1d.core_id_bits;
    plan.noc2_id_bits = memory_id_bits(plan.cache);
  } else {
    plan.noc1_id_bits = memory_id_bits(plan.cache);
    plan.noc2_id_bits = plan.noc1_id_bits + (has_noc1(p.shape.kind) ? joined : 0);
  }
  plan.slice_id_bits = plan.noc2_id_bits + noc2_joined;

  const auto ends = [&](Network network, int id_bits, int ports) {
    return packets_of(p, network, id_bits, ports);
  };
  using enum Network;
  plan.memory_requests = ends(request, plan.noc2_id_bits, map.noc2.outputs);
  plan.slice_requests = ends(request, plan.noc2_id_bits, map.noc2.inputs);
  plan.slice_replies = plan.memory_replies = ends(reply, plan.noc2_id_bits, map.noc2.inputs);
  plan.noc2_requests = crossbar_of(p, plan.memory_requests, map.noc2.inputs, map.noc2.outputs);
  plan.noc2_replies = crossbar_of(p, plan.slice_replies, map.noc2.outputs, map.noc2.inputs);
  if (!has_noc1(p.shape.kind)) return plan;
  plan.core_requests = ends(request, plan.noc1_id_bits, map.noc1.outputs);
  plan.node_requests = ends(request, plan.noc1_id_bits, map.noc1.inputs);
  plan.node_replies = plan.core_replies = ends(reply, plan.noc1_id_bits, map.noc1.inputs);
  plan.node_replies.sectoring = plan.core_replies.sectoring = !has_nodes(p.shape.kind) || p.node.sectoring;
  plan.noc1_requests = crossbar_of(p, plan.core_requests, map.noc1.inputs, map.noc1.outputs);
  plan.noc1_replies = crossbar_of(p, plan.node_replies, map.noc1.outputs, map.noc1.inputs);
  return plan;
}

Topology dc_l1(const TopologyParams& p, const std::string& top) {
  check(p);
  const TopologyPlan plan = plan_of(p);
  const auto caches = has_nodes(p.shape.kind) ? fmt::format("{} nodes", p.shape.nodes) : "private caches";
  rtl::Module m(top, fmt::format("L1 caches of {} cores in {}, with the networks to {} slices (DC-L1 thesis, "
                                 "chapter 5).",
                                 p.shape.cores, caches, p.shape.slices));
  const L1dFacts facts = Builder(p, plan, m).run();
  return {m, plan, facts};
}

}  // namespace hw
