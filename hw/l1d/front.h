// Front of the L1 data cache: requests on their way to the tag-lookup stage, and the one that stands in it.
#pragma once
#include <optional>
#include <vector>

#include "hw/l1d/cache_ports.h"
#include "hw/l1d/index_socket.h"
#include "hw/l1d/set_aside.h"
#include "hw/policy/bypass.h"
#include "hw/tags/tag_store.h"

namespace hw {

class Front {
 public:
  Front(const L1dParams& p, rtl::Module m, IndexSocket& index, TagStore& tags, Bypass& bypass,
        bool compares_first)
      : p_(p), m_(m), index_(index), tags_(tags), bypass_(bypass), compares_first_(compares_first) {}

  // Adds the stages: `request` and `next` of the tag-lookup stage.
  void run(const CachePorts& ports, ProbeStage& probe);

  // Nothing stands before the tag-lookup stage or in it.
  rtl::Expr empty(const ProbeStage& probe) const;

  // The tag-lookup stage is left, and what its request writes is not needed after this cycle.
  rtl::Expr probe_free;
  std::optional<rtl::Expr> data_ready;

  // What an arriving request writes, where it goes ahead to the miss queue; then no stage holds it.
  struct Payload {
    rtl::Expr enters;
    WriteData written;
  };
  std::optional<Payload> payload;

  // Of a cache in which snoops pass requests that fail.
  std::optional<SetAside> aside;

 private:
  Request arrival(const CachePorts& ports);
  void send_payload(Request& request, const rtl::Expr& moves);
  Request compare_stage(const Request& from, const rtl::Expr& moves);
  rtl::Expr goes_ahead(const Request& from, const Request& compared);
  rtl::Expr unless_held(const rtl::Expr& moves) const;
  void probe_stage(const Request& next, ProbeStage& probe);
  rtl::Expr probe_line(int bits);
  Request probe_registers(const Request& next);
  // Line and tag of the request that was in the tag-lookup stage, if it stays.
  struct Stayed {
    rtl::Expr line, tag;
  };
  Stayed side_by_side(const Request& probe, const Request& next, const rtl::Expr& moves);

  const L1dParams& p_;
  rtl::Module m_;
  IndexSocket& index_;
  TagStore& tags_;
  Bypass& bypass_;
  const bool compares_first_;
  std::vector<rtl::Expr> held_;  // stages that hold a request
  std::optional<rtl::Expr>
      ahead_q_;  // what the request in the compare stage writes is in the tag-lookup stage
};

}  // namespace hw
