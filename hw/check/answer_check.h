// A check of the memory of an L1 data cache: each response belongs to a request in flight, and comes in time
// (docs/contracts/protocol-checks.md).
#pragma once
#include <string>

#include "hw/rtl/module.h"

namespace hw {

// Requests as their ids distinguish them: the highest bit is set where the id is of the core. Of one class
// are the fetches of a cache, or all requests of a core.
struct CheckedRequests {
  int id_bits = 1;
  int fetch_bits = 0;      // of an id, that distinguish a fetch from other requests
  int core_bits = 1;       // of an id of the core's
  int chunks = 1;          // of a line
  int timeout = 0;         // cycles; 0 is no limit
  bool one_class = false;  // `fetch_bits`, from 1 on, are then of any id, and bits above them 0
};

// Rows of the RAM of masks, and flops that say which requests are in flight.
int checked_ids(const CheckedRequests& p);
int checked_flops(const CheckedRequests& p);

rtl::Module answer_check(const CheckedRequests& p, const std::string& name);

}  // namespace hw
