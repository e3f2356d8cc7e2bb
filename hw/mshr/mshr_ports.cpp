#include "hw/mshr/mshr_ports.h"

#include "hw/prim/one_hot.h"

namespace hw {
namespace {

using rtl::Expr;

std::optional<Expr> mshr_input_if(MshrFrame& f, bool there, const char* name, int width, const char* doc) {
  if (!there) return {};
  return f.m.input(name, width, doc);
}

std::optional<Expr> mshr_output_if(MshrFrame& f, bool there, const char* name, int width, const char* doc) {
  if (!there) return {};
  return f.m.output(name, width, doc);
}

}  // namespace

MshrProbe probe_ports(MshrFrame& f) {
  rtl::Module& m = f.m;
  return {.moves = m.input("moves", 1, "the tag-lookup stage is free or becomes free"),
          .enter_set =
              mshr_input_if(f, !f.tag_is_line, "enter_set", f.set_bits, "set of the request that enters"),
          .enter_tag = m.input("enter_tag", f.tag_bits, "tag of the request that enters"),
          .set = m.input("probe_set", f.set_bits, "set of the request in the tag-lookup stage"),
          .tag = m.input("probe_tag", f.tag_bits, "tag of the request in the tag-lookup stage"),
          .allocate = m.input("allocate", 1, "the request takes a new entry"),
          .merge = m.input("merge", 1, "the request waits in the entry that it matched")};
}

namespace {

std::optional<ProbeWarp> probe_warp_ports(MshrFrame& f) {
  if (!f.p.warps) return {};
  return ProbeWarp{.warp = f.m.input("probe_warp", bits_to_number(f.p.warps), "warp of the request"),
                   .poison_all = f.m.input("poison_all", 1,
                                           "the request is an atomic, behind which loads of all warps wait")};
}

MshrFill fill_ports(MshrFrame& f) {
  return {.valid = f.m.input("fill", 1, "a fetch is answered"),
          .entry = mshr_input_if(f, f.entry_width > 0, "fill_entry", f.entry_width,
                                 "entry of the fetch that is answered"),
          .mask = mshr_input_if(f, f.by_chunk, "fill_mask", f.pending, "chunks of the fill")};
}

}  // namespace

MshrRequest request_ports(MshrFrame& f) {
  rtl::Module& m = f.m;
  return {
      .missed = mshr_input_if(f, f.by_chunk, "missed", f.pending, "chunks that the request fetches"),
      .id = m.input("probe_id", f.p.core_id_bits, "id of the request"),
      .mask = m.input("probe_mask", f.chunks, "chunks that the request asks for"),
      .line = mshr_input_if(f, f.p.line_bits > 0, "probe_line", f.p.line_bits, "line of the request"),
      .poison = m.input("poison", 1, "a store or an atomic leaves: the entry that it matched is poisoned"),
      .warp = probe_warp_ports(f),
      .fill = fill_ports(f),
      .granted = m.input("replay_granted", 1, "the MSHR target on offer is answered"),
      .flush = m.input("flush", 1, "entries in use will be found by nobody else"),
      .searching =
          mshr_input_if(f, f.p.searches, "searching", f.entries, "entries whose lines are searched for")};
}

LookupAnswer lookup_ports(MshrFrame& f) {
  rtl::Module& m = f.m;
  return {
      .match = m.output("match", 1, "an entry has the probe's line"),
      .poisoned = m.output("match_poisoned", 1, "a store came after the fetch of the matched entry"),
      .waits = mshr_output_if(f, f.p.warps > 0, "match_waits", 1,
                              "a load waits: a store of its warp or an atomic came, or the line has come"),
      .mergeable = m.output("match_mergeable", 1, "the matched entry can take one more load"),
      .pending = mshr_output_if(f, f.by_chunk, "match_pending", f.pending,
                                "chunks of the matched entry's line on their way"),
      .searched =
          mshr_output_if(f, f.p.searches, "match_searched", 1, "the matched entry's line is searched for")};
}

EntryAnswer entry_ports(MshrFrame& f) {
  return {.has_free = f.m.output("has_free", 1, "an entry is free"),
          .entry = mshr_output_if(f, f.entry_width > 0, "entry", f.entry_width,
                                  "the entry that matched, else the lowest free one"),
          .fill_set = f.m.output("fill_set", f.set_bits, "set of the fill's entry")};
}

OfferAnswer offer_ports(MshrFrame& f) {
  rtl::Module& m = f.m;
  return {
      .fill_installs = m.output("fill_installs", 1,
                                "the fill's chunks may be found: its entry is neither poisoned nor flushed"),
      .ready = m.output("replay_ready", 1, "an MSHR target's chunks have come"),
      .set = m.output("replay_set", f.set_bits, "set of the MSHR target's line")};
}

namespace {

std::optional<LoadLine> load_line_ports(MshrFrame& f) {
  if (!f.p.line_bits) return {};
  return LoadLine{.line = f.m.output("replay_line", f.p.line_bits, "line of the waiting load"),
                  .late = f.m.output("replay_late", 1,
                                     "a store may have come after the load: a second fetch is too late")};
}

}  // namespace

LoadAnswer load_ports(MshrFrame& f) {
  rtl::Module& m = f.m;
  LoadAnswer out{.id = m.output("replay_id", f.p.core_id_bits, "id of the waiting load"),
                 .mask = m.output("replay_mask", f.chunks, "chunks of the waiting load"),
                 .line = load_line_ports(f)};
  if (f.p.protection != Protection::none)
    out.rows.wrong =
        m.output("replay_wrong", 1, "what is stored of the waiting load cannot be corrected: it stays");
  if (f.p.protection == Protection::secded)
    out.rows.corrected = m.output("replay_corrected", 1, "a wrong bit of it was corrected");
  return out;
}

}  // namespace hw
