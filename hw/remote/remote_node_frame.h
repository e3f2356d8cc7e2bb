// A core among cores that search each other's L1s: the module, its cache, and what all parts of it know of
// both. Signals go from part to part (remote_node_exchange.h).
#pragma once
#include <string>
#include <vector>

#include "hw/l1d/l1d.h"
#include "hw/remote/own_core.h"
#include "hw/remote/remote_node_params.h"
#include "hw/rtl/stream.h"

namespace hw {

struct RemoteNodeFrame {
  RemoteNodeFrame(const RemoteNodeParams& p, L1d cache, rtl::Module module);

  std::string name(const char* part) const { return m.name() + "_" + part; }
  // A field of the cache's stream, by its name.
  std::vector<rtl::Field> cache_fields(const char* stream) const {
    return rtl::stream_of(cache.module, stream).fields;
  }
  rtl::Expr whole_line() const;  // as a mask
  // An entry's number as an id of the memory side.
  rtl::Expr fetch_id(const rtl::Expr& entry) const;
  // Of a group, and the group of an entry's search.
  rtl::Expr entry_of(const rtl::Expr& group) const;
  rtl::Expr sequence_of(const rtl::Expr& group) const;
  rtl::Expr group_of(const rtl::Expr& entry, const rtl::Expr& sequence) const;

  const RemoteNodeParams& p;
  const L1d cache;
  rtl::Module m;
  const OwnCore own;
  const ProbeTableParams table;
  const ProbeHandlerParams handler;
  const int core_bits, entry_bits, sequence_bits, line_bits, offset_bits, slot_bits;
};

}  // namespace hw
