// The L1 data cache of a GPU core: non-blocking, write-evict, with conventional or sectored tags (the
// baseline of the TSC, ACI and Decoupled-L1D papers).
//
// What it does in which cycle stands in docs/l1d-timing.md. Streams `core_request` and `memory_response` in,
// `core_response` and `memory_request` out, `flush_valid`/`flush_ready`, `clk`, `rst`, and with
// `counters` the outputs `event_*`.
//
// State, for those who look inside (W ways, V validity bits a line, E MSHR entries, M merges):
//   tags.way<w>.rows             stored tags of way w, a row a set
//   tags.valid_q                 bit (set * W + way) * V + v
//   tags.busy_q                  bit set * W + way
//   tags.age_q, tags.nru_q       field or bit set * W + way; neither with one way
//   tags.lfsr_q                  random replacement
//   tags.row_*_q                 copies for the probe's set, known early
//   tags.late_*_q, fill_*_q, vacate_*_q    what the cycle before left to write into the arrays, which lag so
//   far mshr.in_use_now, doomed_q, flushed_q    bit e mshr.awake_q, replay_entry_bits_q       bit e: to look
//   at, and looked at mshr.pending_q               bit e * V + v mshr.count_now, set_q, tag_q, way_q field e;
//   no way_q with one way mshr.head_now                field e of ceil(log2 M) bits; not with one merge
//   mshr.waiters.rows            row {e, place} of id and mask
//   miss_queue.requests.rows, miss_queue.payloads.rows
//   monitor.sel<i>_q             with index.kind "adi": address bit of index bit i
//   monitor.phase_q              0 victimization, 1 its search, 2 selection, 3 its search, 4 flush, 5 idle
//   monitor.count_q              loads counted in this phase
//   again_q                      cycle f + 1 of the monitor's flush (docs/l1d-adaptive.md)
//   settles_q                    its cycle f + 2, with split tags
//   data_store.column[c].banks.bank<w>.rows    chunk c of way w, a row a set
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "hw/adaptive/adi_monitor_params.h"
#include "hw/l1d/l1d_params.h"
#include "hw/mode/mode_selector_params.h"
#include "hw/mshr/mshr_file.h"
#include "hw/rtl/module.h"

namespace hw {

// An array behind a RAM wrapper.
struct RamArray {
  std::string name;  // of the instance or instances
  int rows = 0, row_bits = 0;
  std::string wrapper;  // module
  int count = 1;        // instances of this array
};

struct L1dFacts {
  int latency = 0;         // cycles from an accepted hit to its answer
  int tag_bits = 0;        // stored a way
  int memory_id_bits = 0;  // of memory_request and memory_response
  std::vector<RamArray> arrays = {};
  std::vector<std::pair<std::string, int>> flops = {};  // bits by group
};

struct L1d {
  rtl::Module module;
  L1dFacts facts;
};

// Bits of a memory id: the kind of answer, and the wider of a core's id and the name of a fetch.
int memory_id_bits(const L1dParams& p);

// Bits of a stored tag: the whole block address with the adaptive index.
int stored_tag_bits(const L1dParams& p);

// The MSHR file of a cache.
MshrParams mshr_params(const L1dParams& p);

// The monitor of a cache with the adaptive index.
AdiMonitorParams monitor_params(const L1dParams& p);

// The selector of a cache whose accesses are fine or coarse.
ModeSelectorParams selector_params(const L1dParams& p);

// Throws ParamError when no cache can be built from the parameters.
void check(const L1dParams& p);

// Checks the parameters and builds the cache as module `top`, its parts as `top`_<part>.
L1d l1d(const L1dParams& p, const std::string& top);

}  // namespace hw
