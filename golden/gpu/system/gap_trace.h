// Instructions between the accesses of a trace that has no others: how many stand in front of each.
//
// Between two accesses of a warp with pc a and then b > a stand b - a - 1 instructions, and in front of its
// first as many as its pc says. Where b <= a, at the edge of a loop, an average stands, the same at all
// edges, such that all gaps together come to what was executed; without such an edge the rest stands at the
// warps' ends. Fractions add up warp by warp. Built-in kernels say themselves what stands where.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "golden/trace/trace_source.h"

namespace golden {

struct Gaps {
  double edge = 0;  // instructions at each edge of a loop
  double end = 0;   // and behind each warp's last access
};

// What one pass over the records of a trace counts.
struct GapCounts {
  std::uint64_t accesses = 0, barriers = 0, warps = 0, edges = 0;
  std::uint64_t forward = 0;  // instructions by the distance of the pcs
  bool has_pcs = false;

  Gaps gaps(const ExecutedCounts& executed) const;
};

// Follows the warps of a CTA from access to access.
class GapFollower {
 public:
  struct Step {
    std::uint64_t forward = 0;
    bool edge = false, first = false;
  };
  Step step(const Record& record);
  // The warps of the CTA, by their number, that have had a record.
  struct Seen {
    bool any = false;
    std::uint32_t pc = 0, mask = 0;
    double open = 0;  // the part of an instruction that is still to come
  };
  std::vector<Seen>& warps() { return warps_; }
  bool in_cta(std::uint32_t cta) const { return started_ && cta == cta_; }
  void enter(std::uint32_t cta);

 private:
  bool started_ = false;
  std::uint32_t cta_ = 0;
  std::vector<Seen> warps_;
};

// A trace with all its instructions: as it lists them, or with gaps. Throws TraceError if nothing says how
// many there are.
std::unique_ptr<TraceSource> open_instructions(const std::string& trace);

}  // namespace golden
