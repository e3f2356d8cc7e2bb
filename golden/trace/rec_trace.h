// Streaming reader of `.rec` and `.rec.xz` files: warp-level global-memory accesses of a GPU kernel.
//
// Little-endian records without a header: u32 cta, u16 warp, u32 pc, u8 is_store, u8 space, u32 active_mask,
// u8 bytes_per_lane, then one u32 address per set bit of active_mask in lane order. is_store is 0 for a load,
// 1 for a store, 2 for an atomic, 3 for a load that passes the L1; space is 0 for global memory, 255 for a
// barrier (mask 0, no addresses). Records are in program order inside a warp; between warps only barriers
// order anything.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "golden/trace/io/byte_source.h"
#include "golden/trace/trace_side.h"

namespace golden {

// Numbered as the requests of an L1; non_l1 is a load of GPU scope, which passes the L1.
enum class AccessKind : std::uint8_t { load = 0, store = 1, atomic = 2, non_l1 = 3 };

// What an instruction does that is no memory access; its result is there after the latency of its class.
enum class Operation : std::uint8_t { integer, fp, sfu, dp, shared, branch };

// Of an instruction, as far as a trace says: 255 is no register.
struct Registers {
  static constexpr std::uint8_t none = 255;
  std::uint8_t destination = none;
  std::array<std::uint8_t, 4> sources = {none, none, none, none};

  bool operator==(const Registers&) const = default;
};

struct Record {
  static constexpr std::uint8_t global_space = 0, barrier_space = 255;
  static constexpr std::uint8_t no_space = 254;  // no access: sources hand such out only on request

  std::uint32_t cta = 0;
  std::uint16_t warp = 0;  // inside its CTA
  std::uint32_t pc = 0;    // index of the instruction in the kernel
  AccessKind kind = AccessKind::load;
  std::uint8_t space = global_space;
  std::uint32_t mask = 0;  // active lanes
  std::uint8_t bytes_per_lane = 0;
  std::array<std::uint64_t, 32> address = {};  // of the i-th active lane; the first lanes() count
  std::uint32_t before = 0;                    // instructions in front of it that have no record
  Operation operation = Operation::integer;    // where it is no access
  Registers registers = {};

  bool is_plain() const { return space == no_space; }
  bool is_barrier() const { return space == barrier_space; }
  int lanes() const { return std::popcount(mask); }
  std::span<const std::uint64_t> addresses() const {
    return {address.data(), is_plain() ? 0 : static_cast<size_t>(lanes())};
  }
};

// Reads a trace once, front to back, in memory that does not depend on its length. Errors are TraceError;
// after one, the reader is of no more use.
class RecTrace {
 public:
  explicit RecTrace(const std::string& path);  // plain or .xz, found by content; "-" is standard input
  explicit RecTrace(std::unique_ptr<ByteSource> source);  // at its start

  // Fills `record` and returns true, or returns false after the last record.
  bool next(Record& record);

  const std::string& name() const { return source_->name(); }
  double fraction() const { return source_->fraction(); }
  const std::string& kernel() const { return side_.kernel; }
  const TraceSide& side() const { return side_; }
  const std::vector<Launch>& launches() const { return side_.launches; }
  // Index in launches() of the launch that a CTA belongs to; throws when none has it.
  size_t launch_of(std::uint32_t cta);

 private:
  bool whole_record() const;
  bool refill();
  bool find_launch(std::uint32_t cta);
  void decode(const std::uint8_t* bytes, Record& record);
  void check_count() const;
  [[noreturn]] void fail(const std::string& reason) const;

  std::unique_ptr<ByteSource> source_;
  TraceSide side_;
  std::vector<std::uint8_t> buffer_;
  size_t first_ = 0, last_ = 0;  // unread bytes of buffer_
  std::uint64_t records_ = 0;    // given out so far
  size_t launch_ = 0;            // of the latest CTA: neighbours share it
};

}  // namespace golden
