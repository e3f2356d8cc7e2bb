// The worked example of protection distances on a whole cache, on the model and on the Verilog: four lines of
// a set come together, and loads follow one by one, of which four find no open way.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "gen/config/config.h"
#include "golden/policy/protected_ways.h"
#include "hw/l1d/l1d.h"
#include "verif/icarus.h"
#include "verif/l1d/golden_bench.h"

namespace {

// Of a load: its line of set 0, the distances of ways 0 to 3 and the open ways as it is looked up, and what
// it comes to. Lines 0 to 3 lie in these ways; what misses later is on its way to the end.
struct Load {
  int line;
  const char* distances;
  unsigned open;
  golden::Result result;
};

using golden::Result;

constexpr Load example[] = {
    {4, "4444", 0x0, Result::bypass}, {2, "3333", 0x0, Result::hit},   {5, "2242", 0x0, Result::bypass},
    {6, "1131", 0x0, Result::bypass}, {7, "0020", 0xb, Result::miss},  {8, "0010", 0xa, Result::miss},
    {9, "0000", 0xc, Result::miss},   {10, "0000", 0x4, Result::miss}, {11, "0000", 0x0, Result::bypass}};

constexpr std::uint64_t apart = 4096;  // lines of one set

hw::L1dParams cache() {
  return gen::load_config("l1d", {"bypass.kind=protection_distance", "probe.ports=true"})
      .get<hw::L1dParams>();
}

std::string shown(const std::string& distances, unsigned open, Result result) {
  return fmt::format("{} {:x} {}\n", distances, open, static_cast<int>(golden::probe_result(result)));
}

std::string expected() {
  std::string text;
  for (const Load& load : example) text += shown(load.distances, load.open, load.result);
  return text;
}

std::string distances_of_set_0(const golden::Policy& policy) {
  golden::StateList list;
  policy.publish(list);
  std::string digits;
  for (const golden::StateValue& way : list.values()) {
    std::vector<golden::StateWord> words(way.words);
    way.read(0, words.data());
    digits += std::to_string(words[0].value);
  }
  return digits;
}

}  // namespace

TEST(ProtectedExample, OnTheModel) {
  const hw::L1dParams p = cache();
  auto owned = golden::Policy::make(p);
  const golden::Policy& policy = *owned;
  verif::CaseBench bench(p, std::move(owned));
  for (std::uint32_t line = 0; line < 4; ++line) bench.load(line, line * apart);
  bench.tick(12);
  for (std::size_t line = 0; line < 4; ++line) bench.answer(line);
  bench.tick(12);
  std::string seen;
  unsigned reserved = 0;
  for (const Load& load : example) {
    const std::string before = distances_of_set_0(policy);
    const unsigned open = policy.open_ways(0) & ~reserved;
    bench.load(16 + static_cast<std::uint32_t>(load.line), static_cast<std::uint64_t>(load.line) * apart);
    while (!bench.cache.last_probe().fired) bench.tick();
    const auto probe = bench.cache.last_probe();
    if (probe.result == Result::miss) reserved |= 1u << probe.place;
    seen += shown(before, open, probe.result);
    bench.tick(8);
  }
  EXPECT_EQ(seen, expected());
  EXPECT_EQ(reserved, 0xfu);
}

TEST(ProtectedExample, InVerilog) {
  std::string loads;
  for (const Load& load : example) loads += fmt::format("    load({});\n", load.line);
  const std::string bench = fmt::format(
      "module bench;\n  reg clk = 0, rst = 1, offers = 0, answers = 0, shows = 0;\n"
      "  reg [31:0] address = 0;\n  reg [7:0] id = 0;\n  reg [8:0] ids [0:31];\n  reg [8:0] answer_id = 0;\n"
      "  integer sent = 0, n;\n  wire taken, answered, asks, probe;\n  wire [8:0] asked_id;\n"
      "  wire [2:0] result;\n"
      "  unit dut(.clk(clk), .rst(rst), .core_request_valid(offers), .core_request_ready(taken),\n"
      "    .core_request_id(id), .core_request_kind(2'd0), .core_request_address(address),\n"
      "    .core_request_mask(4'd15), .core_request_byte_enable(128'd0), .core_request_data(1024'd0),\n"
      "    .core_response_valid(), .core_response_ready(1'b1), .core_response_id(), .core_response_mask(),\n"
      "    .core_response_data(), .memory_request_valid(asks), .memory_request_ready(1'b1),\n"
      "    .memory_request_id(asked_id), .memory_request_kind(), .memory_request_address(),\n"
      "    .memory_request_mask(), .memory_request_byte_enable(), .memory_request_data(),\n"
      "    .memory_response_valid(answers), .memory_response_ready(answered),\n"
      "    .memory_response_id(answer_id), .memory_response_mask(4'd15), .memory_response_data(1024'd0),\n"
      "    .flush_valid(1'b0), .flush_ready(), .probe_valid(probe), .probe_block_address(), .probe_set(),\n"
      "    .probe_miss(), .probe_chunks(), .probe_result(result));\n"
      "  task tick;\n    begin\n      #1;\n"
      "      if (asks) begin ids[sent] = asked_id; sent = sent + 1; end\n"
      "      if (probe & shows) $display(\"%0d%0d%0d%0d %h %0d\", dut.protection.way0.rpd_q[2:0],\n"
      "        dut.protection.way1.rpd_q[2:0], dut.protection.way2.rpd_q[2:0],\n"
      "        dut.protection.way3.rpd_q[2:0], dut.protection.open, result);\n"
      "      #1 clk = 1; #1 clk = 0;\n    end\n  endtask\n"
      "  task load(input integer line);\n    begin\n      offers = 1; address = line * {}; id = line; #1;\n"
      "      while (!taken) tick;\n      tick; offers = 0;\n      if (shows) repeat (12) tick;\n"
      "    end\n  endtask\n"
      "  initial begin\n    tick; rst = 0;\n    for (n = 0; n < 4; n = n + 1) load(n);\n"
      "    repeat (12) tick;\n    answers = 1;\n"
      "    for (n = 0; n < 4; n = n + 1) begin\n      answer_id = ids[n]; #1;\n"
      "      while (!answered) tick;\n      tick;\n    end\n"
      "    answers = 0; repeat (12) tick;\n    shows = 1;\n{}    $finish;\n  end\nendmodule\n",
      apart, loads);
  EXPECT_EQ(verif::simulated(hw::l1d(cache(), "unit").module, bench), expected());
}
