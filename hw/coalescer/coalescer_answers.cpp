// The answer half of a coalescer: a line is taken in one cycle, its lanes' bytes are found in the next, and
// the instruction is answered in the one after if that was its last.
#include <fmt/format.h>

#include "hw/coalescer/coalescer_parts.h"
#include "hw/coalescer/lane_bytes.h"
#include "hw/coalescer/lane_fields.h"
#include "hw/prim/register_file.h"
#include "hw/prim/sram.h"

namespace hw {
namespace {

using rtl::any, rtl::cat, rtl::Expr, rtl::lit, rtl::mux, rtl::replicate, rtl::Stream;

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

class AnswersBuilder {
 public:
  AnswersBuilder(const CoalescerParams& p, const std::string& name)
      : p_(p),
        w_(p),
        m_(name, fmt::format("Hands the cache's answers to {} lanes, two cycles behind the last of an "
                             "instruction.",
                             p.lanes)) {}

  rtl::Module run() {
    ports();
    take();
    instruction();
    lanes();
    answer();
    return m_;
  }

 private:
  void ports() {
    core_response_ =
        rtl::input_stream(m_, "core_response", coalesced_response_fields(p_), "an answer of the cache");
    lane_response_ =
        rtl::output_stream(m_, "lane_response", lane_response_fields(p_), "the answer to an instruction");
    sent_ = m_.input("sent", 1, "a request leaves");
    sent_id_ = m_.input("sent_id", p_.core_id_bits, "id of the request");
    sent_awaited_ = m_.input("sent_awaited", 1, "lanes wait for the request's answer");
    sent_slot_ = m_.input("sent_slot", w_.slot, "number of the request's instruction");
    sent_lanes_ = m_.input("sent_lanes", w_.lanes, "lanes of the request");
    opened_ = m_.input("opened", 1, "an instruction begins");
    opened_slot_ = m_.input("opened_slot", w_.slot, "number of the instruction that begins");
    opened_shape_ = m_.input("opened_shape", w_.shape, "the instruction's mask, size and offsets");
    opened_count_ = m_.input("opened_count", w_.count, "number of the instruction's requests");
  }

  void take() {
    m_.section("The answer as taken.");
    moves_ = m_.let("moves", ~lane_valid() | lane_response_.ready, "the ranks of answers move on");
    valid_ = m_.reg("answer_valid_q", 1, 0, "there is an answer of the cache");
    m_.assign(core_response_.ready, ~valid_ | moves_);
    const Expr taken = m_.let("taken", core_response_.valid & core_response_.ready, "an answer is taken");
    line_ = m_.data_reg("line_q", 8 * p_.line_bytes, "the line of the answer");
    m_.unused("unused_mask", core_response_["mask"], "the answer has all requested chunks");
    m_.clocked("Whether an answer was taken.",
               [&] { m_.when(core_response_.ready, [&] { m_.set(valid_, core_response_.valid); }); });
    m_.clocked("The line of the answer.",
               [&] { m_.when(taken, [&] { m_.set(line_, core_response_["data"]); }); });
    const int width = 1 + w_.slot + w_.lanes;
    const Expr row = m_.wire("row", width, "kept fields of the answered request");
    m_.instance(sram_1r1w(1 << p_.core_id_bits, width), "requests",
                {{"read", taken},
                 {"read_row", core_response_["id"]},
                 {"read_data", row},
                 {"write", sent_},
                 {"write_row", sent_id_},
                 {"write_data", cat({sent_awaited_, sent_slot_, sent_lanes_})}},
                "Requests that the cache has not answered, by their ids.");
    awaited_ = m_.let("awaited", valid_ & row.bit(width - 1), "lanes wait for the answer");
    slot_ = m_.let("slot", row.slice(width - 2, w_.lanes), "number of the instruction that is answered");
    lanes_ = row.slice(w_.lanes - 1, 0);
  }
  Expr lane_valid() {
    answered_ = m_.reg("lane_valid_q", 1, 0, "an instruction is answered");
    return answered_;
  }

