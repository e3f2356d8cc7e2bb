// The kernels of a trace of any format and their warp-level accesses; also built-in kernels.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "golden/trace/rec_trace.h"

namespace golden {

// One launch of a kernel.
struct KernelInfo {
  std::string name;                         // "" when not stated
  std::array<std::uint32_t, 3> grid = {};   // CTAs in x, y and z; all 0 when not stated
  std::array<std::uint32_t, 3> block = {};  // threads of a CTA in x, y and z; all 0 when not stated
  std::uint32_t index = 0;                  // position among the program's launches
  std::uint32_t first_cta = 0;              // what a `.rec` calls CTA 0
  std::uint64_t stated_records = 0;         // by the side file of a `.rec`; 0 when not stated
  int registers = 0;                        // of a thread; 0 when not stated
  std::uint64_t shared_bytes = 0;           // of a CTA

  std::uint64_t ctas() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }  // 0 when not stated
  std::uint32_t warps_per_cta() const { return (block[0] * block[1] * block[2] + 31) / 32; }
};

// Reads kernel after kernel, front to back. In each kernel, CTAs are numbered from 0 by their position in the
// grid (x fastest) and may come in any order or be absent, but the records of one CTA are never interrupted
// by another's. Inside a CTA its warps come in any order or mix; the records of one warp are in program
// order. Errors are TraceError; after one, the source is of no more use.
class TraceSource {
 public:
  virtual ~TraceSource() = default;

  // Goes to the next kernel (passing what is left of the current one) and returns true, or returns false
  // after the last. Must be called before the first next().
  virtual bool next_kernel(KernelInfo& kernel) = 0;
  // Fills `record` and returns true, or returns false after the last record of this kernel.
  virtual bool next(Record& record) = 0;

  // From now on every instruction is handed out, with its registers. False from a source that knows of
  // accesses alone. Must be called before the first next_kernel().
  virtual bool list_instructions() { return false; }
  // From now on records say how many instructions stand in front of them, or each is handed out. False from a
  // source that knows of accesses alone. Must be called before the first next_kernel().
  virtual bool count_instructions() { return list_instructions(); }
  // What the traced program executed, all kernels together, where that is stated.
  virtual std::optional<ExecutedCounts> executed() const { return std::nullopt; }

  // What errors and reports call the trace.
  virtual const std::string& name() const = 0;
  // Share of the input read so far, 0 to 1; negative when its size is not known.
  virtual double fraction() const = 0;
};

}  // namespace golden
