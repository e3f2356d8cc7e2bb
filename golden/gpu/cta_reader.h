// Reads a kernel's trace CTA by CTA and hands each CTA out as one stream of coalesced accesses per warp.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "golden/gpu/coalesce.h"
#include "golden/gpu/trace_source.h"
#include "golden/gpu/warp_stream.h"

namespace golden {

struct Cta {
  std::uint32_t number = 0;
  int room = 0;                   // warps that it occupies: those of its block, also without an access
  std::vector<WarpStream> warps;  // those with accesses, ascending
};

class CtaReader {
 public:
  CtaReader(TraceSource& source, int line_bytes, int chunk_bytes, SpillFile& spill);

  bool next_kernel();
  // The next CTA of the kernel; false when it has no more. Throws TraceError when a CTA comes a second time:
  // its warps could then not be interleaved.
  bool next(Cta& cta);

 private:
  void first_time(std::uint32_t number);

  TraceSource& source_;
  int line_bytes_, chunk_bytes_;
  SpillFile& spill_;
  Record record_;  // read ahead: the first of the next CTA
  bool has_record_ = false;
  KernelInfo kernel_;
  std::map<std::uint32_t, std::uint32_t> seen_;  // CTA numbers of this kernel, as ranges: last by first
  WarpAccess access_;
};

}  // namespace golden
