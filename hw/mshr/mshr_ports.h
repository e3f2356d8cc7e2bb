// Ports of an MSHR file, in the order of the Verilog; those of where the line lies stand between them.
#pragma once
#include "hw/ecc/protected_rows.h"
#include "hw/mshr/mshr_parts.h"

namespace hw {

// The request that enters the tag-lookup stage, that in the stage, and where its load waits.
struct MshrProbe {
  rtl::Expr moves;
  std::optional<rtl::Expr> enter_set;  // where the tag is not the line
  rtl::Expr enter_tag, set, tag, allocate, merge;
};
MshrProbe probe_ports(MshrFrame& f);

// The warp of the request, where loads of other warps merge behind a store.
struct ProbeWarp {
  rtl::Expr warp, poison_all;
};
struct MshrFill {
  rtl::Expr valid;
  std::optional<rtl::Expr> entry;  // of several
  std::optional<rtl::Expr> mask;   // of lines that come by chunks
};
struct MshrRequest {
  std::optional<rtl::Expr> missed;  // of lines that come by chunks
  rtl::Expr id, mask;
  std::optional<rtl::Expr> line;
  rtl::Expr poison;
  std::optional<ProbeWarp> warp;
  MshrFill fill;
  rtl::Expr granted, flush;
  std::optional<rtl::Expr> searching;  // of all entries, where lines are searched for
};
MshrRequest request_ports(MshrFrame& f);

struct LookupAnswer {
  rtl::Expr match, poisoned;
  std::optional<rtl::Expr> waits;
  rtl::Expr mergeable;
  std::optional<rtl::Expr> pending;
  std::optional<rtl::Expr> searched;  // where lines are searched for
};
LookupAnswer lookup_ports(MshrFrame& f);

struct EntryAnswer {
  rtl::Expr has_free;
  std::optional<rtl::Expr> entry;  // of several
  rtl::Expr fill_set;
};
EntryAnswer entry_ports(MshrFrame& f);

struct OfferAnswer {
  rtl::Expr fill_installs, ready, set;
};
OfferAnswer offer_ports(MshrFrame& f);

struct LoadLine {
  rtl::Expr line, late;
};
struct LoadAnswer {
  rtl::Expr id, mask;
  std::optional<LoadLine> line;
  RowErrors rows = {};  // of the MSHR target on offer, where the RAMs are protected
};
LoadAnswer load_ports(MshrFrame& f);

struct MshrPorts {
  MshrProbe probe;
  MshrRequest request;
  LookupAnswer lookup;
  EntryAnswer entry;
  OfferAnswer offer;
  LoadAnswer load;
};

}  // namespace hw
