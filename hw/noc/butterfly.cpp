#include "hw/noc/butterfly.h"

#include <fmt/format.h>

#include <bit>

#include "hw/check/check_params.h"
#include "hw/check/error_collector.h"
#include "hw/noc/flit_link.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/routed_switch.h"
#include "hw/prim/constant_modulus.h"
#include "hw/require.h"

namespace hw {
namespace {

using rtl::Expr;

// What a digit of stage `stage` counts: ports that differ in it alone are so far apart.
int weight_of(const ButterflySize& size, int stage) {
  int weight = 1;
  for (int s = size.stages - 1; s > stage; --s) weight *= size.radix;
  return weight;
}

// The digit of the stage, most significant first.
Expr digit_of(rtl::Module& m, const ButterflySize& size, int stage, const Expr& destination) {
  const int weight = weight_of(size, stage), bits = number_bits(size.radix);
  if (std::has_single_bit(static_cast<unsigned>(size.radix)))
    return destination.slice(number_bits(weight) + bits - 1, number_bits(weight));
  Number rest{destination, 0, destination.width()};
  if (weight > 1) {
    const Expr above = quotient_of(m, "above", rest, ports_of(size), weight);
    if (stage == 0) return above;
    rest = {m.let("upper_digits", above, "digits of this stage and of the stages before"), 0, above.width()};
  }
  return stage == 0 ? destination : remainder_of(m, "digit", rest, size.radix);
}

rtl::Module stage_route(const ButterflySize& size, int stage, const std::string& name) {
  rtl::Module m(
      name, fmt::format("Output of a head in stage {} of a {}-ary {}-fly: a digit of where it goes.", stage,
                        size.radix, size.stages));
  const Expr destination =
      m.input("destination", number_bits(ports_of(size)), "output of the butterfly that the packet goes to");
  const Expr port = m.output("port", number_bits(size.radix), "output of the switch");
  m.assign(port, digit_of(m, size, stage, destination));
  m.unused("unused_destination", destination, "other digits count in other stages");
  return m;
}

rtl::Module switch_module(const ButterflyParams& p, int stage, const std::string& top) {
  const int radix = p.size.radix, destination_bits = number_bits(ports_of(p.size));
  const std::string name = fmt::format("{}_switch{}", top, stage);
  rtl::Module m(name, fmt::format("Switch of stage {} of a {}-ary {}-fly (DC-L1 thesis, chapter 4).", stage,
                                  radix, p.size.stages));
  RoutedSwitch made{.crossbar = {.inputs = radix,
                                 .outputs = radix,
                                 .flit_bytes = p.flit_bytes,
                                 .side_bits = destination_bits + p.side_bits,
                                 .vcs = p.vcs,
                                 .vc_depth = p.vc_flits,
                                 .checks = p.checks},
                    .crossbar_name = top + "_crossbar",
                    .destination_bits = destination_bits,
                    .side_bits = p.side_bits,
                    .link_stages = p.link_stages,
                    .route = stage_route(p.size, stage, name + "_route"),
                    .destination = "output of the butterfly that its packet goes to; on heads",
                    .links = "Towards the next stage."};
  for (int n = 0; n < radix; ++n)
    made.ports.push_back({.where = fmt::format("of digit {}", n),
                          .links_credits = stage > 0,
                          .links_flits = stage < p.size.stages - 1});
  add_routed_switch(m, made);
  return m;
}

class ButterflyBuilder {
 public:
  ButterflyBuilder(const ButterflyParams& p, const std::string& name)
      : p_(p),
        ports_(ports_of(p.size)),
        m_(name, fmt::format("Butterfly of {} stages of switches of {} x {}: {} virtual channels of {} flits "
                             "of {} bytes, which packets keep (DC-L1 thesis, chapter 4).",
                             p.size.stages, p.size.radix, p.size.radix, p.vcs, p.vc_flits, p.flit_bytes)) {}

