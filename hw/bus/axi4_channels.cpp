#include "hw/bus/axi4_channels.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/bus/axi4_ports.h"

namespace hw {
namespace {

using rtl::Expr;

using Ports = std::vector<std::pair<std::string, Expr>>;

Ports add_ports(rtl::Module& m, const Axi4BridgeParams& p) {
  Ports ports;
  for (const Axi4Port& port : axi4_ports(p))
    ports.emplace_back(port.name.substr(4), port.output ? m.output(port.name, port.width, port.doc)
                                                        : m.input(port.name, port.width, port.doc));
  return ports;
}

Expr port_of(const Ports& ports, const std::string& name) {
  const auto found = std::ranges::find(ports, name, &Ports::value_type::first);
  if (found == ports.end()) throw std::logic_error("AXI4 has no port axi_" + name);
  return found->second;
}

Axi4Channels::Address address_channel(const Ports& ports, const std::string& channel) {
  const auto port = [&](const char* field) { return port_of(ports, channel + field); };
  return {.id = port("id"),
          .addr = port("addr"),
          .len = port("len"),
          .size = port("size"),
          .burst = port("burst"),
          .cache = port("cache"),
          .prot = port("prot"),
          .valid = port("valid"),
          .ready = port("ready")};
}

}  // namespace

Axi4Channels axi4_channels(rtl::Module& m, const Axi4BridgeParams& p) {
  const Ports ports = add_ports(m, p);
  const auto port = [&](const char* name) { return port_of(ports, name); };
  return {.aw = address_channel(ports, "aw"),
          .w = {.data = port("wdata"),
                .strb = port("wstrb"),
                .last = port("wlast"),
                .valid = port("wvalid"),
                .ready = port("wready")},
          .b = {.id = port("bid"), .resp = port("bresp"), .valid = port("bvalid"), .ready = port("bready")},
          .ar = address_channel(ports, "ar"),
          .r = {.id = port("rid"),
                .data = port("rdata"),
                .resp = port("rresp"),
                .last = port("rlast"),
                .valid = port("rvalid"),
                .ready = port("rready")},
          .error = port("error")};
}

}  // namespace hw
