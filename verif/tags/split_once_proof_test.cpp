// Bounded proof that split tags never hold a chunk of a line twice, in a whole cache of small geometry under
// any requests, flushes and back-pressure, with a memory that answers in any order (TSC paper, section 3). A
// chunk that is on its way comes to hold its slot, so that a second place for it shows as soon as both have
// come; what is reserved and doomed never does. Planted faults break it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "gen/print_verilog.h"
#include "gen/units/l1d/l1d.h"
#include "hw/l1d/l1d.h"
#include "verif/formal/prove.h"

namespace {

constexpr int sets = 4, groups = 2, group_slots = 2, slots = groups * group_slots;
constexpr int shared_bits = 10, slot_bits = 2;  // of an address of 20 bits; private tag and position

struct Fault {
  std::string module, from, to;
};

hw::L1dParams small(hw::SplitVictim victim) {
  hw::L1dParams p{.address_bits = 20,
                  .line_bytes = 128,
                  .chunk_bytes = 64,
                  .capacity_bytes = sets * slots * 64,
                  .tags = hw::TagKind::split,
                  .split = {.private_tag_bits = 1, .groups = groups, .victim = victim},
                  .replacement = hw::Replacement::nru,
                  .store_scope = hw::StoreScope::mask,
                  .mshr_entries = 2,
                  .mshr_merges = 1,
                  .miss_queue = 2,
                  .core_id_bits = 1};
  p.index = {.address_bits = p.address_bits, .line_bytes = p.line_bytes, .sets = sets};
  return p;
}

void replace_once(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error(fmt::format("no '{}' in\n{}", from, text));
  text.replace(at, from.size(), to);
}

std::string range(int bits) { return fmt::format("[{}:0] ", bits - 1); }

// The cache's modules, with what the tags hold brought out.
class Opened {
 public:
  explicit Opened(const hw::L1dParams& p) {
    for (const rtl::Module& m : rtl::modules_of(hw::l1d(p, "unit").module)) texts[m.name()] = gen::verilog(m);
    for (int g = 0; g < groups; ++g) ram(fmt::format("shared{}", g), shared_bits);
    for (int s = 0; s < slots; ++s) ram(fmt::format("slot{}", s), slot_bits);
    output("unit_tags", "valid", sets * slots);
    replace_once(texts.at("unit_tags"), "endmodule",
                 fmt::format("  assign see_valid = {};\nendmodule", valid_slots()));
    for (const auto& [name, bits] : seen) {
      output("unit", name, bits);
      replace_once(texts.at("unit"), "unit_tags tags (\n",
                   fmt::format("unit_tags tags (\n    .see_{0}(see_{0}),\n", name));
    }
  }

  std::map<std::string, std::string> texts;
  std::vector<std::pair<std::string, int>> seen;

 private:
  // What the cycle before changed is on its way into the array.
  static std::string valid_slots() {
    std::string text;
    for (int set = sets - 1; set >= 0; --set)
      text += fmt::format(
          "{0}(late_q & (late_set_q == 2'd{1})) ? late_valid_q : (valid_q[{2} +: {3}] | "
          "(fill_slots_q & {{{3}{{fill_q & (fill_set_q == 2'd{1})}}}}))",
          text.empty() ? "" : ", ", set, set * slots, slots);
    return "{" + text + "}";
  }

  void output(const std::string& module, const std::string& name, int bits) {
    replace_once(texts.at(module), " (\n", fmt::format(" (\n  output wire {}see_{},\n", range(bits), name));
    if (module == "unit_tags") seen.emplace_back(name, bits);
  }

