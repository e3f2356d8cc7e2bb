#include "hw/topology/dc_l1_node.h"

#include <fmt/format.h>

#include <array>

#include "hw/noc/crossing_fifo.h"
#include "hw/noc/packet.h"
#include "hw/policy/policies.h"
#include "hw/prim/fifo.h"
#include "hw/require.h"
#include "hw/rtl/module_data.h"
#include "hw/topology/topology_ranges.h"

namespace hw {
namespace {

using rtl::Expr;

struct Side {
  const char *queue, *stream;
  bool enters, crosses;
  const char* doc;
};
constexpr std::array<Side, 4> sides{{{"q1", "core_request", true, true, "Requests from the core."},
                                     {"q2", "core_response", false, true, "Answers to the core."},
                                     {"q3", "memory_request", false, false, "Requests to the next level."},
                                     {"q4", "memory_response", true, false, "Answers of the next level."}}};

class DcL1NodeBuilder {
 public:
  DcL1NodeBuilder(const DcL1NodeParams& p, const rtl::Module& cache, rtl::Module& m)
      : p_(p), cache_(cache), m_(m) {}

  void run() {
    if (p_.boost) noc1_clock(m_);
    std::vector<rtl::Stream> streams;
    for (const Side& side : sides) {
      const auto fields = port_fields(side);
      streams.push_back(side.enters ? rtl::input_stream(m_, side.stream, fields, "a message enters")
                                    : rtl::output_stream(m_, side.stream, fields, "a message leaves"));
    }
    if (p_.home_bits)
      home_ = m_.input("home", p_.home_bits, "address bits that all requests of this node have in common");
    Pins pins;
    for (const rtl::Signal& port : rtl::other_ports(cache_)) pins.push_back(rtl::pass_on(m_, port));
    m_.section("The queues.");
    for (std::size_t k = 0; k < sides.size(); ++k) append(pins, queue(sides[k], streams[k]));
    m_.section("The cache.");
    m_.instance(cache_, "cache", pins, "The cache of the node.");
    if (p_.home_bits)
      m_.unused("unused_home", streams[0]["address"].slice(p_.home_low + p_.home_bits - 1, p_.home_low),
                "address bits that name the node's home");
  }

 private:
  // The fields of the cache's stream, as the cache has them.
  const std::vector<rtl::Field>& cache_fields(const Side& side) const {
    return rtl::stream_of(cache_, side.stream).fields;
  }

  // The same as the node has them: with whole addresses.
  std::vector<rtl::Field> port_fields(const Side& side) const {
    std::vector<rtl::Field> fields = cache_fields(side);
    for (rtl::Field& f : fields)
      if (f.name == "address") f.width += p_.home_bits;
    return fields;
  }

  // The queue, and the pins of its stream at the cache.
  Pins queue(const Side& side, const rtl::Stream& port) {
    const Channel inner(m_, fmt::format("{}_{}", side.queue, side.enters ? "front" : "entry"),
                        cache_fields(side),
                        side.enters ? "a message for the cache" : "a message of the cache");
    const rtl::Module fifo_module = queue_module(side, inner.width());
    Pins pins = inner.word_pins(side.enters ? "out" : "in");
    const std::string outer = side.enters ? "in" : "out";
    pins.emplace_back(outer + "_valid", port.valid);
    pins.emplace_back(outer + "_ready", port.ready);
    if (side.enters) {
      std::vector<Expr> parts;
      for (const auto& [name, e] : port.fields())
        parts.push_back(name == "address" && p_.home_bits ? cut(e) : e);
      pins.emplace_back("in_data", rtl::cat(parts));
    } else {
      const Expr word =
          m_.wire(fmt::format("{}_front_word", side.queue), inner.width(), "the message in front");
      pins.emplace_back("out_data", word);
      int high = inner.width();
      for (const rtl::Field& f : cache_fields(side)) {
        const int low = high - f.width;
        m_.assign(port[f.name], f.name == "address" && p_.home_bits
                                    ? rtl::cat({word.slice(high - 1, low + p_.home_low), home_,
                                                word.slice(low + p_.home_low - 1, low)})
                                    : word.slice(high - 1, low));
        high = low;
      }
    }
    m_.instance(fifo_module, side.queue, pins, side.doc);
    return inner.pins(side.stream);
  }

  Expr cut(const Expr& address) const {
    return rtl::cat(
        {address.slice(address.width() - 1, p_.home_low + p_.home_bits), address.slice(p_.home_low - 1, 0)});
  }

  rtl::Module queue_module(const Side& side, int width) const {
    if (!p_.boost || !side.crosses) return fifo(p_.queue, width);
    const CrossingParams crossing{.entries = p_.queue, .width = width, .to_fast = !side.enters};
    return crossing_fifo(crossing);
  }

  const DcL1NodeParams& p_;
  const rtl::Module& cache_;
  rtl::Module& m_;
  Expr home_;
};

}  // namespace

void check(const DcL1NodeParams& p) {
  require_in(TopologyRanges::queue, "node.queue", p.queue, "use 4");
  check(p.l1d);
  require(p.l1d.protocol == MemoryProtocol::native, "memory.protocol", "axi4",
          "a node's memory side is a network of packets", "use native");
  require(!p.l1d.request_slice, "core.request_slice", true,
          "would stand behind Q1, from whose registers core_request_ready comes already", "leave it out");
  check(p.l1d.bypass, PolicyAround{.followers = "nodes follow it"});
  require(!has_controller(p.l1d), "iacm.order", "any",
          "limits the warps of one core, and a node serves several", "use none");
}

L1d dc_l1_node(const DcL1NodeParams& p, const std::string& top) {
  check(p);
  L1d cache = l1d(p.l1d, top + "_cache");
  rtl::Module m(top, fmt::format("A DC-L1 node: an L1 data cache between four queues of {} messages (DC-L1 "
                                 "thesis, chapter 5).",
                                 p.queue));
  DcL1NodeBuilder(p, cache.module, m).run();
  return {m, cache.facts};
}

}  // namespace hw
