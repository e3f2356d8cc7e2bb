// The accesses of one warp, coalesced and packed, in memory up to a limit and beyond it in a temporary file.
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "golden/trace/coalesce.h"
#include "golden/trace/io/spill_file.h"

namespace golden {

// One instruction of a warp: a memory access, a barrier, or another one where a trace lists them.
struct WarpAccess {
  RequestKind kind = RequestKind::load;
  bool barrier = false;
  bool plain = false;          // neither access nor barrier
  bool has_registers = false;  // they and `operation` are known
  std::uint32_t before = 0;    // instructions in front of it that nothing else is known of
  Operation operation = Operation::integer;
  Registers registers = {};
  std::uint32_t pc = 0;
  std::uint8_t lanes = 0;         // active ones
  std::vector<LineAccess> lines;  // empty unless it is an access
};

// The request for line `n` of an access by the warp in this slot of its SM. The sideband says how many
// requests there are, but at most 63, as ports do.
Request request_of(const WarpAccess& access, std::size_t n, int slot);

// A queue: everything is put, then taken.
class WarpStream {
 public:
  void put(const WarpAccess& access, SpillFile& spill);
  // False when all has been taken.
  bool take(WarpAccess& access);

 private:
  SpillFile* spill_ = nullptr;
  std::deque<SpillFile::Piece> pieces_;
  std::vector<std::uint8_t> bytes_;  // being written, later being read
  std::size_t at_ = 0;               // of reading
  std::uint64_t line_ = 0;           // the line before, which the next one is stored relative to
  bool reading_ = false;
};

}  // namespace golden
