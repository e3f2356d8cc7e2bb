#include "hw/axi4/axi4_l1d.h"

#include <fmt/format.h>

#include "hw/axi4/axi4_bridge.h"
#include "hw/axi4/axi4_ports.h"
#include "hw/rtl/module_data.h"

namespace hw {

using rtl::Expr;

rtl::Module with_axi4(const rtl::Module& native, const Axi4BridgeParams& p, const std::string& top) {
  rtl::Module m(top, fmt::format("{} Its memory side is AXI4 and takes no atomics.", native.doc()));
  const rtl::Module bridge = axi4_bridge(p, top + "_bridge");
  std::vector<std::pair<std::string, Expr>> native_pins, bridge_pins;
  std::vector<const rtl::Signal*> between;
  for (const rtl::Signal& s : native.data().signals) {
    if (s.role != rtl::Role::input && s.role != rtl::Role::output) continue;
    if (s.name.starts_with("memory_re"))
      between.push_back(&s);
    else
      native_pins.emplace_back(s.name, s.role == rtl::Role::input ? m.input(s.name, s.width, s.doc)
                                                                  : m.output(s.name, s.width, s.doc));
  }
  for (const Axi4Port& port : axi4_ports(p))
    bridge_pins.emplace_back(port.name, port.output ? m.output(port.name, port.width, port.doc)
                                                    : m.input(port.name, port.width, port.doc));
  m.section("Between the cache and the bridge.");
  for (const rtl::Signal* s : between) {
    const Expr wire = m.wire(s->name, s->width, s->doc);
    native_pins.emplace_back(s->name, wire);
    bridge_pins.emplace_back(s->name, wire);
  }
  m.instance(native, "core", native_pins, "The cache.");
  m.instance(bridge, "bridge", bridge_pins, "Its memory side.");
  return m;
}

L1d axi4_l1d(const L1dParams& p, const std::string& top) {
  L1d cache = l1d(p, top + "_core");
  const Axi4BridgeParams bridge = axi4_bridge_of(p, cache.facts.memory_id_bits);
  check(bridge);
  cache.module = with_axi4(cache.module, bridge, top);
  return cache;
}

}  // namespace hw
