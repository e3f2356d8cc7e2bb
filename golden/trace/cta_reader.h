// Reads a kernel's trace CTA by CTA and hands each CTA out as one stream of coalesced accesses per warp.
#pragma once
#include <cstdint>
#include <vector>

#include "golden/trace/coalesce.h"
#include "golden/trace/trace_source.h"
#include "golden/trace/warp_stream.h"

namespace golden {

struct Cta {
  std::uint32_t number = 0;
  int warp_slots = 0;             // warps that it occupies: those of its block, also without an access
  std::vector<WarpStream> warps;  // those with accesses, ascending
};

class CtaReader {
 public:
  CtaReader(TraceSource& source, int line_bytes, int chunk_bytes, int address_bits, SpillFile& spill);

  bool next_kernel();
  const KernelInfo& kernel() const { return kernel_; }
  // Keeps registers: the source lists all instructions.
  void keep_registers() { registers_ = true; }
  // The next CTA of the kernel; false when it has no more. Throws TraceError when an address has too many
  // bits.
  bool next(Cta& cta);

 private:
  void check_addresses() const;

  TraceSource& source_;
  int line_bytes_, chunk_bytes_, address_bits_;
  SpillFile& spill_;
  Record record_;  // read ahead: the first of the next CTA
  bool has_record_ = false, registers_ = false;
  KernelInfo kernel_;
  WarpAccess access_;
};

}  // namespace golden
