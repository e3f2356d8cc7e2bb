// Parameters of a core among cores that search each other's L1s (DC-L1 thesis, chapter 3), shared by the
// hardware and its reference model. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include "hw/l1d/l1d_params.h"
#include "hw/remote/probe_handler_params.h"
#include "hw/remote/remote_params.h"
#include "hw/shared/written_filter_params.h"

namespace hw {

struct RemoteNodeParams {
  int cores = 28;  // X
  int core = 0;    // which of them
  RemoteParams remote = {};
  L1dParams l1d = {};  // as a core alone would have it

  bool operator==(const RemoteNodeParams&) const = default;
};

// The L1 as it is built: the highest bit of its ids says that it is snooped.
constexpr L1dParams searched_cache(const RemoteNodeParams& p) {
  L1dParams cache = p.l1d;
  ++cache.core_id_bits;
  cache.counters = true;  // the arbiter observes requests that failed
  cache.snoops = true;
  cache.pc_bits = p.remote.predictor.pc_bits;
  return cache;
}

// A miss that reads the written filter is in front for a cycle before it is taken.
constexpr SharingPredictorParams predictor_params(const RemoteNodeParams& p) {
  SharingPredictorParams predictor = p.remote.predictor;
  predictor.stages = predictor.kind == PredictorKind::pc && p.remote.own_store_guard;
  return predictor;
}
constexpr ProbeTableParams table_params(const RemoteNodeParams& p) {
  return table_params(p.remote, p.cores, p.core, p.l1d.mshr_entries);
}
constexpr ProbeHandlerParams handler_params(const RemoteNodeParams& p) {
  return {.cores = p.cores,
          .coverage = p.remote.coverage,
          .address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .incoming = p.remote.incoming,
          .forwarded = p.remote.forwarded,
          .replies = p.remote.replies,
          .deflected = p.remote.deflected};
}
constexpr WrittenFilterParams filter_params(const RemoteNodeParams& p) {
  return {.address_bits = p.l1d.address_bits,
          .line_bytes = p.l1d.line_bytes,
          .filter_bits = p.remote.filter_bits};
}

inline constexpr int open_bits = 10;  // of the count of a core's requests without an answer

}  // namespace hw
