// A slice of the L2: requests come in, wait for its latency, are looked up one after the other, and are
// answered over a data port of one sector a cycle. Lines of sectors, LRU, written back; a store takes its
// line without a fetch; misses wait in MSHRs.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "golden/gpu/system/memory_figures.h"
#include "golden/gpu/system/memory_packet.h"
#include "golden/gpu/system/system_params.h"
#include "golden/gpu/system/whereabouts.h"
#include "golden/index/run_time_index.h"

namespace golden {

class L2Slice {
 public:
  static constexpr int sector_bytes = L2Params::sector_bytes, block_bytes = 256;

  // What a slice asks its channel for: sectors of one of its lines, counted from its first.
  struct MemoryPort {
    std::function<bool(bool write, std::uint64_t line, std::uint32_t sectors)> ready;
    std::function<void(bool write, std::uint64_t line, std::uint32_t sectors)> send;
  };

  // `reads` is notified of their outcome.
  L2Slice(const L2Params& p, int line_bytes, int queue, MemoryPort port, Whereabouts* reads = nullptr);

  // The slice of an address.
  static int slice_of(std::uint64_t address, const L2Params& p);
  // The slice's own number of a line.
  static std::uint64_t local_line(std::uint64_t address, int slices, int line_bytes);

  bool ready() const { return waiting_.size() < entries_; }
  // In core cycle `now`; `line` is local.
  void push(const MemoryPacket& packet, std::uint64_t line, std::uint64_t now);
  // Sectors of a line have come from memory.
  void filled(std::uint64_t line, std::uint32_t sectors);
  // A cycle of its clock, in core cycle `now`.
  void tick(std::uint64_t now);
  // The answer in front, or null; it carries the request and the sectors.
  const MemoryPacket* answer() const { return answers_.empty() ? nullptr : &answers_.front(); }
  void pop() { answers_.pop_front(); }
  void flush();

  const L2Counters& counters() const { return counters_; }

 private:
  struct Waiting {
    MemoryPacket packet;
    std::uint64_t line, due;
  };
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t valid = 0, dirty = 0;
    bool used = false, pending = false;  // pending: an MSHR waits for it
  };
  struct Target {
    MemoryPacket packet;
    std::uint32_t sectors;
  };
  struct Entry {
    std::uint64_t line = 0;
    std::uint32_t pending = 0;
    std::vector<Target> targets;
    bool used = false;
  };

  Line* find(std::uint64_t number);
  Line* victim(std::uint64_t number);
  Line* set_of(std::uint64_t number);
  Entry* entry_of(std::uint64_t number);
  // Serves it; false when it finds nothing to reserve.
  bool serve(const Waiting& request);
  bool write(const Waiting& request, std::uint32_t sectors);
  bool read(const Waiting& request, std::uint32_t sectors);
  Line* allocate(std::uint64_t number);
  void reply(const MemoryPacket& request, std::uint32_t sectors);
  void occupy_port(std::uint32_t sectors);
  void moved(const MemoryPacket& packet, Whereabouts::Place from, Whereabouts::Place to, int packets = 1);

  const L2Params p_;
  const std::uint64_t line_bytes_;
  const std::size_t entries_;
  const std::size_t queue_;
  RunTimeIndex index_;
  MemoryPort port_;
  Whereabouts* const reads_;
  std::vector<Line> lines_;  // way 0 of a set is the last used
  std::vector<Entry> mshrs_;
  std::size_t mshrs_used_ = 0;
  std::deque<Waiting> waiting_;
  std::deque<MemoryPacket> answers_;
  std::uint64_t ticks_ = 0, port_free_ = 0;
  L2Counters counters_;
};

}  // namespace golden
