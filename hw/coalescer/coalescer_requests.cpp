// The request half of a coalescer: ranks of registers from the lanes to the cache. An instruction stays in
// the rank `split` for as many cycles as it has requests; rank `merge` holds one of them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hw/coalescer/coalescer_exchange.h"
#include "hw/coalescer/coalescer_parts.h"
#include "hw/coalescer/coalescer_split.h"
#include "hw/coalescer/lane_fields.h"
#include "hw/coalescer/line_groups.h"
#include "hw/coalescer/line_merge.h"
#include "hw/l1d/request_kind.h"
#include "hw/l1d/stream_params.h"
#include "hw/prim/carry_save.h"

namespace hw {
namespace {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream, rtl::zext;

struct RequestPorts {
  Stream lane_request, core_request;
  Expr id_free, id;
  SentRequest sent;
  OpenedInstruction opened;
  CountedInstruction counted;
};

RequestPorts request_ports(const CoalescerFrame& f) {
  auto& [m, p, w] = f;
  return {.lane_request =
              rtl::input_stream(m, "lane_request", lane_request_fields(p), "an instruction of the lanes"),
          .core_request =
              rtl::output_stream(m, "core_request", coalesced_request_fields(p), "a request to the cache"),
          .id_free = m.input("id_free", 1, "an id is free"),
          .id = m.input("id", p.core_id_bits, "the id of the next request"),
          .sent = {.valid = m.output("sent", 1, "a request takes the id"),
                   .awaited = m.output("sent_awaited", 1, "lanes wait for the request's answer"),
                   .slot = m.output("sent_slot", w.slot, "number of the request's instruction"),
                   .lanes = m.output("sent_lanes", w.lanes, "lanes of the request")},
          .opened = {.valid = m.output("opened", 1, "an instruction begins"),
                     .slot = m.output("opened_slot", w.slot, "number of the instruction that begins"),
                     .shape = m.output("opened_shape", w.shape, "the instruction's mask, size and offsets")},
          .counted = {.valid = m.output("counted", 1, "the requests of an instruction are counted"),
                      .slot = m.output("counted_slot", w.slot, "number of that instruction"),
                      .count = m.output("count", w.count, "number of its requests")}};
}

// The address of a lane in parts, so that each part of all lanes is one vector.
rtl::Module lane_address(const CoalescerParams& p, const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, "A lane's byte address in parts.");
  const Expr address = m.input("address", p.address_bits, "byte address");
  m.assign(m.output("line", w.line, "number of the line"), address.slice(p.address_bits - 1, w.offset));
  m.assign(m.output("word", w.word, "number of the word in the line"), address.slice(w.offset - 1, w.low));
  if (w.low) m.assign(m.output("low", w.low, "number of the byte in the word"), address.slice(w.low - 1, 0));
  return m;
}

LaneGroups lane_groups(const CoalescerFrame& f, const LaneInstruction& next) {
  auto& [m, p, w] = f;
  m.section("The instruction that is split.");
  LaneGroups g{.lines = m.wire("lines", w.lanes * w.line, "line of each lane"),
               .words = m.wire("words", w.lanes * w.word, "word of each lane in its line"),
               .lows = {},
               .joins = m.wire("joins", w.lanes * w.lanes, "for each lane, lanes above it of its request"),
               .hides = m.wire("hides", w.lanes * w.lanes, "for each lane, the lanes of its word among them"),
               .leads = m.wire("leads", w.lanes, "lanes that are the lowest of their requests"),
               .single = m.wire("single", 1, "the instruction has one request"),
               .wide = {}};
  if (w.low) g.lows = m.wire("lows", w.lanes * w.low, "position of each lane in its word");
  const rtl::Module part = lane_address(p, w, m.name() + "_address");
  m.repeat("lane_address", w.lanes, "A lane each.", [&](const Expr& l) {
    rtl::Pins pins{{"address", next.address.part(l, f.p.address_bits)},
                   {"line", g.lines.part(l, f.w.line)},
                   {"word", g.words.part(l, f.w.word)}};
    if (g.lows) pins.emplace_back("low", g.lows->part(l, f.w.low));
    f.m.instance(part, "parts", pins, "The parts of the lane's address.");
  });
  m.instance(line_groups(p, m.name() + "_groups"), "groups",
             {{"active", next.mask},
              {"lines", g.lines},
              {"words", g.words},
              {"alone", is_kind(m, next.kind, RequestKind::atomic)},
              {"joins", g.joins},
              {"hides", g.hides},
              {"leads", g.leads},
              {"single", g.single}},
             "Lanes of one line share a request, but for atomics.");
  if (!w.halvings) {
    m.unused("unused_size", next.size, "a lane has one byte");
    return g;
  }
  std::vector<Expr> larger;
  for (int s = w.halvings - 1; s >= 0; --s)
    larger.push_back(next.size >= lit(w.size, static_cast<std::uint64_t>(s) + 1));
  g.wide =
      m.let("wide", larger.size() == 1 ? larger[0] : cat(larger), "bit s: lanes have more than 2^s bytes");
  return g;
}

Expr degree_of(const CoalescerFrame& f, const Expr& count) {
  if (f.w.count <= degree_bits) return zext(count, degree_bits);
  const Expr most =
      f.m.constant("HIGHEST_DEGREE", degree_bits, (1u << degree_bits) - 1, "more count as many");
  return mux(count.bit(degree_bits), most, count.slice(degree_bits - 1, 0));
}

Expr chunks_of_bytes(const CoalescerFrame& f, const Expr& touched) {
  const int count = chunks_of_line(f.p);
  const Expr chunks = f.m.wire("chunks", count, "chunks of those bytes");
  if (count == 1) {
    f.m.assign(chunks, any(touched));
    return chunks;
  }
  f.m.comb("Chunks with a byte.", [&] {
    f.m.loop("c", count,
             [&](const Expr& c) { f.m.set(chunks.at(c), any(touched.part(c, f.p.chunk_bytes))); });
  });
  return chunks;
}

// The request whose bytes are put together; `leaves`: it can leave, a wire. Fields of the cache's request but
// for the id.
struct MergedRequest {
  Expr valid, leaves;
  NamedFields fields;
};

// Lanes of the request in the rank, and their bytes, as the registers hold them.
struct MergedLanes {
  Expr words, bytes, placed;
};

// Lanes that lead requests to come are counted in two cycles: of each group, and over the groups.
struct LeadGroups {
  explicit LeadGroups(const CoalescerWidths& w)
      : lanes(std::min(8, w.lanes)), groups(w.lanes / lanes), bits(rtl::clog2(lanes + 1ull)) {}

