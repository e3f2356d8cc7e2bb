// SMs that send lists of requests into a memory side, and what comes back.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "golden/gpu/memory_side.h"

namespace verif {

struct SentDown {
  std::uint64_t address;
  std::uint32_t mask = 1;
  golden::RequestKind kind = golden::RequestKind::load;
};

struct SeenBelow {
  std::vector<std::vector<int>> accepted, answered;  // by SM and request: the cycle, -1 before
  std::vector<std::vector<std::uint32_t>> masks;
  std::vector<unsigned> most;  // by sub-partition: the highest occupancy
  int cycles = 0;              // until the last answer
};

// Each SM offers its requests one after the other from cycle 0 on; the id is the index in the list.
// `watch` is called in each cycle before its edge.
template <class Watch>
SeenBelow send_down(golden::MemorySide& memory, const std::vector<std::vector<SentDown>>& requests,
                    int sub_partitions, Watch&& watch) {
  SeenBelow seen;
  std::size_t left = 0;
  for (const auto& list : requests) {
    seen.accepted.emplace_back(list.size(), -1);
    seen.answered.emplace_back(list.size(), -1);
    seen.masks.emplace_back(list.size());
    left += list.size();
  }
  seen.most.resize(static_cast<std::size_t>(sub_partitions));
  std::vector<std::size_t> next(requests.size());
  std::vector<std::uint8_t> counts(seen.most.size());
  for (int cycle = 0; left != 0 && cycle < 20000; ++cycle) {
    memory.occupancy(counts, 255);
    for (std::size_t p = 0; p < counts.size(); ++p)
      seen.most[p] = std::max<unsigned>(seen.most[p], counts[p]);
    for (std::size_t sm = 0; sm < requests.size(); ++sm) {
      golden::L1dIn in;
      golden::L1dOut out;
      memory.drive(static_cast<int>(sm), in);
      out.memory_response_ready = true;
      const bool waits = next[sm] < requests[sm].size() &&
                         memory.access(requests[sm][next[sm]].address) == golden::MemorySide::Access::waits;
      out.memory_request_valid = next[sm] < requests[sm].size() && !waits;
      if (out.memory_request_valid) {
        const SentDown& r = requests[sm][next[sm]];
        out.memory_request_id = next[sm];
        out.memory_request_kind = r.kind;
        out.memory_request_address = r.address;
        out.memory_request_mask = r.mask;
        if (in.memory_request_ready) seen.accepted[sm][next[sm]++] = cycle;
      }
      if (in.memory_response_valid) {
        seen.answered[sm].at(in.memory_response_id) = cycle;
        seen.masks[sm].at(in.memory_response_id) = in.memory_response_mask;
        --left;
      }
      memory.take(static_cast<int>(sm), in, out);
    }
    watch(cycle);
    memory.tick();
    seen.cycles = cycle + 1;
  }
  return seen;
}

inline SeenBelow send_down(golden::MemorySide& memory, const std::vector<std::vector<SentDown>>& requests,
                           int sub_partitions = 12) {
  return send_down(memory, requests, sub_partitions, [](int) {});
}

}  // namespace verif
