// The request path up to the probe stage, and the parts that the probe asks.
#include "hw/l1d/shell.h"

#include <fmt/format.h>

#include <cctype>

#include "hw/index/index_unit.h"
#include "hw/l1d/data_store.h"
#include "hw/l1d/l1d.h"
#include "hw/l1d/l1d_ports.h"
#include "hw/l1d/miss_queue.h"
#include "hw/l1d/mshr.h"
#include "hw/prim/one_hot.h"
#include "hw/tags/reuse_filter.h"
#include "hw/tags/tag_store.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate;

namespace {

const char* tag_name(const L1dParams& p) {
  if (p.tags == TagKind::reuse_filter) return "reuse-count filter";
  if (p.tags == TagKind::split) return "split";
  return p.tags == TagKind::sectored ? "sectored" : "conventional";
}

}  // namespace

L1dShell::L1dShell(const L1dParams& p, const std::string& top)
    : p_(p),
      offset_(bits_to_number(p.line_bytes)),
      chunks_(chunks_of_line(p)),
      v_(valid_bits(p)),
      set_bits_(bits_to_number(sets_of(p))),
      id_bits_(memory_id_bits(p)),
      split_(p.tags == TagKind::split),
      sectored_(v_ > 1 || split_),
      adaptive_(p.index.kind == IndexKind::adi),
      filters_(filters(p)),
      m_(top,
         fmt::format("Non-blocking L1 data cache of {} bytes: {} sets of {} way{}, lines of {} bytes in {} "
                     "chunk{}, {} tags (baseline of the TSC, ACI and Decoupled-L1D papers).",
                     p.capacity_bytes, sets_of(p), p.ways, p.ways == 1 ? "" : "s", p.line_bytes, chunks_,
                     chunks_ == 1 ? "" : "s", tag_name(p))) {}

rtl::Module L1dShell::run() {
  ports();
  front();
  parts();
  responses();
  split_ ? split_result() : result();
  answer();
  split_ ? split_decision() : decision();
  if (adaptive_) monitor();
  split_ ? split_tags() : tags();
  entries();
  queue();
  split_ ? split_data() : data();
  if (p_.mode.kind == ModeKind::dueling) split_selector();
  if (p_.counters) events();
  return m_;
}

