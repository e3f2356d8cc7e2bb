// Parameters of the probe handler of remote-core probing (DC-L1 thesis, section 3.3.4), shared by the
// hardware and its reference model. What happens in which cycle: docs/contracts/remote-core.md.
#pragma once
#include "hw/remote/probe_table_params.h"

namespace hw {

struct ProbeHandlerParams {
  int cores = 28;         // X
  int coverage = 5;       // C, targets of a probe, 1 to X - 1
  int address_bits = 32;  // of a byte address
  int line_bytes = 128;
  int incoming = 8;     // slots of its queues: of probes that come
  int forwarded = 4;    // of probes that go on or back
  int replies = 4;      // of lines for other cores
  int deflected = 2;    // of probes that found no free slot
  int group_bits = 32;  // of what distinguishes requests: core, entry and sequence

  bool operator==(const ProbeHandlerParams&) const = default;
};

constexpr int list_bits(const ProbeHandlerParams& p) { return p.coverage * core_or_none_bits(p.cores); }
constexpr int pointer_bits(const ProbeHandlerParams& p) { return width_to_number(p.coverage + 1); }
constexpr int line_bits(const ProbeHandlerParams& p) {
  return p.address_bits - width_to_number(p.line_bytes);
}
constexpr int probe_word_bits(const ProbeHandlerParams& p) {
  return 1 + p.group_bits + list_bits(p) + pointer_bits(p) + line_bits(p);
}
// Most snoops of the L1 at a time: each has a slot in both queues that it may go to.
constexpr int most_snoops(const ProbeHandlerParams& p) {
  return p.forwarded < p.replies ? p.forwarded : p.replies;
}

}  // namespace hw
