// Parameters of remote-core probing as a topology (DC-L1 thesis, chapter 3), shared by the hardware and its
// reference model: what its units beside a core are made of. Rules: docs/contracts/remote-core.md.
#pragma once
#include "hw/remote/core_selector_params.h"
#include "hw/remote/probe_table_params.h"
#include "hw/remote/sharing_predictor_params.h"

namespace hw {

struct RemoteParams {
  bool enable = true;        // else all misses go to L2
  int coverage = 5;          // C, cores that are searched, 1 to X - 1
  int probes = 2;            // S
  double probability = 0.5;  // P, of S probes; else S - 1
  int timeout = 2048;        // cycles
  int incoming = 8;          // slots of a core's queues: of probes that come
  int forwarded = 4;         // of probes that go on
  int replies = 4;           // of lines for other cores
  int outgoing = 4;          // of its own probes, S to 32
  int deflected = 2;         // of probes that found no free slot
  int wait_limit = 64;       // cycles that a probe waits for the core at most
  // A core's loads see that core's stores: the core does not search for lines that it has stored to.
  bool own_store_guard = true;
  int filter_bits = 13;  // log2 of the bits of the filter that remembers them
  SharingPredictorParams predictor = {};
  SelectorKind selector = SelectorKind::supplier;
  int selector_period = 8192;
  int selector_count_bits = 10;
  int selector_stages = 2;
  int table_stages = 1;

  bool operator==(const RemoteParams&) const = default;
};

// Those of the units beside one of the cores.
constexpr CoreSelectorParams selector_params(const RemoteParams& p, int cores, int core) {
  return {.cores = cores,
          .core = core,
          .coverage = p.coverage,
          .probes = p.probes,
          .probability = p.probability,
          .kind = p.selector,
          .period = p.selector_period,
          .count_bits = p.selector_count_bits,
          .stages = p.selector == SelectorKind::supplier ? p.selector_stages : 0};
}
constexpr ProbeTableParams table_params(const RemoteParams& p, int cores, int core, int mshr_entries) {
  return {.cores = cores,
          .core = core,
          .entries = mshr_entries,
          .predictor_entries = p.predictor.entries,
          .coverage = p.coverage,
          .probes = p.probes,
          .timeout = p.timeout,
          .outgoing = p.outgoing,
          .stages = p.table_stages};
}

// Of a probe beside the header: {probe, leader, group, list, pointer to the next target}.
constexpr int probe_bits(const RemoteParams& p, int cores) {
  return 2 + ProbeTableParams{}.group_bits + p.coverage * core_or_none_bits(cores) +
         width_to_number(p.coverage + 1);
}

}  // namespace hw
