#include "hw/topology/topology.h"

#include <fmt/format.h>
#include <optional>

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>

#include "hw/check/error_collector.h"
#include "hw/check/first_error.h"
#include "hw/geometry_ranges.h"
#include "hw/l1d/l1d_ranges.h"
#include "hw/noc/crossing_fifo.h"
#include "hw/noc/noc_ranges.h"
#include "hw/policy/policies.h"
#include "hw/prim/last_cycle.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"
#include "hw/topology/kinds.h"
#include "hw/topology/topology_ranges.h"

namespace hw {
namespace {

using rtl::Expr;

constexpr auto most_capacity = static_cast<int>(capacity_of_node.most);
constexpr auto most_entries = static_cast<int>(entries_of_node.most);

// Parts and crossbars stand in generate loops, their links and the ports of the parts in vectors with
// number 0 lowest.
class TopologyBuilder {
 public:
  TopologyBuilder(const TopologyParams& p, const TopologyPlan& plan, rtl::Module& m)
      : p_(p), plan_(plan), m_(m), top_(m.name()) {}

  L1dFacts run() {
    std::vector<BuiltPart> parts;
    for (const PartGroup& group : plan_.parts) parts.push_back(group.build({p_, plan_, group, top_}));
    if (std::ranges::any_of(plan_.fabrics, [](const auto& f) { return f->fast(); })) fast_ = noc1_clock(m_);
    flush_ = m_.input("flush_valid", 1, "flush all caches");
    const Expr flushed = m_.output("flush_ready", 1, "the flush takes effect at this edge if valid");
    int caches = 0;
    L1dFacts facts;
    for (std::size_t g = 0; g < parts.size(); ++g) {
      if (!parts[g].cache) continue;
      caches += plan_.parts[g].count;
      facts = *parts[g].cache;
    }
    caches_ready_ = m_.wire("caches_ready", caches, "caches that can take a flush");
    if (plan_.flushes_at_once)
      flush_all_ = m_.let("flush_all", flush_ & rtl::all(caches_ready_), "all caches flush at this edge");
    count_cycles();
    for (std::size_t g = 0; g < parts.size(); ++g) pack_ports(plan_.parts[g], parts[g]);
    for (std::size_t f = 0; f < plan_.fabrics.size(); ++f) wire(static_cast<int>(f));
    for (std::size_t g = 0; g < parts.size(); ++g) place(plan_.parts[g], parts[g]);
    m_.section("The networks.");
    for (std::size_t f = 0; f < plan_.fabrics.size(); ++f) place(static_cast<int>(f));
    m_.section("Flush.");
    m_.assign(flushed, rtl::all(caches_ready_));
    if (!codes_.empty()) collect_errors(m_, codes_);
    return facts;
  }

 private:
  // Links of a class, as wires: those of all senders, and of all receivers.
  struct ClassWires {
    ClassPorts ports;
    Link in, out;
    int senders = 0, sinks = 0;  // of the parts so far
  };

  // The cycles in which fabrics move, of fabrics that do not move in each cycle.
  void count_cycles() {
    const int slowest = slowest_cycles(plan_);
    if (slowest == 1) return;
    const int bits = number_bits(slowest);
    const Expr cycle = m_.reg("network_cycle_q", bits, 0, "cycles since the networks moved last");
    for (const auto& fabric : plan_.fabrics) {
      const int cycles = fabric->cycles();
      if (cycles == 1 || enables_.contains(cycles)) continue;
      const FabricEnable enable = enable_of(plan_, cycles);
      const int low = number_bits(cycles);  // of a faster one, whose cycles are a power of two
      const Expr first =
          cycles == slowest ? cycle == rtl::lit(bits, 0) : cycle.slice(low - 1, 0) == rtl::lit(low, 0);
      enables_.emplace(cycles, m_.let(enable.name, first, enable.doc));
    }
    const Expr last = cycle == last_cycle(m_, bits, slowest);
    m_.clocked("Count them.",
               [&] { m_.set(cycle, rtl::mux(last, rtl::lit(bits, 0), cycle + rtl::lit(bits, 1))); });
  }

