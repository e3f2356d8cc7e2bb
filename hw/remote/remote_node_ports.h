// Ports of a core among cores that search each other's L1s, a bundle for each side.
#pragma once
#include "hw/remote/remote_node_frame.h"

namespace hw {

// A probe as it is sent, or as the handler is given it.
struct ProbeFields {
  rtl::Expr leader, group, targets, pointer, line;
};

struct CoreSide {
  rtl::Stream request, response;
  rtl::Expr flush_valid, flush_all, flush_ready;

  explicit CoreSide(RemoteNodeFrame& n);
};

// Into the network of requests. The last six are those of the cache's request.
struct SendPort {
  rtl::Expr valid, ready;
  rtl::Expr probe, destination, leader, tracked, group, targets, pointer;
  rtl::Expr id, kind, address, mask, byte_enable, data;
};

struct NetworkSide {
  SendPort send;
  rtl::Expr probe_comes;
  ProbeFields probe;
  rtl::Stream supply, reply;

  explicit NetworkSide(RemoteNodeFrame& n);
};

}  // namespace hw