  void ram(const std::string& instance, int bits) {
    const std::string module = fmt::format("sram_1r1w_{}x{}_read_old", sets, bits);
    std::string& wrapper = texts.at(module);
    if (wrapper.find("see_rows") == std::string::npos) {
      replace_once(wrapper, " (\n", fmt::format(" (\n  output wire {}see_rows,\n", range(sets * bits)));
      replace_once(wrapper, "endmodule",
                   "  assign see_rows = {rows[3], rows[2], rows[1], rows[0]};\nendmodule");
    }
    output("unit_tags", instance, sets * bits);
    replace_once(texts.at("unit_tags"), fmt::format("{} {} (\n", module, instance),
                 fmt::format("{} {} (\n    .see_rows(see_{}),\n", module, instance, instance));
  }
};

// Two valid slots of one set with one tag and one position.
std::string twice() {
  std::string text = "1'b0";
  const auto tag = [](int set, int s) {
    return fmt::format("{{see_shared{}[{} +: {}], see_slot{}[{} +: {}]}}", s / group_slots, set * shared_bits,
                       shared_bits, s, set * slot_bits, slot_bits);
  };
  for (int set = 0; set < sets; ++set)
    for (int a = 0; a < slots; ++a)
      for (int b = 0; b < a; ++b)
        text += fmt::format("\n    | (see_valid[{}] & see_valid[{}] & ({} == {}))", set * slots + a,
                            set * slots + b, tag(set, a), tag(set, b));
  return text;
}

// Around the cache: requests for a few lines of two sets, and a memory that remembers what it was asked for.
std::string surroundings(const Opened& cache) {
  std::string wires, pins;
  for (const auto& [name, bits] : cache.seen) {
    wires += fmt::format("  wire {}see_{};\n", range(bits), name);
    pins += fmt::format(",\n    .see_{0}(see_{0})", name);
  }
  return fmt::format(
      "module once (input wire clk, input wire request, input wire id, input wire [1:0] kind, input wire "
      "[2:0] line,\n"
      "    input wire [1:0] mask, input wire response_ready, input wire memory_ready, input wire answer,\n"
      "    input wire [1:0] answered, input wire flush, output wire bad);\n"
      "{0}  reg begun = 1'd0;\n  always @(posedge clk) begun <= 1'd1;\n"
      "  wire memory_valid;\n  wire [2:0] memory_id;\n  wire [1:0] memory_kind, memory_mask;\n"
      "  reg [3:0] asked;\n  reg [7:0] masks;\n"
      "  wire fetch = memory_valid & memory_ready & (memory_kind == 2'd0) & ~memory_id[2];\n"
      "  wire fills = answer & asked[answered];\n"
      "  always @(posedge clk) begin\n"
      "    asked <= begun ? (asked & ~({{3'd0, fills}} << answered)) | ({{3'd0, fetch}} << memory_id[1:0]) : "
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
      wires, pins, twice());
}

// As many as the planted faults need: a miss, its fill, and a second miss of the same chunk.
constexpr int cycles = 15;

verif::ProofResult proof(hw::SplitVictim victim, const Fault& fault = {}) {
  Opened cache(small(victim));
  if (!fault.from.empty()) replace_once(cache.texts.at(fault.module), fault.from, fault.to);
  verif::Property property{.top = "once",
                           .verilog = {surroundings(cache)},
                           .bounded_cycles = cycles,
                           .undefined_is_free = true,
                           .timeout = std::chrono::seconds(600)};
  for (const auto& [name, text] : cache.texts) property.verilog.push_back(text);
  return verif::prove(property);
}

void expect_sound(hw::SplitVictim victim) {
  const auto result = proof(victim);
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{} cycles: {:.1f} s\n", cycles, result.seconds);
}

}  // namespace

TEST(SplitOnceProof, NoChunkTwiceWithVictimsByChunk) { expect_sound(hw::SplitVictim::chunk); }

TEST(SplitOnceProof, NoChunkTwiceWithVictimsByGroup) { expect_sound(hw::SplitVictim::group); }

TEST(SplitOnceProof, PlantedFaultsBreakIt) {
  for (const Fault& fault : {Fault{"unit_tags", "fresh = new_slots & ", "fresh = 4'd0 & new_slots & "},
                             Fault{"unit_tags", "bypass_slot_q <= new_slots & {4{allocate",
                                   "bypass_slot_q <= new_slots & {4{1'd0 & allocate"}}) {
    const auto result = proof(hw::SplitVictim::chunk, fault);
    EXPECT_EQ(result.outcome, verif::Outcome::counterexample) << fault.from << "\n" << result.message;
    fmt::print("{}: {:.1f} s, {}\n", fault.to, result.seconds, result.message);
  }
}