  Pins enable_pins(const PartGroup& group) const {
    std::map<int, Expr> of_ends;
    for (const Endpoint& end : group.ends)
      if (const auto enable = enables_.find(plan_.fabrics[at(end.fabric)]->cycles());
          enable != enables_.end())
        of_ends.insert(*enable);
    Pins pins;
    for (const auto& [cycles, enable] : of_ends) pins.emplace_back(enable_of(plan_, cycles).name, enable);
    return pins;
  }

  // Ports of the parts that the top has too, with a part's name in front, and their vector.
  void pack_ports(const PartGroup& group, const BuiltPart& part) {
    if (part.passed.empty()) return;
    std::vector<std::vector<Expr>> ports(part.passed.size());
    for (int n = 0; n < group.count; ++n)
      for (std::size_t i = 0; i < part.passed.size(); ++i) {
        const PassedPort& port = part.passed[i];
        const std::string name = fmt::format("{}{}_{}", group.name, n, port.name),
                          text = fmt::format("{} {}: {}", group.name, n, port.doc);
        ports[i].push_back(port.input ? m_.input(name, port.width, text) : m_.output(name, port.width, text));
      }
    m_.section(fmt::format("Ports of the {}s side by side.", group.name));
    const std::size_t first = packed_.size();
    for (const PassedPort& port : part.passed)
      packed_.push_back(m_.wire(group.name + "_" + port.name, group.count * port.width, port.doc));
    for (std::size_t i = 0; i < part.passed.size(); ++i) pack(ports[i], part.passed[i], packed_[first + i]);
  }

  // As many ports in a statement as fit in three lines, in each statement the same number.
  void pack(const std::vector<Expr>& ports, const PassedPort& port, const Expr& packed) {
    constexpr int most_letters = 215;
    const int count = static_cast<int>(ports.size());
    const int letters = static_cast<int>(ports.back().node().text.size()) + 2;
    const int statements = (count * letters + most_letters - 1) / most_letters,
              most = (count + statements - 1) / statements;
    for (int first = 0; first < count; first += most) {
      const int behind = std::min(first + most, count);
      const std::vector<Expr> some(ports.rend() - behind, ports.rend() - first);
      const Expr own = packed.slice(behind * port.width - 1, first * port.width);
      port.input ? m_.assign(own, rtl::cat(some)) : m_.assign(rtl::cat(some), own);
    }
  }

  void wire(int number) {
    const Fabric& fabric = *plan_.fabrics[at(number)];
    m_.section(fmt::format("Links of {}, side by side.", fabric.title()));
    links_.emplace_back();
    for (int c = 0; c < static_cast<int>(fabric.classes().size()); ++c) {
      const ClassPorts ports = ports_of(plan_, number, c);
      const std::string prefix = fabric.name() + "_";
      links_.back().push_back({ports, fabric.wire_links(m_, prefix, c, true, ports),
                               fabric.wire_links(m_, prefix, c, false, ports)});
    }
  }

  // Broken rules that the checks in so many like modules name.
  std::optional<Expr> codes_of(const rtl::Module& module, const std::string& name, int count) {
    const int bits = checks_in(module) * protocol_code_bits;
    if (bits == 0) return {};
    codes_.push_back(m_.wire(name + "_codes", count * bits, "rule that each check found broken; 0 for none"));
    return codes_.back();
  }

  void place(const PartGroup& group, const BuiltPart& part) {
    const auto codes = codes_of(part.module, group.name, group.count);
    m_.repeat(group.name + "s", group.count, fmt::format("The {}s.", group.module), [&](const Expr& n) {
      Pins pins;
      for (const PassedPort& port : part.passed)
        pins.emplace_back(port.name, packed_[next_packed_++].part(n, port.width));
      for (const Endpoint& end : group.ends) append(pins, joined(end, n, group.count));
      if (part.cache) append(pins, flush_pins(n, group.count));
      append(pins, enable_pins(group));
      if (codes) pins.emplace_back(protocol_codes, codes->part(n, codes->width() / group.count));
      for (const Tie& tie : group.ties) pins.emplace_back(tie.port, tied(group, tie, part).part(n, tie.bits));
      m_.instance(part.module, group.name + "_part", pins, fmt::format("A {} each.", group.module));
    });
  }