  int lanes, groups;
  int bits;  // of the count of a group
};

Expr leads_by_group(const CoalescerFrame& f, const LeadGroups& by, const Expr& pending) {
  const Expr counts =
      f.m.wire("leads_by_group", by.groups * by.bits, "requests to come, by the group of their lowest lanes");
  f.m.repeat("group", by.groups, fmt::format("{} lanes each.", by.lanes), [&](const Expr& g) {
    std::vector<Expr> ones;
    for (int k = 0; k < by.lanes; ++k) ones.push_back(zext(pending.stepped({{g, by.lanes}}, k, 1), by.bits));
    while (ones.size() > 1) {
      ones.push_back(ones[0] + ones[1]);
      ones.erase(ones.begin(), ones.begin() + 2);
    }
    f.m.assign(counts.part(g, by.bits), ones[0]);
  });
  return counts;
}

Expr sum_of_groups(const CoalescerFrame& f, const LeadGroups& by, const Expr& counts) {
  std::vector<std::pair<Expr, unsigned>> terms;
  for (int g = 0; g < by.groups; ++g)
    terms.emplace_back(zext(counts.slice((g + 1) * by.bits - 1, g * by.bits), f.w.count), 1);
  return f.m.let("requests", sum_of_products(f.m, "requests", terms, f.w.count),
                 "requests of the instruction");
}

MergedRequest merge_request(const CoalescerFrame& f, const SplitInstruction& split,
                            const ChosenRequest& request, const RequestPorts& ports) {
  auto& [m, p, w] = f;
  const SentRequest& sent = ports.sent;
  m.section("The request whose bytes are put together.");
  const Expr valid = m.reg("merge_valid_q", 1, 0, "there is a request"),
             leaves = m.wire("merge_leaves", 1, "the request can leave, if there is one");
  m.assign(split.takes, ~valid | leaves);
  const LeadGroups groups(w);
  const Expr by_group = leads_by_group(f, groups, split.pending),
             counts = m.data_reg("merge_counts_q", by_group.width(),
                                 "requests of its instruction, by the group of their lowest lanes");
  CoalescerRank rank(m, "merge");
  const Expr slot = rank.keep("slot", split.slot, "number of the request's instruction"),
             kind = rank.keep("kind", split.kind, "kind of the request"),
             first = rank.keep("first", split.begins, "the request is the first of its instruction");
  const Expr line = rank.keep("line", request.line, "line of the request"),
             members = rank.keep("members", request.members, "lanes of the request");
  const MergedLanes lanes{
      .words = rank.keep("words", split.lanes.words, "word of each lane"),
      .bytes = rank.keep("bytes", request.bytes, "bytes that each lane of the request writes in its word"),
      .placed = rank.keep("placed", request.placed, "the value of each lane at its position in the word")};
  NamedFields brought;
  for (const auto& [field, value] : split.brought)
    brought.emplace_back(field, rank.keep(field, value, "of the request"));
  m.clocked("Whether a request is put together.",
            [&] { f.m.when(split.takes, [&] { f.m.set(valid, split.valid); }); });
  m.clocked("The request that is being merged; requests are counted as the first is split off.", [&] {
    f.m.when(split.takes, [&] {
      rank.take();
      f.m.when(split.begins, [&] { f.m.set(counts, by_group); });
    });
  });
  const Expr requests = sum_of_groups(f, groups, counts);
  m.assign(ports.counted.valid, valid & first);
  m.assign(ports.counted.slot, slot);
  m.assign(ports.counted.count, requests);
  const Expr touched = m.wire("touched", p.line_bytes, "bytes that a lane of the request has"),
             data = m.wire("line_data", 8 * p.line_bytes, "values of those bytes");
  m.instance(line_merge(p, m.name() + "_merge"), "bytes_of_line",
             {{"words", lanes.words},
              {"bytes", lanes.bytes},
              {"data", lanes.placed},
              {"touched", touched},
              {"line", data}},
             "The lanes' bytes in their line.");
  const Expr mask = chunks_of_bytes(f, touched);
  const Expr store = is_kind(m, kind, RequestKind::store);
  const Expr writes =
      m.let("writes", store | is_kind(m, kind, RequestKind::atomic), "the request has values for the cache");
  m.assign(sent.awaited, ~store);
  m.assign(sent.slot, slot);
  m.assign(sent.lanes, members);
  NamedFields fields{{"kind", kind},
                     {"line", line},
                     {"mask", mask},
                     {"byte_enable", touched & replicate(p.line_bytes, writes)},
                     {"data", data}};
  if (has_sideband(p, sideband::degree)) fields.emplace_back(sideband::degree.name, degree_of(f, requests));
  if (has_sideband(p, sideband::first)) fields.emplace_back(sideband::first.name, first);
  fields.insert(fields.end(), brought.begin(), brought.end());
  return {valid, leaves, fields};
}

// To the cache, through a last rank where one is spent on that.
void leave(const CoalescerFrame& f, const RequestPorts& ports, const MergedRequest& merged) {
  auto& [m, p, w] = f;
  const Stream& to_cache = ports.core_request;
  const auto show = [&](const std::string& field, const Expr& value) {
    if (field == "line")
      f.m.assign(to_cache["address"], cat({value, lit(f.w.offset, 0)}));
    else
      f.m.assign(to_cache[field], value);
  };
  m.section("The request to the cache.");
  m.assign(ports.sent.valid, merged.valid & merged.leaves);
  NamedFields fields{{"id", ports.id}};
  fields.insert(fields.end(), merged.fields.begin(), merged.fields.end());
  if (p.stages < 4) {
    m.assign(to_cache.valid, merged.valid & ports.id_free);
    m.assign(merged.leaves, to_cache.ready & ports.id_free);
    for (const auto& [field, value] : fields) show(field, value);
    return;
  }
  const Expr valid = m.reg("leaving_valid_q", 1, 0, "there is a request for the cache");
  const Expr takes = m.let("leaving_takes", ~valid | to_cache.ready, "the last rank can take a request");
  m.assign(merged.leaves, takes & ports.id_free);
  m.assign(to_cache.valid, valid);
  CoalescerRank rank(m, "leaving");
  for (const auto& [field, value] : fields)
    show(field, rank.keep(field, value, fmt::format("{} of the request", field)));
  m.clocked("Whether a request leaves.",
            [&] { f.m.when(takes, [&] { f.m.set(valid, merged.valid & ports.id_free); }); });
  m.clocked("The request that leaves.", [&] { f.m.when(takes, [&] { rank.take(); }); });
}

void open_instruction(rtl::Module& m, const OpenedInstruction& opened, const SplitInstruction& split) {
  m.section("An instruction begins; again in each cycle until its first request is split off.");
  m.assign(opened.valid, split.valid & split.begins);
  m.assign(opened.slot, split.slot);
  std::vector<Expr> shape{split.mask};  // most significant first
  if (split.lanes.wide) shape.push_back(*split.lanes.wide);
  shape.push_back(split.lanes.words);
  if (split.lanes.lows) shape.push_back(*split.lanes.lows);
  m.assign(opened.shape, join_known(shape));
}

}  // namespace

rtl::Module coalescer_requests(const CoalescerParams& p, const std::string& name) {
  const CoalescerWidths w(p);
  rtl::Module m(name,
                fmt::format("Splits the instruction of {} lanes into requests, one a line, {} cycles behind "
                            "the lanes.",
                            p.lanes, p.stages));
  const CoalescerFrame f{m, p, w};
  const RequestPorts ports = request_ports(f);
  const Expr split_takes = m.wire("split_takes", 1, "the rank that splits can take an instruction");
  const LaneInstruction next = taken_instruction(f, ports.lane_request, split_takes);
  const LaneGroups groups = lane_groups(f, next);
  const SplitInstruction split = split_instruction(f, next, groups, split_takes);
  const ChosenRequest request = choose_request(f, split);
  const MergedRequest merged = merge_request(f, split, request, ports);
  leave(f, ports, merged);
  open_instruction(m, ports.opened, split);
  return m;
}

}  // namespace hw
