// What a coalescer of 4 lanes owes to one lane of one instruction, any of them, as properties for a proof.
// The cache answers requests in flight in any order and with any data, and the lanes keep the rules of the
// contract.
#pragma once
#include <fmt/format.h>

#include <map>
#include <string>

#include "hw/coalescer/coalescer.h"
#include "verif/formal/inside.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace verif {

// Addresses have so many free bits of their line, from the lowest on, and of their offset; the others are 0.
// Four lines are enough for four lanes to be on equal and different ones in every way.
struct CoalescerSample {
  int line_bits = 2, offset_bits = 5;
  bool one_bit_of_data = false;  // of each byte of an answer the lowest bit alone is free
  int lane = -1;                 // -1: any
};

inline Property coalescer_property(const std::string& claim, int stages, const CoalescerSample& sample,
                                   const Fault* fault = nullptr) {
  constexpr int lanes = 4, address_bits = 20, offset = 5;
  hw::CoalescerParams p;
  p.lanes = lanes;
  p.lane_bytes = 1;
  p.instructions = 2;
  p.stages = stages;
  p.core_id_bits = 1;
  p.line_bytes = 32;
  p.chunk_bytes = 8;
  p.address_bits = address_bits;
  std::map<std::string, std::string> texts = texts_of(hw::coalescer(p, "unit"), fault);
  bring_out(texts.at("unit"), "sent_lanes", lanes);
  const auto zeros = [](int bits) { return bits ? fmt::format("{}'b0, ", bits) : ""; };
  std::string addresses;
  for (int l = lanes - 1; l >= 0; --l)
    addresses += fmt::format("{}{}line{}, {}offset{}", addresses.empty() ? "" : ", ",
                             zeros(address_bits - offset - sample.line_bits), l,
                             zeros(offset - sample.offset_bits), l);
  std::string inputs;
  for (int l = 0; l < lanes; ++l)
    inputs += fmt::format("    input wire [{}:0] line{}, input wire [{}:0] offset{},\n", sample.line_bits - 1,
                          l, sample.offset_bits - 1, l);
  const std::string data = sample.one_bit_of_data ? "any_data & {32{8'h01}}" : "any_data";
  const std::string lane = sample.lane < 0 ? "any_lane" : fmt::format("2'd{}", sample.lane);
  const std::string text = fmt::format(
      R"(module property (input wire clk, input wire [1:0] any_lane, input wire watch,
{0}    input wire asks, input wire ask_id, input wire [1:0] ask_kind, input wire [3:0] ask_mask,
    input wire [31:0] ask_data, input wire lanes_ready, input wire cache_ready, input wire answers,
    input wire answer_id, input wire [3:0] answer_mask, input wire [255:0] any_data, output wire bad);
  wire [79:0] addresses = {{{1}}};
  wire [255:0] answer_data = {2};
  wire ask_ready, sends, send_id, send_first, answer_ready, returns, return_id;
  wire [1:0] send_kind;
  wire [19:0] send_address;
  wire [3:0] send_mask, return_mask, sent_lanes;
  wire [31:0] send_bytes, return_data;
  wire [255:0] send_data;
  wire [5:0] send_degree;

  // The environment: ids that are not in use, and answers to requests in flight.
  reg started = 0;
  reg [1:0] lane = 0, busy = 0, flight = 0;
  wire ask_valid = started & asks & (|ask_mask) & ~busy[ask_id];
  wire answer_valid = started & answers & flight[answer_id];
  unit dut (.clk(clk), .rst(~started), .lane_request_valid(ask_valid), .lane_request_ready(ask_ready),
    .lane_request_id(ask_id), .lane_request_kind(ask_kind), .lane_request_mask(ask_mask),
    .lane_request_address(addresses), .lane_request_size(1'b0), .lane_request_data(ask_data),
    .lane_response_valid(returns), .lane_response_ready(lanes_ready), .lane_response_id(return_id),
    .lane_response_mask(return_mask), .lane_response_data(return_data), .core_request_valid(sends),
    .core_request_ready(cache_ready), .core_request_id(send_id), .core_request_kind(send_kind),
    .core_request_address(send_address), .core_request_mask(send_mask),
    .core_request_byte_enable(send_bytes), .core_request_data(send_data), .core_request_degree(send_degree),
    .core_request_first(send_first), .core_response_valid(answer_valid),
    .core_response_ready(answer_ready), .core_response_id(answer_id), .core_response_mask(answer_mask),
    .core_response_data(answer_data), .see_sent_lanes(sent_lanes));
  wire taken = ask_valid & ask_ready, sent = started & sends & cache_ready;
  wire answered = answer_valid & answer_ready, returned = started & returns & lanes_ready;

  // The lane of one instruction: how many are in front, what it asks for, and what came for it.
  reg held = 0, finished = 0, asked = 0, came = 0, done = 0, id = 0, request_id = 0;
  reg [19:0] address = 0;
  reg [1:0] kind = 0;
  reg [7:0] value = 0, written = 0;
  reg [2:0] inside = 0, ahead = 0, rest = 0;
  wire [2:0] left = send_first ? send_degree[2:0] : rest;
  wire last = sent & (left == 3'd1);
  wire [2:0] others = inside - {{2'b0, last}};
  wire begins = taken & watch & ~held & ask_mask[lane];
  wire ours = held & ~finished & (ahead == 3'd0) & sent, mine = sent_lanes[lane];
  wire comes = answered & asked & ~came & (answer_id == request_id);
  wire back = returned & held & ~done & (kind != 2'd1) & (return_id == id);
  always @(posedge clk) begin
    started <= 1;
    if (~started) lane <= {3};
    else begin
      inside <= others + {{2'b0, taken}};
      if (sent) rest <= left - 3'd1;
      busy <= (busy & ~({{1'b0, returned}} << return_id)) | ({{1'b0, taken & (ask_kind != 2'd1)}} << ask_id);
      flight <= (flight & ~({{1'b0, answered}} << answer_id)) | ({{1'b0, sent}} << send_id);
      if (begins) begin
        held <= 1;
        address <= addresses[20 * lane +: 20];
        id <= ask_id;
        kind <= ask_kind;
        written <= ask_data[8 * lane +: 8];
        ahead <= others;
      end else if (last & (|ahead)) ahead <= ahead - 3'd1;
      if (ours & last) finished <= 1;
      if (ours & mine) begin
        asked <= 1;
        request_id <= send_id;
      end
      if (comes) begin
        came <= 1;
        value <= answer_data[8 * address[4:0] +: 8];
      end
      if (back) done <= 1;
    end
  end

  wire same_line = send_address[19:5] == address[19:5];
  wire writes = kind[0] ^ kind[1];
  wire its_byte = writes ? send_bytes[address[4:0]] : ~(|send_bytes);
  wire its_value = (kind != 2'd2) | (send_data[8 * address[4:0] +: 8] == written);
  // One request of the instruction has the lane.
  wire once = ~ours | ((~mine | ~asked) & (~last | asked | mine));
  // That request has the lane's line, sector and byte, and what an atomic writes.
  wire right = ~(ours & mine) |
               (same_line & ~(|send_address[4:0]) & send_mask[address[4:3]] & (send_kind == kind) &
                its_byte & its_value);
  // But for atomics, no other request of the instruction asks for its line.
  wire alone = ~ours | (kind == 2'd2) | (same_line == mine);
  // The lane gets the byte of its address, of the answer to that request.
  wire gets = ~back | (came & return_mask[lane] & (return_data[8 * lane +: 8] == value));
  assign bad = started & ~({4});
endmodule
)",
      inputs, addresses, data, lane, claim);
  Property property{
      .top = "property", .verilog = {text}, .bounded_cycles = fault ? 12 : 0, .undefined_is_free = true};
  for (const auto& [name, module] : texts) property.verilog.push_back(module);
  return property;
}

}  // namespace verif
