#include "hw/bus/axi4_l1d.h"

#include <fmt/format.h>

#include "hw/bus/axi4_bridge.h"
#include "hw/bus/axi4_ports.h"
#include "hw/rtl/module_data.h"

namespace hw {

rtl::Module with_axi4(const rtl::Module& native, const Axi4BridgeParams& p, const std::string& top) {
  rtl::Module m(top, fmt::format("{} Its memory side is AXI4 and takes no atomics.", native.doc()));
  const rtl::Module bridge = axi4_bridge(p, top + "_bridge");
  rtl::Pins native_pins, bridge_pins;
  const auto add = [](rtl::Pins& to, const rtl::Pins& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const char* stream : {"core_request", "core_response"})
    add(native_pins, rtl::pass_on(m, rtl::stream_of(native, stream)));
  for (const rtl::Signal& port : rtl::other_ports(native)) native_pins.push_back(rtl::pass_on(m, port));
  for (const Axi4Port& port : axi4_ports(p))
    bridge_pins.emplace_back(port.name, port.output ? m.output(port.name, port.width, port.doc)
                                                    : m.input(port.name, port.width, port.doc));
  if (p.check.ports)
    for (const rtl::Signal& port : rtl::other_ports(bridge))
      if (port.name.starts_with("protocol_error")) bridge_pins.push_back(rtl::pass_on(m, port));
  m.section("Between the cache and the bridge.");
  for (const char* stream : {"memory_request", "memory_response"}) {
    const rtl::Pins wires = rtl::wires_between(m, rtl::stream_of(native, stream));
    add(native_pins, wires);
    add(bridge_pins, wires);
  }
  m.instance(native, "core", native_pins, "The cache.");
  m.instance(bridge, "bridge", bridge_pins, "The memory side of the cache, over AXI4.");
  return m;
}

L1d axi4_l1d(const L1dParams& p, const std::string& top) {
  L1dParams native = p;
  native.check = {};  // correct answers of the memory make the bridge's answers correct
  L1d cache = l1d(native, top + "_core");
  const Axi4BridgeParams bridge = axi4_bridge_of(p, cache.facts.memory_id_bits);
  check(bridge);
  cache.module = with_axi4(cache.module, bridge, top);
  return cache;
}

}  // namespace hw
