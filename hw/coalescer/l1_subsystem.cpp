#include "hw/coalescer/l1_subsystem.h"

#include <fmt/format.h>

#include "hw/bus/axi4_l1d.h"
#include "hw/coalescer/coalescer.h"
#include "hw/rtl/module_data.h"

namespace hw {

L1d l1_subsystem(const L1SubsystemParams& p, const std::string& name) {
  const rtl::Module lanes = coalescer(coalescer_of(p), name + "_lanes");
  const bool axi4 = p.l1d.protocol == MemoryProtocol::axi4;
  L1d cache = axi4 ? axi4_l1d(p.l1d, name + "_cache") : l1d(p.l1d, name + "_cache");
  rtl::Module m(
      name, fmt::format("L1 data cache of {} bytes behind a coalescer of {} lanes{}.", p.l1d.capacity_bytes,
                        p.lanes, axi4 ? ", with AXI4 at its memory side" : ""));
  rtl::Pins lane_pins, cache_pins;
  const auto add = [](rtl::Pins& to, const rtl::Pins& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (const char* stream : {"lane_request", "lane_response"})
    add(lane_pins, rtl::pass_on(m, rtl::stream_of(lanes, stream)));
  if (!axi4)
    for (const char* stream : {"memory_request", "memory_response"})
      add(cache_pins, rtl::pass_on(m, rtl::stream_of(cache.module, stream)));
  for (const rtl::Signal& port : rtl::other_ports(cache.module)) cache_pins.push_back(rtl::pass_on(m, port));
  m.section("Between the coalescer and the cache.");
  for (const char* stream : {"core_request", "core_response"}) {
    const rtl::Pins wires = rtl::wires_between(m, rtl::stream_of(cache.module, stream));
    add(lane_pins, wires);
    add(cache_pins, wires);
  }
  m.instance(lanes, "coalescer", lane_pins, "From lanes to requests of lines.");
  m.instance(cache.module, "cache", cache_pins, "The cache.");
  cache.module = m;
  return cache;
}

}  // namespace hw
