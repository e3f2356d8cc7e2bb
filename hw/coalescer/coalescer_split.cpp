#include "hw/coalescer/coalescer_split.h"

#include "hw/coalescer/lane_bytes.h"
#include "hw/l1d/stream_params.h"
#include "hw/prim/one_hot.h"

namespace hw {

using rtl::cat, rtl::Expr, rtl::lit, rtl::replicate, rtl::Stream;

LaneInstruction taken_instruction(const CoalescerFrame& f, const Stream& request, const Expr& split_takes) {
  auto& [m, p, w] = f;
  LaneInstruction next{request.valid,      request["id"],   request["kind"], request["mask"],
                       request["address"], request["size"], request["data"], {}};
  each_sideband_field(brought_sideband_bits(p), [&](const auto& field, int) {
    next.brought.emplace_back(field.name, request[field.name]);
  });
  if (p.stages == 2) {
    m.assign(request.ready, split_takes);
    return next;
  }
  m.section("The instruction as taken.");
  const Expr valid_q = m.reg("taken_valid_q", 1, 0, "an instruction was taken");
  CoalescerRank rank(m, "taken");
  const auto keep = [&](const std::string& field, const Expr& value) {
    return rank.keep(field, value, fmt::format("{} of the instruction", field));
  };
  LaneInstruction taken{valid_q,
                        keep("id", next.id),
                        keep("kind", next.kind),
                        keep("mask", next.mask),
                        keep("address", next.address),
                        keep("size", next.size),
                        keep("data", next.data),
                        {}};
  for (const auto& [field, value] : next.brought) taken.brought.emplace_back(field, keep(field, value));
  const Expr takes = m.let("takes", ~valid_q | split_takes, "an instruction can be taken");
  m.assign(request.ready, takes);
  m.clocked("Whether one was taken.", [&] { m.when(takes, [&] { m.set(valid_q, next.valid); }); });
  m.clocked("The taken access.", [&] { m.when(takes, [&] { rank.take(); }); });
  return taken;
}

SplitInstruction split_instruction(const CoalescerFrame& f, const LaneInstruction& next,
                                   const LaneGroups& groups, const Expr& split_takes) {
  auto& [m, p, w] = f;
  const Expr valid = m.reg("split_valid_q", 1, 0, "there is an instruction"),
             begins = m.data_reg("split_begins_q", 1, "no request of the instruction has been split off"),
             pending = m.data_reg("split_pending_q", w.lanes, "lowest lanes of the requests still to come"),
             lead = m.data_reg("split_lead_q", w.lanes, "lowest lane of the next request"),
             last = m.data_reg("split_last_q", 1, "one request is still to come");
  CoalescerRank rank(m, "split");
  const auto keep_if = [&](const char* field, const std::optional<Expr>& value, const char* doc) {
    return value ? std::optional(rank.keep(field, *value, doc)) : std::nullopt;
  };
  const Expr slot = rank.keep("id", next.id, "number of the instruction"),
             kind = rank.keep("kind", next.kind, "kind of the instruction"),
             mask = rank.keep("mask", next.mask, "active lanes");
  const Expr joins = rank.keep("joins", groups.joins, "for each lane, lanes above it of its request"),
             hides = rank.keep("hides", groups.hides, "for each lane, the lanes of its word among them");
  const Expr lines = rank.keep("lines", groups.lines, "line of each lane"),
             words = rank.keep("words", groups.words, "word of each lane in its line");
  const LaneGroups lanes{.lines = lines,
                         .words = words,
                         .lows = keep_if("lows", groups.lows, "position of each lane in its word"),
                         .joins = joins,
                         .hides = hides,
                         .leads = groups.leads,
                         .single = groups.single,
                         .wide = keep_if("wide", groups.wide, "bit s: lanes have more than 2^s bytes")};
  const Expr data = rank.keep("data", next.data, "values of the lanes");
  NamedFields brought;
  for (const auto& [field, value] : next.brought)
    brought.emplace_back(field, rank.keep(field, value, "of the instruction"));
  const Expr lowest = lowest_of(m, "lowest", next.mask, "lowest lane of the instruction that comes"),
             rest = m.let("rest", pending & ~lead, "lowest lanes of the requests behind the next"),
             behind = lowest_of(m, "behind", rest, "the lowest of them");
  const Expr merge_takes = m.wire("merge_takes", 1, "the rank that merges can take a request");
  const Expr goes = m.let("goes", valid & merge_takes, "a request is split off");
  m.assign(split_takes, ~valid | (merge_takes & last));
  const Expr more = at_least(m, "more", 3, pending, "two requests or more are still to come behind the next");
  m.clocked("Whether an instruction is split.",
            [&] { f.m.when(split_takes, [&] { f.m.set(valid, next.valid); }); });
  m.clocked("The access that is being split.", [&] {
    f.m.when(split_takes,
             [&] {
               f.m.set(begins, lit(1, 1));
               f.m.set(pending, groups.leads);
               f.m.set(lead, lowest);
               f.m.set(last, groups.single);
               rank.take();
             })
        .otherwise([&] {
          f.m.when(goes, [&] {
            f.m.set(begins, lit(1, 0));
            f.m.set(pending, rest);
            f.m.set(lead, behind);
            f.m.set(last, ~more);
          });
        });
  });
  return {valid, begins, pending, slot, kind, mask, data, lanes, brought, lead, merge_takes};
}

namespace {

rtl::Module hidden_of_lane(const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, "Bytes of a lane's word that lanes above it have, too: the highest lane writes them.");
  const Expr above = m.input("above", w.lanes, "lanes above it of its word");
  const Expr bytes = m.input("bytes", w.lanes * w.bytes, "bytes that each lane has of its word");
  const Expr hidden = m.output("hidden", w.bytes, "bytes that those lanes have");
  m.comb("Any of the lanes.", [&] {
    m.set(hidden, lit(w.bytes, 0));
    m.loop("l", w.lanes, [&](const Expr& l) {
      m.set(hidden, hidden | (bytes.part(l, w.bytes) & replicate(w.bytes, above.at(l))));
    });
  });
  return m;
}

void place_lanes(const CoalescerFrame& f, const SplitInstruction& split, const ChosenRequest& request) {
  auto& [m, p, w] = f;
  const int bytes = w.bytes;
  Expr own = split.mask;
  if (split.lanes.lows) {
    own = m.wire("own_bytes", w.lanes * bytes, "bytes that each lane has of its word");
    const rtl::Module one = lane_to_word(p.lane_bytes);
    m.repeat("lane_word", w.lanes, "A lane each.", [&](const Expr& l) {
      f.m.instance(one, "placing",
                   {{"wide", split.lanes.wide.value()},
                    {"low", split.lanes.lows->part(l, f.w.low)},
                    {"data", split.data.part(l, 8 * bytes)},
                    {"bytes", own.part(l, bytes)},
                    {"word", request.placed.part(l, 8 * bytes)}},
                   "The lane's bytes in its word.");
    });
  } else {
    m.assign(request.placed, split.data);
  }
  const Expr hidden = m.wire("hidden", w.lanes * bytes, "bytes of them that a lane above writes, too");
  const rtl::Module hiding = hidden_of_lane(w, m.name() + "_hidden");
  m.repeat("lane_hidden", w.lanes, "A lane each.", [&](const Expr& l) {
    f.m.instance(
        hiding, "hiding",
        {{"above", split.lanes.hides.part(l, f.w.lanes)}, {"bytes", own}, {"hidden", hidden.part(l, bytes)}},
        "Lanes of other requests are in no row of this one's.");
  });
  m.comb("Lanes of other requests write none.", [&] {
    f.m.loop("l", f.w.lanes, [&](const Expr& l) {
      f.m.set(request.bytes.part(l, bytes),
              own.part(l, bytes) & ~hidden.part(l, bytes) & replicate(bytes, request.members.at(l)));
    });
  });
}

}  // namespace

ChosenRequest choose_request(const CoalescerFrame& f, const SplitInstruction& split) {
  auto& [m, p, w] = f;
  const int lanes = w.lanes, line_bits = w.line;
  m.section("The request that is split off.");
  const Expr members = m.wire("members", w.lanes, "lanes of the request"),
             line = m.wire("line", line_bits, "line of the request");
  m.comb("The lowest lane with its line, and the lanes that join it.", [&] {
    f.m.set(members, split.lead);
    f.m.set(line, lit(line_bits, 0));
    f.m.loop("l", f.w.lanes, [&](const Expr& l) {
      const Expr leads = split.lead.at(l);
      f.m.set(members, members | (split.lanes.joins.part(l, lanes) & replicate(lanes, leads)));
      f.m.set(line, line | (split.lanes.lines.part(l, line_bits) & replicate(line_bits, leads)));
    });
  });
  const ChosenRequest request{
      .members = members,
      .line = line,
      .bytes = m.wire("bytes", w.lanes * w.bytes, "bytes that each lane of the request writes in its word"),
      .placed = m.wire("placed", w.data, "the value of each lane at its position in the word")};
  place_lanes(f, split, request);
  return request;
}

}  // namespace hw
