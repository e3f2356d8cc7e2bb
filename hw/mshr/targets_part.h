// The part of an MSHR file that holds the MSHR targets, with its ports and registers.
#pragma once
#include "hw/mshr/mshr_targets.h"

namespace hw {

// The load of the request, and the entry that it waits in.
struct NewLoad {
  rtl::Expr allocate, merge, id, mask;
  std::optional<rtl::Expr> line;
  std::optional<rtl::Expr> match;       // where something of the matched entry is 0 if there is none
  std::optional<rtl::Expr> match_bits;  // where the entry may have other loads
  std::optional<rtl::Expr> entry;
  rtl::Expr in_use;
};

// The replay stage: its MSHR target, the next entry, the outcome of the cycle before.
struct StageOfTargets {
  rtl::Expr ready, granted;
  std::optional<rtl::Expr> valid;  // where a count is read, or a wrong row is reported
  rtl::Expr bits, next_found;
  std::optional<rtl::Expr> next_number, next_head, next_more, last_bits;
  std::optional<rtl::Expr> answered;  // where it is counted for a cycle more
};

// The MSHR target on offer.
struct OfferedLoad {
  rtl::Expr id, mask;
  std::optional<rtl::Expr> line;
  RowErrors rows;
};

// Where each entry knows of each chunk which load is the last that waits for it.
struct HoldingPorts {
  std::optional<rtl::Expr> match_own, free_firsts, own_before;
  rtl::Expr last_for;
};
struct FreeingPorts {
  rtl::Expr named, fill_joined, fill_waited, unwanted;
};

struct TargetsPorts {
  NewLoad load;
  StageOfTargets stage;
  OfferedLoad offered;
  TargetNets out;
  std::optional<HoldingPorts> holding;
  std::optional<FreeingPorts> freeing;
};

// The next MSHR target of the entry that the stage stays at.
struct NextOfEntry {
  rtl::Expr kept_q, passed_head_q;
};

struct TargetsPart : MshrPart {
  TargetsPart(MshrTop& file, const MshrPorts& all, const MshrNets& nets, const TargetKinds& kinds);

  rtl::Expr last_bits() const { return ports.stage.last_bits.value_or(rtl::lit(1, 1)); }

  TargetsPorts ports;
  std::optional<NextOfEntry> behind;  // where an entry has several MSHR targets
};

}  // namespace hw