  void instruction() {
    m_.section("The instruction of the answer.");
    const Expr shape = m_.wire("shape", w_.shape, "the instruction's mask, size and offsets");
    m_.instance(register_file(p_.instructions, w_.shape), "shapes",
                {{"write", opened_},
                 {"write_row", opened_slot_},
                 {"write_data", opened_shape_},
                 {"read_row", slot_},
                 {"read_data", shape}},
                "Instructions in flight.");
    int high = w_.shape;
    const auto next = [&](const char* name, int bits, const char* doc) {
      high -= bits;
      return bits ? m_.let(name, shape.slice(high + bits - 1, high), doc) : Expr{};
    };
    mask_ = next("mask", w_.lanes, "active lanes of the instruction");
    wide_ = next("wide", w_.halvings, "bit s: lanes have more than 2^s bytes");
    words_ = next("words", w_.lanes * w_.word, "word of each lane in its line");
    lows_ = next("lows", w_.lanes * w_.low, "position of each lane in its word");
    const Expr left =
        m_.data_reg("left_q", p_.instructions * w_.count, "answers that each instruction waits for");
    const Expr own = m_.let("left", left.part(slot_, w_.count), "answers that the instruction waits for");
    last_ = m_.let("last", awaited_ & (own == lit(w_.count, 1)), "the instruction waits for no other answer");
    m_.clocked("An instruction that begins has no answer yet, so the two are never the same.", [&] {
      m_.when(opened_, [&] { m_.set(left.part(opened_slot_, w_.count), opened_count_); });
      m_.when(awaited_ & moves_, [&] { m_.set(left.part(slot_, w_.count), own - lit(w_.count, 1)); });
    });
  }

  void lanes() {
    m_.section("The lanes of the answer.");
    read_ = m_.wire("lane_values", w_.data, "value of each lane in the line");
    const rtl::Module one = lane_of_line(p_, w_, m_.name() + "_lane");
    m_.repeat("lane_value", w_.lanes, "A lane each.", [&](const Expr& l) {
      rtl::Pins pins{
          {"line", line_}, {"word", words_.part(l, w_.word)}, {"data", read_.part(l, 8 * w_.bytes)}};
      if (w_.low) pins.insert(pins.end(), {{"wide", wide_}, {"low", lows_.part(l, w_.low)}});
      m_.instance(one, "value", pins, "The lane's bytes.");
    });
    finishes_ = m_.let("finishes", last_ & moves_, "the instruction has all its answers");
    const Expr kept = m_.let("kept", lanes_ & replicate(w_.lanes, awaited_ & moves_ & ~last_),
                             "lanes whose values wait for other answers");
    stored_ = m_.wire("stored", w_.data, "values of each lane that came before the last answer");
    const rtl::Module ram = sram_1r1w(p_.instructions, 8 * w_.bytes);
    m_.repeat("lane_store", w_.lanes, "A lane each.", [&](const Expr& l) {
      m_.instance(ram, "of_instructions",
                  {{"read", finishes_},
                   {"read_row", slot_},
                   {"read_data", stored_.part(l, 8 * w_.bytes)},
                   {"write", kept.at(l)},
                   {"write_row", slot_},
                   {"write_data", read_.part(l, 8 * w_.bytes)}},
                  "The lane's values of instructions that wait.");
    });
  }

  // The lanes of the last answer are taken from registers: their RAMs could only be read a cycle later.
  void answer() {
    m_.section("The answer to the lanes.");
    const Expr id = m_.data_reg("lane_id_q", w_.slot, "number of the instruction");
    const Expr mask = m_.data_reg("lane_mask_q", w_.lanes, "active lanes of the instruction");
    const Expr last = m_.data_reg("last_lanes_q", w_.lanes, "lanes of its last answer");
    const Expr values = m_.data_reg("last_values_q", w_.data, "values of those lanes");
    m_.clocked("Whether one is answered.", [&] { m_.when(moves_, [&] { m_.set(answered_, last_); }); });
    m_.clocked("The answer.", [&] {
      m_.when(finishes_, [&] {
        m_.set(id, slot_);
        m_.set(mask, mask_);
        m_.set(last, lanes_);
        m_.set(values, read_);
      });
    });
    m_.assign(lane_response_.valid, answered_);
    m_.assign(lane_response_["id"], id);
    m_.assign(lane_response_["mask"], mask);
    const Expr data = lane_response_["data"];
    m_.comb("Values of the last answer and of those before it.", [&] {
      m_.loop("l", w_.lanes, [&](const Expr& l) {
        m_.set(data.part(l, 8 * w_.bytes),
               mux(last.at(l), values.part(l, 8 * w_.bytes), stored_.part(l, 8 * w_.bytes)));
      });
    });
  }

  const CoalescerParams& p_;
  const CoalescerWidths w_;
  rtl::Module m_;
  Stream core_response_, lane_response_;
  Expr sent_, sent_id_, sent_awaited_, sent_slot_, sent_lanes_;
  Expr opened_, opened_slot_, opened_shape_, opened_count_;
  Expr valid_, answered_, moves_, line_, awaited_, slot_, lanes_;
  Expr mask_, wide_, words_, lows_, last_, finishes_, read_, stored_;
};

}  // namespace

rtl::Module coalescer_answers(const CoalescerParams& p, const std::string& name) {
  return AnswersBuilder(p, name).run();
}

}  // namespace hw
