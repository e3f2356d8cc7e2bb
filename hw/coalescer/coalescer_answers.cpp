// The answer half of a coalescer: a line is taken in one cycle, its lanes and their offsets are read in the
// next, their bytes are found in that cycle or the one after, and the instruction is answered behind its last
// answer.
#include <fmt/format.h>

#include <optional>

#include "hw/coalescer/coalescer_exchange.h"
#include "hw/coalescer/coalescer_parts.h"
#include "hw/coalescer/coalescer_split.h"
#include "hw/coalescer/lane_bytes.h"
#include "hw/coalescer/lane_fields.h"
#include "hw/prim/register_file.h"
#include "hw/prim/sram.h"

namespace hw {
namespace {

using rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream;

// A lane's bytes of the line, by its address in it.
rtl::Module lane_of_line(const CoalescerParams& p, const CoalescerWidths& w, const std::string& name) {
  rtl::Module m(name, "A lane's value from a line.");
  const Expr line = m.input("line", 8 * p.line_bytes, "the line");
  const Expr number = m.input("word", w.word, "number of the lane's word in the line");
  const Expr data = m.output("data", 8 * w.bytes, "the lane's value, zero-extended");
  if (!w.low) {
    m.assign(data, line.part(number, 8));
    return m;
  }
  const Expr wide = m.input("wide", w.halvings, "bit s: the lane has more than 2^s bytes");
  const Expr low = m.input("low", w.low, "the lane's position in its word");
  const Expr word = m.let("lane_word", line.part(number, 8 * w.bytes), "the lane's word");
  m.instance(word_to_lane(p.lane_bytes), "taking",
             {{"wide", wide}, {"low", low}, {"word", word}, {"data", data}}, "The lane's bytes of it.");
  return m;
}

struct AnswerPorts {
  Stream core_response, lane_response;
  Expr sent_id;
  SentRequest sent;
  OpenedInstruction opened;
  CountedInstruction counted;
};

AnswerPorts answer_ports(rtl::Module& m, const CoalescerParams& p, const CoalescerWidths& w) {
  const Stream core =
      rtl::input_stream(m, "core_response", coalesced_response_fields(p), "an answer of the cache");
  const Stream lanes =
      rtl::output_stream(m, "lane_response", lane_response_fields(p), "the answer to an instruction");
  const Expr sent = m.input("sent", 1, "a request leaves");
  return {.core_response = core,
          .lane_response = lanes,
          .sent_id = m.input("sent_id", p.core_id_bits, "id of the request"),
          .sent = {.valid = sent,
                   .awaited = m.input("sent_awaited", 1, "lanes wait for the request's answer"),
                   .slot = m.input("sent_slot", w.slot, "number of the request's instruction"),
                   .lanes = m.input("sent_lanes", w.lanes, "lanes of the request")},
          .opened = {.valid = m.input("opened", 1, "an instruction begins"),
                     .slot = m.input("opened_slot", w.slot, "number of the instruction that begins"),
                     .shape = m.input("opened_shape", w.shape, "the instruction's mask, size and offsets")},
          .counted = {.valid = m.input("counted", 1, "the requests of an instruction are counted"),
                      .slot = m.input("counted_slot", w.slot, "number of that instruction"),
                      .count = m.input("count", w.count, "number of its requests")}};
}

// The answer as taken; `answered_q`: the lanes have the one before, which `moves` on.
struct TakenAnswer {
  Expr answered_q, moves, line;
  Expr awaited, slot, lanes;
};

TakenAnswer take_answer(rtl::Module& m, const CoalescerParams& p, const CoalescerWidths& w,
                        const AnswerPorts& ports) {
  const Stream& response = ports.core_response;
  m.section("The answer as taken.");
  const Expr answered_q = m.reg("lane_valid_q", 1, 0, "an instruction is answered");
  const Expr moves = m.let("moves", ~answered_q | ports.lane_response.ready, "the ranks of answers move on");
  const Expr valid = m.reg("answer_valid_q", 1, 0, "there is an answer of the cache");
  m.assign(response.ready, ~valid | moves);
  const Expr taken = m.let("taken", response.valid & response.ready, "an answer is taken");
  const Expr line = m.data_reg("line_q", 8 * p.line_bytes, "the line of the answer");
  m.unused("unused_mask", response["mask"], "the answer has all requested chunks");
  m.clocked("Whether an answer was taken.",
            [&] { m.when(response.ready, [&] { m.set(valid, response.valid); }); });
  m.clocked("The line of the answer.", [&] { m.when(taken, [&] { m.set(line, response["data"]); }); });
  const int width = 1 + w.slot + w.lanes;
  const Expr row = m.wire("row", width, "kept fields of the answered request");
  m.instance(sram_1r1w(1 << p.core_id_bits, width), "requests",
             {{"read", taken},
              {"read_row", response["id"]},
              {"read_data", row},
              {"write", ports.sent.valid},
              {"write_row", ports.sent_id},
              {"write_data", cat({ports.sent.awaited, ports.sent.slot, ports.sent.lanes})}},
             "Requests that the cache has not answered, by their ids.");
  const Expr awaited = m.let("awaited", valid & row.bit(width - 1), "lanes wait for the answer"),
             slot =
                 m.let("slot", row.slice(width - 2, w.lanes), "number of the instruction that is answered");
  return {answered_q, moves, line, awaited, slot, row.slice(w.lanes - 1, 0)};
}

// The instruction of the answer; `last`: it waits for no other.
struct AnsweredInstruction {
  Expr mask;
  std::optional<Expr> wide;  // where lanes may have several bytes
  Expr words;
  std::optional<Expr> lows;  // where words have several bytes
  Expr last;
};

AnsweredInstruction answered_instruction(rtl::Module& m, const CoalescerParams& p, const CoalescerWidths& w,
                                         const AnswerPorts& ports, const TakenAnswer& answer) {
  const OpenedInstruction& opened = ports.opened;
  const CountedInstruction& counted = ports.counted;
  const Expr &awaited = answer.awaited, &slot = answer.slot;
  m.section("The instruction of the answer.");
  const Expr shape = m.wire("shape", w.shape, "the instruction's mask, size and offsets");
  m.instance(register_file(p.instructions, w.shape), "shapes",
             {{"write", opened.valid},
              {"write_row", opened.slot},
              {"write_data", opened.shape},
              {"read_row", slot},
              {"read_data", shape}},
             "Instructions in flight.");
  int high = w.shape;
  const auto next = [&](const char* name, int bits, const char* doc) {
    high -= bits;
    return m.let(name, shape.slice(high + bits - 1, high), doc);
  };
  const auto next_if = [&](const char* name, int bits, const char* doc) {
    return bits ? std::optional(next(name, bits, doc)) : std::nullopt;
  };
  AnsweredInstruction of{.mask = next("mask", w.lanes, "active lanes of the instruction"),
                         .wide = next_if("wide", w.halvings, "bit s: lanes have more than 2^s bytes"),
                         .words = next("words", w.lanes * w.word, "word of each lane in its line"),
                         .lows = next_if("lows", w.lanes * w.low, "position of each lane in its word"),
                         .last = {}};
  const int count = w.count;
  const Expr left = m.data_reg("left_q", p.instructions * count, "answers that each instruction waits for");
  const Expr own = m.let("left", left.part(slot, count), "answers that the instruction waits for");
  of.last = m.let("last", awaited & (own == lit(count, 1)), "the instruction waits for no other answer");
  m.clocked("No answer comes before a request has left, so the two instructions are never the same.", [&] {
    m.when(counted.valid, [&] { m.set(left.part(counted.slot, count), counted.count); });
    m.when(awaited & answer.moves, [&] { m.set(left.part(slot, count), own - lit(count, 1)); });
  });
  return of;
}

// The answer with its lanes and offsets in registers, where a rank is spent on that.
void locate(rtl::Module& m, const CoalescerParams& p, TakenAnswer& answer, AnsweredInstruction& of) {
  if (p.answer_stages == 2) return;
  m.section("The answer with its lanes and offsets.");
  const Expr waits = m.reg("located_awaited_q", 1, 0, "lanes wait for the answer"),
             last = m.reg("located_last_q", 1, 0, "the instruction waits for no other answer");
  m.clocked("Whether lanes wait for it, and whether for it alone.", [&] {
    m.when(answer.moves, [&] {
      m.set(waits, answer.awaited);
      m.set(last, of.last);
    });
  });
  const Expr takes = m.let("located_takes", answer.awaited & answer.moves, "the rank takes an answer");
  CoalescerRank rank(m, "located");
  const auto keep = [&](const char* name, Expr& value, const char* doc) {
    value = rank.keep(name, value, doc);
  };
  keep("line", answer.line, "the line of the answer");
  keep("slot", answer.slot, "number of the instruction that is answered");
  keep("lanes", answer.lanes, "lanes of the answer");
  keep("mask", of.mask, "active lanes of the instruction");
  if (of.wide) keep("wide", *of.wide, "bit s: lanes have more than 2^s bytes");
  keep("words", of.words, "word of each lane in its line");
  if (of.lows) keep("lows", *of.lows, "position of each lane in its word");
  m.clocked("The answer, as its lanes read it.", [&] { m.when(takes, [&] { rank.take(); }); });
  answer.awaited = waits;
  of.last = last;
}

// Values of the answer's lanes, and of earlier answers.
struct LaneValues {
  Expr now, finishes, stored;
};

LaneValues lane_values(rtl::Module& m, const CoalescerParams& p, const CoalescerWidths& w,
                       const TakenAnswer& answer, const AnsweredInstruction& of) {
  m.section("The lanes of the answer.");
  const Expr read = m.wire("lane_values", w.data, "value of each lane in the line");
  const rtl::Module one = lane_of_line(p, w, m.name() + "_lane");
  m.repeat("lane_value", w.lanes, "A lane each.", [&](const Expr& l) {
    rtl::Pins pins{
        {"line", answer.line}, {"word", of.words.part(l, w.word)}, {"data", read.part(l, 8 * w.bytes)}};
    if (of.lows) pins.insert(pins.end(), {{"wide", of.wide.value()}, {"low", of.lows->part(l, w.low)}});
    m.instance(one, "value", pins, "The lane's bytes.");
  });
  const Expr finishes = m.let("finishes", of.last & answer.moves, "the instruction has all its answers");
  const Expr waits = answer.awaited & answer.moves & ~of.last;
  const Expr kept =
      m.let("kept", answer.lanes & replicate(w.lanes, waits), "lanes whose values wait for other answers");
  const Expr stored = m.wire("stored", w.data, "values of each lane that came before the last answer");
  const rtl::Module ram = sram_1r1w(p.instructions, 8 * w.bytes);
  m.repeat("lane_store", w.lanes, "A lane each.", [&](const Expr& l) {
    m.instance(ram, "of_instructions",
               {{"read", finishes},
                {"read_row", answer.slot},
                {"read_data", stored.part(l, 8 * w.bytes)},
                {"write", kept.at(l)},
                {"write_row", answer.slot},
                {"write_data", read.part(l, 8 * w.bytes)}},
               "The lane's values of instructions that wait.");
  });
  return {read, finishes, stored};
}

// The lanes of the last answer are taken from registers: their RAMs could only be read a cycle later.
void answer_lanes(rtl::Module& m, const CoalescerWidths& w, const Stream& response, const TakenAnswer& answer,
                  const AnsweredInstruction& of, const LaneValues& lanes) {
  m.section("The answer to the lanes.");
  const Expr id = m.data_reg("lane_id_q", w.slot, "number of the instruction"),
             mask = m.data_reg("lane_mask_q", w.lanes, "active lanes of the instruction"),
             last = m.data_reg("last_lanes_q", w.lanes, "lanes of its last answer"),
             values = m.data_reg("last_values_q", w.data, "values of those lanes");
  m.clocked("Whether one is answered.",
            [&] { m.when(answer.moves, [&] { m.set(answer.answered_q, of.last); }); });
  m.clocked("The answer.", [&] {
    m.when(lanes.finishes, [&] {
      m.set(id, answer.slot);
      m.set(mask, of.mask);
      m.set(last, answer.lanes);
      m.set(values, lanes.now);
    });
  });
  m.assign(response.valid, answer.answered_q);
  m.assign(response["id"], id);
  m.assign(response["mask"], mask);
  const Expr data = response["data"];
  const int bits = 8 * w.bytes;
  m.comb("Values of the last answer and of those before it.", [&] {
    m.loop("l", w.lanes, [&](const Expr& l) {
      m.set(data.part(l, bits), mux(last.at(l), values.part(l, bits), lanes.stored.part(l, bits)));
    });
  });
}

}  // namespace

rtl::Module coalescer_answers(const CoalescerParams& p, const std::string& name) {
  const CoalescerWidths w(p);
  rtl::Module m(name, fmt::format("Hands the cache's answers to {} lanes, {} cycles behind the last of an "
                                  "instruction.",
                                  p.lanes, p.answer_stages));
  const AnswerPorts ports = answer_ports(m, p, w);
  TakenAnswer answer = take_answer(m, p, w, ports);
  AnsweredInstruction of = answered_instruction(m, p, w, ports, answer);
  locate(m, p, answer, of);
  const LaneValues lanes = lane_values(m, p, w, answer, of);
  answer_lanes(m, w, ports.lane_response, answer, of, lanes);
  return m;
}

}  // namespace hw