  rtl::Module run() {
    const FlitShape shape{.vcs = p_.vcs,
                          .destination_bits = number_bits(ports_),
                          .side_bits = p_.side_bits,
                          .flit_bytes = p_.flit_bytes};
    std::vector<Link> ahead = links(shape, "in", Link::Made::sink_ports);
    const std::vector<Link> out = links(shape, "out", Link::Made::sender_ports);
    for (int s = 0; s < p_.size.stages; ++s) {
      m_.section(fmt::format("Stage {}.", s));
      const bool last = s == p_.size.stages - 1;
      const std::vector<Link> behind =
          last ? out : links(shape, fmt::format("stage{}_out", s), Link::Made::wires);
      stage(s, ahead, behind);
      ahead = behind;
    }
    if (p_.checks) collect_errors(m_, codes_);
    return m_;
  }

 private:
  std::vector<Link> links(const FlitShape& shape, const std::string& stem, Link::Made made) {
    std::vector<Link> all;
    for (int n = 0; n < ports_; ++n) all.emplace_back(m_, fmt::format("{}{}", stem, n), shape, made);
    return all;
  }

  void stage(int s, const std::vector<Link>& ahead, const std::vector<Link>& behind) {
    const rtl::Module module = switch_module(p_, s, m_.name());
    const int radix = p_.size.radix, weight = weight_of(p_.size, s);
    for (int w = 0; w < ports_ / radix; ++w) {
      Pins pins;
      for (int digit = 0; digit < radix; ++digit) {
        const auto port = static_cast<std::size_t>(w / weight * weight * radix + digit * weight + w % weight);
        append(pins, ahead[port].pins(fmt::format("in{}", digit), true, false));
        append(pins, behind[port].pins(fmt::format("out{}", digit), true, false));
      }
      const std::string name = fmt::format("switch{}_{}", s, w);
      if (p_.checks) append(pins, error_pins(name));
      m_.instance(module, name, pins, fmt::format("Switch {}.", w));
    }
  }

  Pins error_pins(const std::string& name) {
    const Expr error = m_.wire(name + "_error", 1, "a neighbour of the switch has broken a rule");
    m_.unused("unused_" + name + "_error", error, "the code says it too");
    codes_.push_back(m_.wire(name + "_code", protocol_code_bits, "rule that was broken first; 0 for none"));
    return {{"protocol_error", error}, {"protocol_error_code", codes_.back()}};
  }

  const ButterflyParams& p_;
  const int ports_;
  rtl::Module m_;
  std::vector<Expr> codes_;  // of checks
};

}  // namespace

void check(const ButterflySize& p) {
  require_in(ButterflyRanges::radix, "butterfly.radix", p.radix, "use 6");
  require_in(ButterflyRanges::stages, "butterfly.stages", p.stages, "use 2");
  require(ports_of(p) <= most_butterfly_ports, "butterfly.stages", p.stages,
          fmt::format("makes more than {} ports of switches of {}", most_butterfly_ports, p.radix), "use 2");
}

void check(const ButterflyParams& p) {
  check(p.size);
  require_in(MeshRanges::vcs, "mesh.vcs", p.vcs, "use 4");
  require(p.vcs % 2 == 0, "mesh.vcs", p.vcs, "must be even, as in a mesh", "use 4");
  require_in(MeshRanges::vc_flits, "mesh.vc_flits", p.vc_flits, "use 4");
  require_in(MeshRanges::link_stages, "mesh.link_stages", p.link_stages, "use 1");
  require_in(MeshRanges::flit_bytes, "crossbar.flit_bytes", p.flit_bytes,
             "use 32, a chunk of the reference cache");
  require_in(MeshRanges::side_bits, "crossbar.side_bits", p.side_bits, "use 0 for nothing beside the data");
}

rtl::Module butterfly(const ButterflyParams& p, const std::string& name) {
  check(p);
  return ButterflyBuilder(p, name).run();
}

}  // namespace hw
