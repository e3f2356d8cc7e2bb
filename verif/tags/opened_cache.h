// A small L1 data cache for bounded proofs: its modules with what its tag store holds brought out, and around
// it any requests for a few lines of two sets, flushes and back-pressure, with a memory that answers in any
// order.
#pragma once
#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hw/l1d/l1d.h"
#include "verif/formal/inside.h"
#include "verif/formal/prove.h"
#include "verif/mutate/injected_faults.h"

namespace verif {

class OpenedCache {
 public:
  static constexpr int sets = 4;

  // The part of the parameters that the environment relies on.
  static hw::L1dParams small() {
    hw::L1dParams p{.address_bits = 20,
                    .line_bytes = 128,
                    .chunk_bytes = 64,
                    .mshr_entries = 2,
                    .mshr_merges = 1,
                    .miss_queue = 2,
                    .core_id_bits = 1};
    p.index = {.address_bits = p.address_bits, .line_bytes = p.line_bytes, .sets = sets};
    return p;
  }

  OpenedCache(const hw::L1dParams& p, const Fault* fault)
      : texts_(texts_of(hw::l1d(p, "unit").module, fault)) {}

  // Shows an expression of the tag store as see_`name`.
  void see(const std::string& name, int bits, const std::string& expression) {
    bring_out(texts_.at("unit_tags"), name, bits, expression);
    output(name, bits);
  }

  // Shows the rows of a RAM of the tag store as see_`instance`.
  void see_ram(const std::string& instance, int bits) {
    const std::string module = opened_ram(bits);
    add_output(texts_.at("unit_tags"), instance, sets * bits);
    output(instance, sets * bits);
    connect(texts_.at("unit_tags"), fmt::format("{} {}", module, instance), "rows", instance);
  }
  // The same of the RAMs of a generate loop, side by side.
  void see_rams(const std::string& instance, int count, int bits) {
    const std::string module = opened_ram(bits);
    add_output(texts_.at("unit_tags"), instance, count * sets * bits);
    output(instance, count * sets * bits);
    connect_each(texts_.at("unit_tags"), fmt::format("{} {}", module, instance), "rows", instance,
                 sets * bits);
  }
  // A row of one of them.
  static std::string row_of(const std::string& instance, int number, int set, int bits) {
    return fmt::format("see_{}[{} +: {}]", instance, (number * sets + set) * bits, bits);
  }

  // That `bad`, an expression of what is seen, is never true.
  ProofResult never(const std::string& bad, int cycles) const {
    Property property{.top = "whole",
                      .verilog = {environment(bad)},
                      .bounded_cycles = cycles,
                      .undefined_is_free = true,
                      .timeout = std::chrono::seconds(600)};
    for (const auto& [name, text] : texts_) property.verilog.push_back(text);
    return prove(property);
  }

  static std::string range(int bits) { return fmt::format("[{}:0] ", bits - 1); }

 private:
  // The wrapper of the RAM with its rows as an output.
  std::string opened_ram(int bits) {
    const std::string module = fmt::format("sram_1r1w_{}x{}_read_old", sets, bits);
    std::string& wrapper = texts_.at(module);
    if (wrapper.find("see_rows") == std::string::npos)
      bring_out(wrapper, "rows", sets * bits, "{rows[3], rows[2], rows[1], rows[0]}");
    return module;
  }

  void output(const std::string& name, int bits) {
    add_output(texts_.at("unit"), name, bits);
    connect(texts_.at("unit"), "unit_tags tags", name, name);
    seen_.emplace_back(name, bits);
  }

  // A memory that remembers its requests.
  std::string environment(const std::string& bad) const {
    std::string wires, pins;
    for (const auto& [name, bits] : seen_) {
      wires += fmt::format("  wire {}see_{};\n", range(bits), name);
      pins += fmt::format(",\n    .see_{0}(see_{0})", name);
    }
    return fmt::format(
        "module whole (input wire clk, input wire request, input wire id, input wire [1:0] kind, input wire "
        "[2:0] line,\n"
        "    input wire [1:0] mask, input wire response_ready, input wire memory_ready, input wire answer,\n"
        "    input wire [1:0] answered, input wire flush, output wire bad);\n"
        "{0}  reg begun = 1'd0;\n  always @(posedge clk) begun <= 1'd1;\n"
        "  wire memory_valid;\n  wire [2:0] memory_id;\n  wire [1:0] memory_kind, memory_mask;\n"
        "  reg [3:0] asked;\n  reg [7:0] masks;\n"
        "  wire fetch = memory_valid & memory_ready & (memory_kind == 2'd0) & ~memory_id[2];\n"
        "  wire fills = answer & asked[answered];\n"
        "  always @(posedge clk) begin\n"
        "    asked <= begun ? (asked & ~({{3'd0, fills}} << answered)) | ({{3'd0, fetch}} << memory_id[1:0]) "
        ": "
        "4'd0;\n"
        "    if (fetch) masks[memory_id[1:0] * 2 +: 2] <= memory_mask;\n  end\n"
        "  unit dut (.clk(clk), .rst(~begun), .core_request_valid(request & (|mask)), .core_request_id(id),\n"
        "    .core_request_kind(kind), .core_request_address({{9'd0, line[2:1], 1'd0, line[0], 7'd0}}), "
        ".core_request_mask(mask),\n"
        "    .core_request_byte_enable(128'd0), .core_request_data(1024'd0), "
        ".core_response_ready(response_ready),\n"
        "    .memory_request_valid(memory_valid), .memory_request_ready(memory_ready), "
        ".memory_request_id(memory_id),\n"
        "    .memory_request_kind(memory_kind), .memory_request_mask(memory_mask), "
        ".memory_response_valid(fills),\n"
        "    .memory_response_id({{1'd0, answered}}), .memory_response_mask(masks[answered * 2 +: 2]),\n"
        "    .memory_response_data(1024'd0), .flush_valid(flush){1});\n"
        "  assign bad = begun & ({2});\nendmodule\n",
        wires, pins, bad);
  }

  std::map<std::string, std::string> texts_;
  std::vector<std::pair<std::string, int>> seen_;
};

}  // namespace verif
