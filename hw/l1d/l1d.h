// The L1 data cache of a GPU core: non-blocking, write-evict, with conventional or sectored tags (the
// baseline of the TSC, ACI and Decoupled-L1D papers).
//
// What it does in which cycle stands in docs/contracts/l1d.md. Streams `core_request` and `memory_response`
// in, `core_response` and `memory_request` out, `flush_valid`/`flush_ready`, `clk`, `rst`, and with
// `counters` the outputs `event_*`.
//
// State shows under the names that the parts declare beside it (rtl::Module::observe).
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "hw/l1d/l1d_params.h"
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

// Bits of a fetch's id above the entry's number that number the way of its line: a fill knows its way without
// a look at the MSHR file. 0 where they do not fit in an id of the core.
int way_id_bits(const L1dParams& p);

// Throws ParamError when no cache can be built from the parameters.
void check(const L1dParams& p);
void check_built(const L1dParams& p);  // of hardware, which is narrower than the models

// Checks the parameters and builds the cache as module `top`, its parts as `top`_<part>.
L1d l1d(const L1dParams& p, const std::string& top);

}  // namespace hw
