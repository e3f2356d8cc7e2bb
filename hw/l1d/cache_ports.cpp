#include "hw/l1d/cache_ports.h"

#include <fmt/format.h>

#include <algorithm>

namespace hw {

MonitorInputs::MonitorInputs(rtl::Module& m, const L1dParams& p) {
  std::size_t single = 0;
  for (const MonitorInputRow& row : monitor_input_rows) {
    for (int n = 0; n < row.count(p); ++n) {
      const std::string name = monitor_input_name(row, n),
                        doc = row.numbered ? fmt::format("{} {}", row.doc, n) : std::string(row.doc);
      ports_.push_back({name, row.source, m.input(name, row.width(p), doc)});
      if (!row.numbered) singles_[single] = ports_.back().value;
    }
    if (!row.numbered) ++single;
  }
  std::ranges::sort(ports_, {}, &Port::name);
}

rtl::Pins MonitorInputs::pins_from(std::initializer_list<InputSource> sources) const {
  rtl::Pins pins;
  for (const Port& port : ports_)
    if (std::ranges::count(sources, port.source) > 0) pins.emplace_back(port.name, port.value);
  return pins;
}

CachePorts::CachePorts(rtl::Module& m, const L1dParams& p)
    : core_request(cache_stream(m, p, "core_request")),
      core_response(cache_stream(m, p, "core_response")),
      memory_request(cache_stream(m, p, "memory_request")),
      memory_response(cache_stream(m, p, "memory_response")),
      flush_valid(m.input("flush_valid", 1, "all lines are to become invalid")),
      flush_ready(m.output("flush_ready", 1, "all lines become invalid at this edge")),
      controls(m, p),
      monitor_inputs(m, p) {}

}  // namespace hw
