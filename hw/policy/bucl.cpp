#include "hw/policy/bucl.h"

#include "hw/prim/constant_modulus.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::Expr;

// The remainder takes long: a shorter number with the same one goes along.
void Bucl::arrive(rtl::Module& m, int line_bytes, Request& request) {
  if (p_.sub_partitions == 1) return;
  const int low = 8 - bits_to_number(line_bytes);
  const Number above_bytes{request.block_address, low, request.block_address.width() - low};
  request.beside.emplace_back(memory_part.name, shortened(m, "memory_part", above_bytes, p_.sub_partitions));
}

rtl::Condition Bucl::before_lookup(rtl::Module& m, const Request& request) {
  const Expr degree = request[sideband::degree], first = request[sideband::first];
  const int sources = sources_;
  held_q_ = m.reg("bypass_held_q", sources, 0,
                  sources > 1 ? "the load whose first request left last goes past the cache, by source"
                              : "the load whose first request left last goes past the cache");
  wide_ = m.let("wide", rtl::zext(tucd_, degree.width()) < degree, "the load has more requests than TUCD");
  m.observe("bypass_held", held_q_,
            sources > 1 ? std::vector{rtl::Index{"source", sources}} : std::vector<rtl::Index>{});
  const Expr held = sources > 1 ? held_q_.part_below(source_of(request), 1) : held_q_;
  return m.let("unseen", rtl::mux(first, wide_, held), "the load goes past the cache without a lookup");
}

Expr Bucl::source_of(const Request& request) const {
  const int bits = rtl::clog2(static_cast<std::uint64_t>(sources_)), high = request.id.width();
  return request.id.slice(high - 1, high - bits);
}

rtl::Condition Bucl::instead_of_fail(rtl::Module& m, const ProbeStage& probe) {
  Expr free = buffer_free_;
  if (p_.sub_partitions > 1) {
    const Expr& part = probe.request[memory_part];
    free = free.part_below(remainder_of(m, "sub_partition", {part, 0, part.width()}, p_.sub_partitions), 1);
  }
  return m.let("may_bypass", hit_rate_low_ & free,
               "hits are few, and the buffer of the sub-partition is little used");
}

void Bucl::follow(rtl::Module& m, const ProbeStage& probe, const WaysUsed&) {
  m.clocked("The decision of a load's first request holds for its others.", [&] {
    const Expr decides = probe.commit.load_fires & probe.request[sideband::first];
    if (sources_ == 1) {
      m.when(decides, [&] { m.set(held_q_, wide_); });
      return;
    }
    const Expr own = source_of(probe.request);
    m.loop("source", sources_, [&](const Expr& source) {
      m.when(decides & (own == source.slice(own.width() - 1, 0)), [&] { m.set(held_q_.at(source), wide_); });
    });
  });
}

}  // namespace hw