  // The pins of each part's link to a fabric.
  Pins joined(const Endpoint& end, const Expr& n, int count) {
    const Fabric& fabric = *plan_.fabrics[at(end.fabric)];
    ClassWires& wires = links_[at(end.fabric)][at(end.message_class)];
    int& first = end.sends ? wires.senders : wires.sinks;
    const Link link = (end.sends ? wires.in : wires.out).one([&](const Expr& vector, int width) {
      return vector.stepped({{n, 1}}, first, width);
    });
    first += count;
    const bool request =
        fabric.classes()[at(end.message_class)].taken.network == Network::request && !end.sends;
    return link.pins(end.link, end.sends, request);
  }

  Expr tied(const PartGroup& group, const Tie& tie, const BuiltPart& part) {
    std::string name = fmt::format("{}_OF_{}", tie.port, group.name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    return m_.table(name, tie.bits, tie.values, part.module.data().signal(tie.port)->doc);
  }

  Pins flush_pins(const Expr& n, int count) {
    Pins pins{{"flush_valid", flush_}, {"flush_ready", caches_ready_.stepped({{n, 1}}, next_cache_, 1)}};
    next_cache_ += count;
    if (flush_all_) pins.emplace_back("flush_all", *flush_all_);
    return pins;
  }

  void place(int number) {
    const Fabric& fabric = *plan_.fabrics[at(number)];
    const auto enable = enables_.find(fabric.cycles());
    const FabricClock clock{fabric.fast() ? fast_ : rtl::Clock{},
                            enable == enables_.end() ? std::nullopt : std::optional(enable->second)};
    std::vector<ClassPorts> ports;
    Pins pins;
    for (std::size_t c = 0; c < links_[at(number)].size(); ++c) {
      const ClassWires& wires = links_[at(number)][c];
      ports.push_back(wires.ports);
      append(pins, wires.in.pins(fabric.link_name(static_cast<int>(c), true), true, true));
      append(pins, wires.out.pins(fabric.link_name(static_cast<int>(c), false), true, true));
    }
    const rtl::Module network = clock.timed(fabric.network(top_, ports));
    if (const auto codes = codes_of(network, fabric.name(), 1)) pins.emplace_back(protocol_codes, *codes);
    m_.instance(clock.clock, network, fabric.name(), clock.timed(pins, network), fabric.title() + ".");
  }

  static std::size_t at(int n) { return static_cast<std::size_t>(n); }

  const TopologyParams& p_;
  const TopologyPlan& plan_;
  rtl::Module& m_;
  std::string top_;
  rtl::Clock fast_ = {};
  std::vector<std::vector<ClassWires>> links_;  // by fabric and class
  std::vector<Expr> packed_;                    // ports of the groups' parts
  std::size_t next_packed_ = 0;
  Expr flush_, caches_ready_;
  std::optional<Expr> flush_all_;
  std::map<int, Expr> enables_;  // by the cycles to one in which their fabrics move
  std::vector<Expr> codes_;      // of checks
  int next_cache_ = 0;
};

// A load may be decided on by the cache that all its requests come to, with what one unit for all says.
void check_policy(const TopologyParams& p) {
  const KindRow& kind = kind_of(p.shape.kind);
  PolicyAround around{.remedy = "use mrpb, or topology.kind = \"baseline\" or \"private_nodes\"",
                      .followers = "the caches of a topology follow it"};
  if (reads_degrees(p.l1d.bypass) && (kind.meshed || (home_map(p.shape).homes != 1 && kind.caches_in_nodes)))
    around.splits_loads =
        "one load's requests go to several caches here, none of which sees the first of each load";
  check(p.l1d.bypass, around);
}

void check_networks(const TopologyParams& p) {
  require_in(TopologyRanges::queue, "node.queue", p.node.queue, "use 4");
  require(p.l1d.protocol == MemoryProtocol::native, "memory.protocol", "axi4",
          "the memory side of a topology's caches is a network of packets", "use native");
  check_policy(p);
  require(!has_controller(p.l1d), "iacm.order", "any",
          "limits the warps of one core, and a node serves several", "use none");
  require(p.flit_bytes >= p.l1d.chunk_bytes && p.flit_bytes <= p.l1d.line_bytes && power_of_two(p.flit_bytes),
          "crossbar.flit_bytes", p.flit_bytes,
          fmt::format("must be a power of two from a chunk, {}, to a line, {}", p.l1d.chunk_bytes,
                      p.l1d.line_bytes),
          fmt::format("use {}", p.l1d.chunk_bytes));
}

void check_ratio(const TopologyParams& p) {
  const KindRow& kind = kind_of(p.shape.kind);
  if (kind.meshed) return;
  require_in(CrossbarRanges::clock_ratio, "noc.clock_ratio", p.clock_ratio, "use 2, of 1,400 and 700 MHz");
  require(!kind.nodes || !p.boost || p.clock_ratio == 1 || p.clock_ratio % 2 == 0, "noc.clock_ratio",
          p.clock_ratio, "has no half, in which NoC#1 moves with topology.boost", "use 2 or 4");
}

// The limits of a cache hold for a core's share.
void check_share(const TopologyParams& p) {
  require_in(GeometryRanges::address_bits, "geometry.address_bits", p.l1d.address_bits,
             "use 32 unless the GPU's addresses are wider");
  require_in(L1dRanges::capacity_bytes, "geometry.capacity_bytes", p.l1d.capacity_bytes, "use 16384");
  require_in(L1dRanges::mshr_entries, "mshr.entries", p.l1d.mshr_entries, "use 32");
  const int share = cores_a_cache(p);
  require(share * p.l1d.capacity_bytes <= most_capacity, "geometry.capacity_bytes", p.l1d.capacity_bytes,
          fmt::format("makes {} bytes of a node for {} cores, and a node has at most {}",
                      share * p.l1d.capacity_bytes, share, most_capacity),
          fmt::format("use at most {}", most_capacity / share));
  require(share * p.l1d.mshr_entries <= most_entries, "mshr.entries", p.l1d.mshr_entries,
          fmt::format("makes {} of a node for {} cores, and a node has at most {}",
                      share * p.l1d.mshr_entries, share, most_entries),
          fmt::format("use at most {}", most_entries / share));
  require_in(L1dRanges::core_id_bits, "core.id_bits", p.l1d.core_id_bits,
             "use 8, ids of 256 requests under way");
  check_ids(p.l1d.check, p.l1d.core_id_bits);
}

}  // namespace

int cores_a_cache(const TopologyParams& p) {
  return kind_of(p.shape.kind).caches_in_nodes ? p.shape.cores / p.shape.nodes : 1;
}

int squeezed_bits(const TopologyParams& p) {
  return kind_of(p.shape.kind).caches_in_nodes && p.node.squeeze ? home_map(p.shape).field_bits : 0;
}

void check(const TopologyParams& p) {
  check(p.shape);
  check_share(p);
  check_networks(p);
  check_ratio(p);
  require(!p.l1d.request_slice || !kind_of(p.shape.kind).caches_in_nodes, "core.request_slice", true,
          "is for caches at cores; a node's stands behind Q1, and its core's ready follows credits alone",
          "leave it out, or use topology.kind = \"baseline\" or \"cdxbar\"");
  require(p.l1d.index.kind != IndexKind::rxi || squeezed_bits(p) == 0, "index.kind", "rxi",
          "is published for whole addresses, and the home is cut from them here",
          "use another index.kind, or node.squeeze = false");
  kind_of(p.shape.kind).check_caches(p);
  check(plan_of(p).cache);
  check_built(plan_of(p).cache);
  kind_of(p.shape.kind).check_parts(p);
}

TopologyPlan plan_of(const TopologyParams& p) { return kind_of(p.shape.kind).plan(p); }

Topology dc_l1(const TopologyParams& p, const std::string& top) {
  check(p);
  const TopologyPlan plan = plan_of(p);
  rtl::Module m(top, fmt::format("L1 caches of {} cores in {}, with the networks to {} slices (DC-L1 thesis, "
                                 "chapter {}).",
                                 p.shape.cores, plan.caches, p.shape.slices, plan.chapter));
  const L1dFacts facts = TopologyBuilder(p, plan, m).run();
  return {m, plan, facts};
}

}  // namespace hw
