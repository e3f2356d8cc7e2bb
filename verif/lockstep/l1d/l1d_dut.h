// A Verilated L1 data cache behind one interface, whatever the widths of its ports, so that the harness is
// compiled once for all configurations.
#pragma once
#include <array>
#include <cstdint>

#include "golden/l1d/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

// What the cache drives. Wide values are the bytes of the ports themselves, the lowest first.
using L1dSeen = golden::L1dOutputs<std::uint8_t, std::uint8_t>;

// The inner state, brought out by a wrapper: of one set, and of the whole MSHR file. Null without the
// wrapper. `tags` holds 64 bits a way; the other vectors are laid out as in the hardware. Each is followed by
// zeros, 64 bits or more.
struct L1dStateView {
  const std::uint8_t *tags = nullptr, *valid = nullptr, *busy = nullptr, *replacement = nullptr,
                     *lfsr = nullptr;
  const std::uint8_t *in_use = nullptr, *doomed = nullptr, *flushed = nullptr, *wake = nullptr,
                     *pending = nullptr, *count = nullptr, *entry_set = nullptr, *entry_tag = nullptr,
                     *entry_way = nullptr;
  // With the reuse filter, `tags` holds those of the tag entries; `reuse` a row of counts, links, positions.
  const std::uint8_t *tag_valid = nullptr, *reuse = nullptr;
  const std::uint8_t *sel = nullptr, *phase = nullptr;  // of an adaptive index
  // With split tags, those that they have: 64 bits a group, 64 bits a slot (private tag, position), and of
  // each entry and chunk. `replacement` is then NRU by slots.
  const std::uint8_t *shared = nullptr, *slots = nullptr, *entry_slots = nullptr, *waits = nullptr;
};

// Validity is told chunk by chunk, and chunks are fetched.
constexpr bool by_chunks(const hw::L1dParams& p) {
  return p.tags == hw::TagKind::sectored || p.tags == hw::TagKind::split;
}

using L1dEvents = std::array<std::uint8_t, golden::counter_names.size()>;

class L1dDut {
 public:
  virtual ~L1dDut() = default;

  // Drives the inputs and evaluates what depends on them.
  virtual void settle(const golden::L1dIn& in) = 0;
  virtual void read(L1dSeen& seen) const = 0;
  virtual bool has_events() const = 0;
  virtual void read_events(L1dEvents& events) const = 0;  // in the order of counter_names
  virtual void edge() = 0;

  virtual L1dStateView state() const = 0;
  // The set that state() shows from the next settle() on.
  virtual void look_at(std::uint32_t set_number) = 0;
};

}  // namespace verif