void L1dShell::ports() {
  const int line_bits = 8 * p_.line_bytes;
  core_request_ = rtl::input_stream(m_, "core_request",
                                    {{"id", p_.core_id_bits, "id of the answer"},
                                     {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                                     {"address", p_.address_bits, "byte address; the line counts"},
                                     {"mask", chunks_, "chunks of the line"},
                                     {"byte_enable", p_.line_bytes, "bytes to write"},
                                     {"data", line_bits, "their values"}},
                                    "a request from the core");
  core_response_ = rtl::output_stream(
      m_, "core_response",
      {{"id", p_.core_id_bits, "of the request"}, {"mask", chunks_, "chunks"}, {"data", line_bits, "values"}},
      "an answer to the core");
  memory_request_ = rtl::output_stream(m_, "memory_request",
                                       {{"id", id_bits_, "id of the answer"},
                                        {"kind", 2, "0 load, 1 store, 2 atomic, 3 non-L1"},
                                        {"address", p_.address_bits, "byte address of the line"},
                                        {"mask", chunks_, "chunks"},
                                        {"byte_enable", p_.line_bytes, "bytes to write"},
                                        {"data", line_bits, "their values"}},
                                       "a request to memory");
  memory_response_ = rtl::input_stream(
      m_, "memory_response",
      {{"id", id_bits_, "of the request"}, {"mask", chunks_, "chunks"}, {"data", line_bits, "values"}},
      "an answer from memory");
  flush_valid_ = m_.input("flush_valid", 1, "all lines are to become invalid");
  flush_ready_ = m_.output("flush_ready", 1, "they do at this edge");
  const ControlPorts controls(m_, p_);
  mode_coarse_ = controls["mode_coarse"];
  filter_enable_ = controls["filter_enable"];
  if (filter_enable_.known() && !filters_)
    m_.unused("unused_filter_enable", filter_enable_, "the threshold leaves nothing to filter");
}

void L1dShell::with_index(Beat& beat) {
  if (adaptive_) return with_selected_index(beat);
  IndexParams index = p_.index;
  index.latency = 0;
  const IndexUnit unit = index_unit(index, m_.name() + "_index");
  tag_bits_ = unit.facts.tag_bits;
  beat.set_index = m_.wire("set_index", set_bits_, "set of the request");
  beat.tag = m_.wire("tag", tag_bits_, "tag of the request");
  m_.instance(unit.module, "index",
              {{"block_address", beat.block_address}, {"set_index", beat.set_index}, {"tag", beat.tag}},
              "Set index and tag.");
}

// Requests before the probe: one in each stage, and bubbles close. Selected bits are so quickly there that
// the last stage computes them, and so no stage before the probe holds a set that may change.
void L1dShell::front() {
  const Expr address = core_request_["address"];
  m_.section("Requests on their way to the probe.");
  m_.unused("unused_offset", address.slice(offset_ - 1, 0), "place in the line: masks say what counts");
  const Expr block =
      m_.let("block_address", address.slice(p_.address_bits - 1, offset_), "line of the request");
  const Expr offered = m_.let("offered", core_request_.valid & ~flush_valid_, "a flush keeps requests out");
  Beat beat{.valid = offered,
            .id = core_request_["id"],
            .kind = core_request_["kind"],
            .block_address = block,
            .mask = core_request_["mask"],
            .byte_enable = core_request_["byte_enable"],
            .data = core_request_["data"],
            .set_index = {},
            .tag = {}};
  const int stages = p_.index.latency;
  std::vector<Expr> open;
  for (int k = 1; k <= stages; ++k)
    open.push_back(m_.wire(fmt::format("x{}_free", k), 1, "the stage is free or becomes free"));
  if (split_) open.push_back(m_.wire("compare_free", 1, "the compare stage is free or becomes free"));
  probe_free_ = m_.wire("probe_free", 1, "the probe stage is free or becomes free");
  open.push_back(probe_free_);
  if (adaptive_) adaptive_wires();
  if (!stages) with_index(beat);
  for (int k = 1; k <= stages; ++k) {
    beat = held_stage(beat, fmt::format("x{}", k), fmt::format("stage X{}", k), open[k - 1]);
    held_.push_back(beat.valid);
    const Expr moves = ~beat.valid | open[k];
    m_.assign(open[k - 1], adaptive_ ? ~held_up_ & moves : moves);
    if (k == (adaptive_ ? stages : 1)) with_index(beat);
  }
  if (split_) {
    beat = compare_stage(beat, open[stages]);
    held_.push_back(beat.valid);
    const Expr moves = ~beat.valid | probe_free_;
    m_.assign(open[stages], adaptive_ ? ~held_up_ & moves : moves);
  }
  m_.assign(core_request_.ready, ~flush_valid_ & open[0]);
  probe_stage(beat);
}

L1dShell::Beat L1dShell::held_stage(const Beat& from, const std::string& stem, const std::string& stage,
                                    const Expr& moves) {
  const auto name = [&](const char* field) { return fmt::format("{}_{}_q", stem, field); };
  std::vector<std::pair<Expr, Expr>> fields, payload;
  const auto hold = [&](const Expr& value, const char* field, const std::string& doc) {
    if (!value.known()) return Expr{};
    const Expr q = m_.data_reg(name(field), value.width(), doc);
    fields.emplace_back(q, value);
    return q;
  };
  const Beat to{
      .valid = m_.reg(name("valid"), 1, 0, stage + " holds a request"),
      .id = hold(from.id, "id", "its id"),
      .kind = hold(from.kind, "kind", "its kind"),
      .block_address = hold(from.block_address, "block_address", "its line"),
      .mask = hold(from.mask, "mask", "its chunks"),
      .byte_enable = m_.data_reg(name("byte_enable"), p_.line_bytes, "its byte enables, if no load"),
      .data = m_.data_reg(name("data"), 8 * p_.line_bytes, "its data, if no load"),
      .set_index = hold(from.set_index, "set", "its set"),
      .tag = hold(from.tag, "tag", "its tag")};
  const std::string title = static_cast<char>(std::toupper(stage[0])) + stage.substr(1);
  m_.clocked(title + ".", [&] { m_.when(moves, [&] { m_.set(to.valid, from.valid); }); });
  const Expr enters = m_.let(stem + "_enter", moves & from.valid, "a request enters it");
  if (split_) read_ = enters;
  // Whether there is one does not matter to its fields; what is known last in a cycle drives them alone.
  m_.clocked(fmt::format("The request in {}.", stage), [&] {
    m_.when(stem == "compare" ? moves : enters, [&] {
      for (const auto& [q, value] : fields) m_.set(q, value);
    });
  });
  const Expr payload_enters = stem == "compare" ? goes_ahead(from, to) : enters;
  m_.clocked(fmt::format("What the request in {} writes.", stage), [&] {
    m_.when(payload_enters & rtl::any(from.kind), [&] {
      m_.set(to.byte_enable, from.byte_enable);
      m_.set(to.data, from.data);
    });
  });
  return to;
}

// Whether the probe stage moves on is known late. What is not asked for at the beginning of a cycle is kept
// side by side for the next request and for the one that stays, so that this drives one flop.
void L1dShell::side_by_side(const Beat& next) {
  const Expr stayed_q = m_.reg("stayed_q", 1, 1, "the request in the probe stage was there before");
  std::vector<std::pair<Expr, Expr>> flops;
  const auto keep = [&](const std::string& name, const Expr& now, const Expr& coming) {
    const Expr next_q = m_.data_reg("next_" + name + "_q", now.width(), "of the request that was next");
    const Expr old_q = m_.data_reg("old_" + name + "_q", now.width(), "of the one in the probe stage before");
    m_.assign(now, mux(stayed_q, old_q, next_q));
    flops.insert(flops.end(), {{next_q, coming}, {old_q, now}});
    return old_q;
  };
  keep("id", probe_.id, next.id);
  stayed_block_ = keep("block_address", probe_.block_address, next.block_address);
  if (!adaptive_) keep("tag", probe_.tag, next.tag);
  m_.clocked("Whether the request stays.", [&] { m_.set(stayed_q, ~probe_free_); });
  m_.clocked("The next request and the one in the probe stage.", [&] {
    for (const auto& [q, value] : flops) m_.set(q, value);
  });
}

// Data and byte enables may be overwritten as soon as the request in the stage has no use for them or is sure
// to leave: this is known earlier in the cycle than whether it leaves.
void L1dShell::probe_stage(const Beat& next) {
  m_.section("The request in the probe stage.");
  probe_ = {.valid = m_.reg("probe_valid_q", 1, 0, "a request is looked up"),
            .id = m_.wire("probe_id", p_.core_id_bits, "its id"),
            .kind = m_.data_reg("probe_kind_q", 2, "0 load, 1 store, 2 atomic, 3 non-L1"),
            .block_address = m_.wire("probe_block_address", p_.address_bits - offset_, "its line"),
            .mask = m_.data_reg("probe_mask_q", chunks_, "its chunks"),
            .byte_enable = m_.data_reg("probe_byte_enable_q", p_.line_bytes, "its byte enables, if no load"),
            .data = m_.data_reg("probe_data_q", 8 * p_.line_bytes, "its data, if no load"),
            .set_index = m_.data_reg("probe_set_q", set_bits_, "its set"),
            .tag = adaptive_ ? Expr{} : m_.wire("probe_tag", tag_bits_, "its tag")};
  if (adaptive_) probe_.tag = probe_.block_address;
  if (!split_) payload_free_ = m_.wire("payload_free", 1, "what it writes is not needed after this cycle");
  const Expr enters = m_.let("enter", next.valid & probe_free_, "the next request enters");
  looks_up(next, enters);
  if (split_) split_mode();
  m_.clocked("Probe stage.", [&] { m_.when(probe_free_, [&] { m_.set(probe_.valid, next.valid); }); });
  m_.clocked("The request in the probe stage.", [&] {
    m_.when(enters, [&] {
      m_.set(probe_.kind, next.kind);
      m_.set(probe_.mask, next.mask);
      if (!adaptive_) m_.set(probe_.set_index, next.set_index);
    });
  });
  side_by_side(next);
  if (adaptive_) computes_set(next);
  if (adaptive_) takes_set(next, enters);
  m_.clocked("What the request in the probe stage writes.", [&] {
    const Expr comes = split_ ? next.valid & ~ahead_q_ : next.valid;
    m_.when(comes & payload_free_ & rtl::any(next.kind), [&] {
      m_.set(probe_.byte_enable, next.byte_enable);
      m_.set(probe_.data, next.data);
    });
  });
}

// Wires of the parts' answers; the parts follow below.
void L1dShell::parts() {
  m_.section("What the parts say.");
  split_ ? slots_found() : ways_found();
  const int ways = p_.ways;
  entry_match_ = m_.wire("entry_match", 1, "an MSHR entry has the line");
  doomed_ = m_.wire("entry_doomed", 1, "a store came after it");
  room_ = m_.wire("entry_room", 1, "it can take one more load");
  if (sectored_) pending_ = m_.wire("entry_pending", v_, "its chunks on their way");
  if (!split_) entry_way_ = m_.wire("entry_way", ways, "its way");
  has_free_ = m_.wire("has_free", 1, "an MSHR entry is free");
  if (entry_bits(p_)) entry_ = m_.wire("entry", entry_bits(p_), "the entry that matched, else the free one");
  fill_set_ = m_.wire("fill_set", set_bits_, "set of the fill");
  if (!split_) {
    fill_way_ = m_.wire("fill_way", ways, "its way");
    fill_way_early_ = m_.wire("fill_way_early", ways, "the same, early");
  }
  fill_lands_ = m_.wire("fill_lands", 1, "its chunks may be found");
  replay_ready_ = m_.wire("replay_ready", 1, "a waiting load can be answered");
  replay_set_ = m_.wire("replay_set", set_bits_, "its set");
  if (!split_) replay_way_ = m_.wire("replay_way", ways, "its way");
  replay_id_ = m_.wire("replay_id", p_.core_id_bits, "its id");
  replay_mask_ = m_.wire("replay_mask", chunks_, "its chunks");
  if (split_)
    slots_of_entries();
  else
    vacate_ = m_.wire("vacate", 1, "its MSHR entry is freed");
  has_place_ = m_.wire("has_place", 1, "the miss queue has a place");
}

void L1dShell::ways_found() {
  const int ways = p_.ways;
  match_ = m_.wire("way_match", ways, "way that holds the line, one-hot, or 0");
  hit_ = match_;
  if (sectored_) {
    hit_ = m_.wire("way_hit", ways, "the same if it holds all chunks of the request");
    match_valid_ = m_.wire("match_valid", v_, "chunks that it holds");
  }
  can_allocate_ = m_.wire("can_allocate", 1, "some way of the set may take a new line");
  if (filters_) filtered_ = m_.wire("filtered", 1, "a load that finds no line gets none");
  way_ = m_.wire("way", ways, "way of the line, or for it");
  if (p_.counters) evicted_ = m_.wire("evicted", v_, "valid bits evicted");
}

}  // namespace hw
