// Ports of the probe table, a bundle for each neighbour.
#pragma once
#include <optional>
#include <vector>

#include "hw/remote/probe_table_exchange.h"
#include "hw/remote/probe_table_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct ProbeTablePorts {
  // A miss that is taken to be shared. `slot`: of the predictor, where it has several.
  struct Miss {
    rtl::Expr valid, ready, entry, tracked;
    std::optional<rtl::Expr> slot;
  };
  // Of all entries.
  struct Status {
    rtl::Expr searching, late, idle;
  };
  struct List {
    rtl::Expr valid, probes, free_slots, take;
  };
  // A leader for candidates, where there are scouts.
  struct Leader {
    rtl::Expr valid;
    std::vector<rtl::Expr> targets;
  };
  // Probes that leave: those of a list, or a leader.
  struct Probe {
    rtl::Expr entry, sequence;
    std::optional<Leader> leader;
  };
  struct Return {
    rtl::Expr valid, entry, sequence;
    std::optional<ScoutFindings> findings;  // where there are scouts
  };
  struct Reply {
    rtl::Expr valid, l2, entry, sequence, fills, tracked;
    std::optional<rtl::Expr> slot;
  };
  struct Ask {
    rtl::Expr valid, timed_out, entry, sequence, take;
  };

  ProbeTablePorts(rtl::Module& m, const ProbeTableParams& p);

  Miss miss;
  Status status;
  List list;
  Probe probe;
  Return back;
  Reply reply;
  Ask ask;
};

}  // namespace hw
