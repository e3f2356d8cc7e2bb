#include "hw/bus/axi4_ports.h"

namespace hw {

std::vector<Axi4Port> axi4_ports(const Axi4BridgeParams& p) {
  const int id = axi_id_bits(p), data = 8 * beat_bytes(p);
  std::vector<Axi4Port> ports;
  const auto out = [&](const char* name, int width, const char* doc) {
    ports.push_back({std::string("axi_") + name, width, true, doc});
  };
  const auto in = [&](const char* name, int width, const char* doc) {
    ports.push_back({std::string("axi_") + name, width, false, doc});
  };
  out("awid", id, "ID of the write");
  out("awaddr", p.address_bits, "byte address, a multiple of the size");
  out("awlen", 8, "beats - 1");
  out("awsize", 3, "log2 of the bytes of a beat");
  out("awburst", 2, "INCR");
  out("awcache", 4, "3 normal, not cacheable, bufferable; 0 device, for non-L1");
  out("awprot", 3, "data, secure, unprivileged");
  out("awvalid", 1, "a write");
  in("awready", 1, "taken at this edge if valid");
  out("wdata", data, "write data");
  out("wstrb", data / 8, "bytes to write");
  out("wlast", 1, "the last beat of its write");
  out("wvalid", 1, "a beat of write data");
  in("wready", 1, "taken at this edge if valid");
  in("bid", id, "ID of the write that is done");
  in("bresp", 2, "2 and 3 are errors");
  in("bvalid", 1, "a write is done");
  out("bready", 1, "taken at this edge if valid");
  out("arid", id, "ID of the read");
  out("araddr", p.address_bits, "byte address, a multiple of the size");
  out("arlen", 8, "beats - 1");
  out("arsize", 3, "log2 of the bytes of a beat");
  out("arburst", 2, "INCR");
  out("arcache", 4, "3 normal, not cacheable, bufferable; 0 device, for non-L1");
  out("arprot", 3, "data, secure, unprivileged");
  out("arvalid", 1, "a read");
  in("arready", 1, "taken at this edge if valid");
  in("rid", id, "ID of the read");
  in("rdata", data, "read data");
  in("rresp", 2, "2 and 3 are errors");
  in("rlast", 1, "the last beat of its read");
  in("rvalid", 1, "a beat of read data");
  out("rready", 1, "taken at this edge if valid");
  out("error", 1, "an answer reported an error in the cycle before, or an atomic came");
  return ports;
}

}  // namespace hw
