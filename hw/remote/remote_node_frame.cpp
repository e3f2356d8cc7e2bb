#include "hw/remote/remote_node_frame.h"

#include <utility>

#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr;

RemoteNodeFrame::RemoteNodeFrame(const RemoteNodeParams& params, L1d of_core, rtl::Module module)
    : p(params),
      cache(std::move(of_core)),
      m(std::move(module)),
      own(m, p.core, p.cores),
      table(table_params(p)),
      handler(handler_params(p)),
      core_bits(core_or_none_bits(p.cores)),
      entry_bits(bits_to_number(p.l1d.mshr_entries)),
      sequence_bits(hw::sequence_bits(table)),
      line_bits(hw::line_bits(handler)),
      offset_bits(bits_to_number(p.l1d.line_bytes)),
      slot_bits(bits_to_number(p.remote.predictor.entries)) {}

Expr RemoteNodeFrame::whole_line() const { return rtl::ones(chunks_of_line(p.l1d)); }

Expr RemoteNodeFrame::fetch_id(const Expr& entry) const {
  return rtl::zext(entry, cache.facts.memory_id_bits);
}

Expr RemoteNodeFrame::entry_of(const Expr& group) const {
  return group.slice(sequence_bits + entry_bits - 1, sequence_bits);
}

Expr RemoteNodeFrame::sequence_of(const Expr& group) const { return group.slice(sequence_bits - 1, 0); }

Expr RemoteNodeFrame::group_of(const Expr& entry, const Expr& sequence) const {
  return rtl::cat({own.number(core_bits), entry, sequence});
}

}  // namespace hw
