// Upsets of a protected RAM: bits of the generated RAM's rows flip at random times between writes and reads,
// and each is counted by its effect, with the check and without it.
#include <cstdio>
#include <sstream>

#include "hw/ecc/secded.h"
#include "hw/prim/sram.h"
#include "verif/full_tier.h"
#include "verif/icarus.h"

namespace {

using hw::EccCode;

enum class Upset { one, two_adjacent, two_anywhere };

struct Counts {
  int masked = 0, corrected = 0, detected = 0, silent = 0;
  int silent_unchecked = 0;  // wrong data in the RAM's answer, had nobody checked it
};

constexpr int rows = 64, data_bits = 64;

// After its read a row with an upset is written again, as a cache fetches its line a second time.
std::string bench(EccCode code, Upset upset, int upsets) {
  const bool corrects = code == EccCode::secded;
  const int check = hw::check_bits({.code = code}), bits = data_bits + check;
  const std::string second = upset == Upset::one ? "first"
                             : upset == Upset::two_adjacent
                                 ? fmt::format("(first + 1) % {}", bits)
                                 : fmt::format("(first + 1 + {{$random(seed)}} % {}) % {}", bits - 1, bits);
  return fmt::format(
      R"(module bench;
  reg clk, access, write;
  reg [5:0] row;
  reg [63:0] data, kept [0:63];
  reg [63:0] upset;
  reg [{high}:0] flips;
  wire [{check_high}:0] check;
  wire [{high}:0] stored;
  wire [63:0] answer;
  wire corrected, uncorrectable;
  integer seed, i, first, second, done, masked, fixed, detected, silent, unchecked;
  {ram} ram(.clk(clk), .access(access), .write(write), .row(row), .write_data({{check, data}}),
    .read_data(stored));
  code code(.write_data(data), .write_check(check), .read_data(stored[63:0]), .read_check(stored[{high}:64]),
    {checked}.uncorrectable(uncorrectable));
  {raw}
  task step; begin #1 clk = 1; #1 clk = 0; end endtask
  task fill; begin
    access = 1; write = 1; data = {{$random(seed), $random(seed)}}; kept[row] = data; upset[row] = 0; step;
  end endtask
  initial begin
    clk = 0; seed = 1; upset = 0; done = 0; masked = 0; fixed = 0; detected = 0; silent = 0; unchecked = 0;
    for (i = 0; i < {rows}; i = i + 1) begin row = i; fill; end
    while (done < {upsets}) begin
      row = $random(seed); access = 0;
      case ({{$random(seed)}} % 4)
        0: begin if (upset[row]) begin masked = masked + 1; done = done + 1; end fill; end
        1: if (!upset[row]) begin
          first = {{$random(seed)}} % {bits}; second = {second};
          flips = 0; flips[first] = 1; flips[second] = 1; upset[row] = 1;
          ram.rows[row] = ram.rows[row] ^ flips;
        end
        default: begin
          access = 1; write = 0; step;
          if (!uncorrectable && answer !== kept[row]) silent = silent + 1;
          if (upset[row]) begin
            done = done + 1; fixed = fixed + corrected; detected = detected + uncorrectable;
            unchecked = unchecked + (stored[63:0] !== kept[row]);
            fill;
          end else if (corrected || uncorrectable) silent = silent + 1;
        end
      endcase
    end
    $display("%0d %0d %0d %0d %0d", masked, fixed, detected, silent, unchecked); $finish;
  end
endmodule
)",
      fmt::arg("high", bits - 1), fmt::arg("check_high", check - 1), fmt::arg("rows", rows),
      fmt::arg("upsets", upsets), fmt::arg("bits", bits), fmt::arg("second", second),
      fmt::arg("ram", hw::sram_1rw(rows, bits).name()),
      fmt::arg("checked", corrects ? ".checked_data(answer), .corrected(corrected), " : ""),
      fmt::arg("raw", corrects ? "" : "assign answer = stored[63:0], corrected = 0;"));
}

Counts counted(EccCode code, Upset upset) {
  std::map<std::string, std::string> modules;
  for (const rtl::Module& top :
       {hw::secded({.code = code}, "code"), hw::sram_1rw(rows, data_bits + hw::check_bits({.code = code}))})
    for (const rtl::Module& m : rtl::modules_of(top)) modules[m.name()] = gen::verilog(m);
  const int upsets = verif::full_tier() ? 100'000 : 5'000;
  std::istringstream reported(verif::simulated(modules, bench(code, upset, upsets)));
  Counts n;
  reported >> n.masked >> n.corrected >> n.detected >> n.silent >> n.silent_unchecked;
  EXPECT_TRUE(reported) << reported.str();
  EXPECT_GE(n.masked + n.corrected + n.detected + n.silent, upsets);
  std::printf("%s, %s: masked %d, corrected %d, detected %d, silent %d; silent without the check %d\n",
              code == EccCode::parity ? "parity" : "SECDED",
              upset == Upset::one            ? "one bit"
              : upset == Upset::two_adjacent ? "two adjacent"
                                             : "two anywhere",
              n.masked, n.corrected, n.detected, n.silent, n.silent_unchecked);
  return n;
}

}  // namespace

TEST(Upsets, SecdedCorrectsOneBit) {
  const Counts n = counted(EccCode::secded, Upset::one);
  EXPECT_EQ(n.silent, 0);
  EXPECT_EQ(n.detected, 0);
  EXPECT_GT(n.masked, 0);
  EXPECT_GT(n.silent_unchecked, n.corrected / 2);
}

TEST(Upsets, SecdedDetectsTwoBits) {
  for (const Upset upset : {Upset::two_adjacent, Upset::two_anywhere}) {
    const Counts n = counted(EccCode::secded, upset);
    EXPECT_EQ(n.silent, 0);
    EXPECT_EQ(n.corrected, 0);
    EXPECT_GT(n.silent_unchecked, n.detected / 2);
  }
}

TEST(Upsets, ParityDetectsOneBit) {
  const Counts n = counted(EccCode::parity, Upset::one);
  EXPECT_EQ(n.silent, 0);
  EXPECT_GT(n.silent_unchecked, n.detected / 2);
}

// Beyond its promise, so that the bench is seen to count silence.
TEST(Upsets, ParityIsSilentAboutTwoBits) {
  const Counts n = counted(EccCode::parity, Upset::two_anywhere);
  EXPECT_EQ(n.detected, 0);
  EXPECT_EQ(n.silent, n.silent_unchecked);
  EXPECT_GT(n.silent, n.masked);
}
