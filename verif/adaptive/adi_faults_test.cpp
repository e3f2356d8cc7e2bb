// The lock step of the adaptive-indexing monitor can fail: copies with one thing broken, every one of which
// must be found. All stand in one Verilated top, which shows one of them at a time.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/process.h"
#include "verif/adaptive/sample.h"

namespace {

constexpr hw::AdiMonitorParams params{
    .address_bits = 20, .sets = 16, .period = 16, .counter_bits = 4, .idle = 5};

struct Fault {
  std::string what, part, from, to;  // `part`: the end of the module's name
};

const std::vector<Fault> faults = {
    {"sound", "", "", ""},
    {"misses_not_asked_for", "", "& probe_valid & probe_miss", "& probe_valid & (probe_miss | 1'd1)"},
    {"period_one_short", "", "4'd4 : 4'd15", "4'd4 : 4'd14"},
    {"idle_one_long", "", "4'd4 : 4'd15", "4'd5 : 4'd15"},
    {"candidates_not_awaited", "", "if (arranged) begin", "if (victim_found) begin"},
    {"flush_not_awaited", "", "~flush_q | flush_ready", "1'd1 | flush_ready"},
    {"flush_always", "", "winner_done ? winner_moves", "winner_done ? (winner_moves | 1'd1)"},
    {"sel_of_another_victim", "", "if (victim[2])", "if (victim[1])"},
    {"winner_is_not_taken", "", "sel1_q <= winner", "sel1_q <= sel1_q"},
    {"index_of_another_bit", "", "byte_address[sel3_q]", "byte_address[sel2_q]"},
    {"pair_of_other_bits", "_victimization", "~(index_bits[1] ^ index_bits[2])",
     "~(index_bits[0] ^ index_bits[2])"},
    {"entropy_without_minimum", "_victimization", "? rest : reading", "? reading : reading"},
    {"tie_goes_to_the_later_bit", "_victimization", "if (less & ~pairs_q)",
     "if ((less | (least_q == lowest_entropy_q)) & ~pairs_q)"},
    {"tie_goes_to_the_pair_last", "_victimization", "if (less & pairs_q)",
     "if ((less | (least_q == lowest_pair_q)) & pairs_q)"},
    {"entropy_wins_a_tie", "_victimization", "lowest_entropy_q < lowest_pair_q",
     "lowest_entropy_q <= lowest_pair_q"},
    {"upper_bit_of_the_pair", "_victimization", "? pair_j_q : pair_i_q", "? pair_i_q : pair_j_q"},
    {"pairs_left_out", "_victimization", "looks_q & pairs_q & i_q[2]", "looks_q & pairs_q & i_q[1]"},
    {"counters_not_cleared", "_victimization", "end else if (clear) begin",
     "end else if (clear & 1'd0) begin"},
    {"first_sample_counts", "_selection", "sample_q & valid_q[entry]", "sample_q & (valid_q[entry] | 1'd1)"},
    {"entries_stay_valid", "_selection", "valid_q <= 8'h0;\n    end else if (sample_q)",
     "end else if (sample_q)"},
    {"victim_is_no_candidate", "_selection", "(|is_sel) & ~at_victim", "|is_sel"},
    {"victim_loses_a_tie", "_selection", "(most_q == reading_q) & ", "1'd0 & (most_q == reading_q) & "},
    {"last_wins_a_tie", "_selection", "most_q < reading_q", "most_q <= reading_q"},
    {"entry_of_another_index", "_selection", "(|victim[1:0])", "(|victim[2:0])"},
    {"candidate_of_another_place", "_selection", "gap2_q <= slot_q", "gap2_q <= slot_q + 4'd1"},
    {"last_sample_not_awaited", "_selection", "search & ~(sample_q | counting_q)", "search & ~sample_q"},
};

// The modules of a copy, its names ending in the fault's number.
std::string broken(const Fault& fault, int number) {
  std::string all;
  bool planted = fault.from.empty();
  const std::string name = fmt::format("copy{}", number);
  for (const rtl::Module& m : rtl::modules_of(hw::adi_monitor(params, name).module)) {
    if (m.name().starts_with("register_file")) continue;
    std::string text = gen::verilog(m);
    if (const auto at = text.find(fault.from, text.find(");"));
        m.name() == name + fault.part && !fault.from.empty()) {
      if (at == std::string::npos)
        throw std::runtime_error(fmt::format("no '{}' to break in\n{}", fault.from, text));
      text.replace(at, fault.from.size(), fault.to);
      planted = true;
    }
    all += text;
  }
  if (!planted) throw std::runtime_error(fmt::format("{}: no module {}", fault.what, fault.part));
  return all;
}

gen::ProgramSource program() {
  gen::ProgramSource source = verif::adi_program(params, "sound");
  source.name = source.top = "adi_faults";
  source.lint = false;  // a fault may leave a bit unread
  const int bits = hw::index_bits(params), width = hw::sel_bits(params),
            count = static_cast<int>(faults.size());
  const std::string wires = fmt::format("[{}:0]", count * width - 1);
  std::string ports, body, pins;
  for (int i = 0; i < bits; ++i) {
    ports += fmt::format(", output wire [{}:0] sel{}", width - 1, i);
    body += fmt::format("  wire {0} all_sel{1};\n  assign sel{1} = all_sel{1}[fault * {2} +: {2}];\n", wires,
                        i, width);
  }
  body += fmt::format("  wire [{}:0] all_valid;\n  assign flush_valid = all_valid[fault];\n", count - 1);
  for (int k = 0; k < count; ++k) {
    source.verilog[fmt::format("copy{}.v", k)] = broken(faults[k], k);
    pins.clear();
    for (int i = 0; i < bits; ++i)
      pins += fmt::format(", .sel{0}(all_sel{0}[{1} +: {2}])", i, k * width, width);
    body += fmt::format(
        "  copy{0} unit{0} (.clk(clk), .rst(rst), .probe_valid(probe_valid), "
        ".probe_block_address(probe_block_address), "
        ".probe_miss(probe_miss), .flush_ready(flush_ready), .flush_valid(all_valid[{0}]){1});\n",
        k, pins);
  }
  source.verilog["adi_faults.v"] = fmt::format(
      "module adi_faults (input wire clk, input wire rst, input wire probe_valid, input wire [{}:0] "
      "probe_block_address, "
      "input wire probe_miss, input wire flush_ready, output wire flush_valid, input wire [31:0] "
      "fault{});\n{}endmodule\n",
      hw::block_address_bits(params) - 1, ports, body);
  source.main = fmt::format(
      "#include <cstdio>\n#include \"Vdut.h\"\n#include \"verif/lockstep/units/adi_cosim.h\"\n\nnamespace "
      "{{\n"
      "struct Copy : Vdut {{\n  static inline int number = 0;\n  Copy() {{ fault = number; }}\n}};\n"
      "constexpr hw::AdiMonitorParams params = {};\n"
      "int run(const verif::CosimOptions& o) {{\n  for (Copy::number = 0; Copy::number < {}; "
      "++Copy::number)\n"
      "    std::printf(\"%d\", int(verif::AdiCosim<Copy, params>(o, nullptr).run().mismatches.size()));\n"
      "  return 0;\n}}\n}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, "
      "argv, run); }}\n",
      gen::cpp_params("AdiMonitorParams", params), count);
  return source;
}

}  // namespace

TEST(AdiFaults, EveryBrokenCopyIsFound) {
  const gen::TempDir work("adi_faults");
  gen::write_file_atomically(
      work / "options.json",
      nlohmann::json{{"top", "adi_faults"}, {"random_cycles", 60'000}, {"seed", 7}}.dump());
  const auto done =
      gen::run({.argv = {gen::build_program(program()).string(), (work / "options.json").string()}});
  ASSERT_EQ(done.status, 0) << done.output;
  ASSERT_EQ(done.output.size(), faults.size()) << done.output;
  for (std::size_t k = 0; k < faults.size(); ++k)
    EXPECT_EQ(done.output[k], faults[k].what == "sound" ? '0' : '1') << faults[k].what;
  fmt::print("{} faults planted, {} found\n", faults.size() - 1, std::ranges::count(done.output, '1'));
}
