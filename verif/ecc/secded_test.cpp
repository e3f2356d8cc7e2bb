// Code words of protected RAMs: the code's distance and its published weights in golden; every error of one
// and of two bits in hardware, without the model; lock step, refusals, injected faults.
#include "hw/ecc/secded.h"

#include "gen/unit/unit.h"
#include "golden/ecc/secded.h"
#include "hw/require.h"
#include "verif/icarus.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::CodeWord, golden::Secded;
using hw::EccCode;
using rtl::Expr;
using verif::inverted, verif::low, verif::Nets, verif::other;

std::string refusal(const std::string& setting) {
  try {
    gen::elaborate(gen::load_config("secded", {setting}));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// Ones of the parity-check matrix, those of the check bits among them.
int ones(int data_bits) {
  const Secded code(EccCode::secded, data_bits);
  int n = code.check_bits();
  for (const std::uint32_t column : code.columns()) n += std::popcount(column);
  return n;
}

// Data that fills the width and is not symmetric.
std::uint64_t sample(int data_bits) { return 0xd1b5'4a32'd192'ed03u & ~std::uint64_t{0} >> (64 - data_bits); }

// All widths in the full tests, else those around which the number of check bits changes.
std::vector<int> widths() {
  std::vector<int> all;
  for (int k = 4; k <= 64; ++k)
    if (verif::full_tier() || k <= 5 || k == 11 || k == 26 || k == 57 || k == 64) all.push_back(k);
  return all;
}

// Drives all errors of one and two bits, and none, into a unit of each width, and counts answers that
// break the promise.
std::string exhaustive_bench(EccCode code) {
  const bool corrects = code == EccCode::secded;
  std::string units, runs;
  for (const int k : widths()) {
    const int r = hw::check_bits({.code = code, .data_bits = k}), n = k + r;
    units += fmt::format(
        "  reg [{0}:0] d{2}; reg [{1}:0] f{2}; wire [{3}:0] c{2}; wire [{0}:0] q{2}; wire s{2}, u{2};\n"
        "  code{2} x{2}(.write_data(d{2}), .write_check(c{2}), .read_data(d{2} ^ f{2}[{0}:0]),\n"
        "    .read_check(c{2} ^ f{2}[{1}:{2}]), .uncorrectable(u{2}){4});\n",
        k - 1, n - 1, k, r - 1, corrects ? fmt::format(", .checked_data(q{0}), .corrected(s{0})", k) : "");
    if (!corrects) units += fmt::format("  assign q{0} = d{0} ^ f{0}[{1}:0], s{0} = 0;\n", k, k - 1);
    runs += fmt::format(
        "    d{0} = 64'hd1b54a32d192ed03;\n"
        "    for (a = 0; a <= {1}; a = a + 1) for (b = a; b <= {1}; b = b + 1) begin\n"
        "      f{0} = 0; if (a < {1}) f{0}[a] = 1; if (b < {1} && b != a) f{0}[b] = 1; #1;\n"
        "      flips = (a < {1}) + (b < {1} && b != a); total = total + 1;\n"
        "      if ({2}) begin broken = broken + 1; $display(\"%0d bits: %0d, %0d\", {0}, a, b); end\n"
        "    end\n",
        k, n,
        corrects ? fmt::format("flips < 2 ? u{0} || q{0} !== d{0} || s{0} !== (flips == 1) "
                               ": !u{0} || s{0}",
                               k)
                 : fmt::format("flips < 2 && u{0} !== (flips == 1)", k));
  }
  return fmt::format(
      "module bench;\n  integer a, b, flips, total, broken;\n{}  initial begin\n    total = 0; broken = "
      "0;\n{}"
      "    $display(\"%0d errors, %0d broken\", total, broken); $finish;\n  end\nendmodule\n",
      units, runs);
}

std::string exhaustive(EccCode code) {
  std::map<std::string, std::string> modules;
  for (const int k : widths())
    for (const rtl::Module& m :
         rtl::modules_of(hw::secded({.code = code, .data_bits = k}, fmt::format("code{}", k))))
      modules[m.name()] = gen::verilog(m);
  return verif::simulated(modules, exhaustive_bench(code));
}

// Pairs a <= b of the bits of a word and none, of these widths.
std::string none_broken(EccCode code) {
  int total = 0;
  for (const int k : widths()) {
    const int n = Secded(code, k).bits();
    total += (n + 1) * (n + 2) / 2;
  }
  return fmt::format("{} errors, 0 broken\n", total);
}

}  // namespace

// Hsiao's table of codes with the fewest ones, and rows of equal weight in the code of 64 data bits.
TEST(Secded, PublishedWeights) {
  EXPECT_EQ(ones(16), 54);
  EXPECT_EQ(ones(32), 103);
  EXPECT_EQ(ones(64), 216);
  for (const std::uint64_t row : hw::check_rows({})) EXPECT_EQ(std::popcount(row), 26);
}

TEST(Secded, CheckBits) {
  for (const auto& [data, check] :
       {std::pair{4, 4}, std::pair{8, 5}, std::pair{11, 5}, std::pair{12, 6}, std::pair{26, 6},
        std::pair{27, 7}, std::pair{57, 7}, std::pair{58, 8}, std::pair{64, 8}}) {
    EXPECT_EQ(Secded(EccCode::secded, data).check_bits(), check) << data;
    EXPECT_EQ(hw::check_bits({.data_bits = data}), check) << data;
  }
  EXPECT_EQ(Secded(EccCode::parity, 64).check_bits(), 1);
}

TEST(Secded, GoldenKeepsThePromiseAtEveryWidth) {
  for (int k = 4; k <= 64; ++k) {
    const Secded secded(EccCode::secded, k), parity(EccCode::parity, k);
    const CodeWord word = secded.encode(sample(k)), even = parity.encode(sample(k));
    EXPECT_FALSE(secded.decode(word).corrected || secded.decode(word).uncorrectable);
    EXPECT_FALSE(parity.decode(even).uncorrectable);
    for (int a = 0; a < parity.bits(); ++a)
      EXPECT_TRUE(parity.decode(even ^ parity.one_bit(a)).uncorrectable);
    for (int a = 0; a < secded.bits(); ++a) {
      const auto one = secded.decode(word ^ secded.one_bit(a));
      ASSERT_TRUE(one.corrected && !one.uncorrectable && one.data == word.data) << k << ", bit " << a;
      for (int b = 0; b < a; ++b) {
        const auto two = secded.decode(word ^ secded.one_bit(a) ^ secded.one_bit(b));
        ASSERT_TRUE(two.uncorrectable && !two.corrected) << k << ", bits " << a << " and " << b;
      }
    }
  }
}

TEST(Secded, HardwareKeepsThePromise) {
  EXPECT_EQ(exhaustive(EccCode::secded), none_broken(EccCode::secded));
  EXPECT_EQ(exhaustive(EccCode::parity), none_broken(EccCode::parity));
}

TEST(Secded, LockStep) {
  for (const auto& settings :
       verif::first_of<std::vector<std::string>>(3, {{"ecc.words=4"},
                                                     {"ecc.code=parity", "ecc.data_bits=8", "ecc.words=32"},
                                                     {"ecc.data_bits=33", "ecc.words=3"},
                                                     {"ecc.data_bits=4"},
                                                     {"ecc.data_bits=8", "ecc.words=16"},
                                                     {"ecc.code=parity", "ecc.data_bits=63"},
                                                     {"ecc.data_bits=57", "ecc.words=2"}}))
    verif::expect_same("secded", settings, 20'000, verif::fresh_seed(7));
}

TEST(Secded, Refusals) {
  EXPECT_EQ(refusal("ecc.data_bits=3"),
            "-s ecc.data_bits=3: ecc.data_bits = 3: must be from 4 to 64; the nearest is 4");
  EXPECT_EQ(refusal("ecc.words=33"),
            "-s ecc.words=33: ecc.words = 33: must be from 1 to 32; the nearest is 32");
  EXPECT_EQ(refusal("ecc.code=crc"), "-s ecc.code=crc: ecc.code = \"crc\": must be one of parity, secded");
  EXPECT_THROW(hw::secded({.data_bits = 65}, "secded"), hw::ParamError);
  EXPECT_THROW(hw::secded({.words = 0}, "secded"), hw::ParamError);
}

TEST(Secded, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"nothing_is_corrected", "_decode_8", "checked_data", "flipped", low()},
      {"nothing_is_uncorrectable", "_decode_8", "uncorrectable", "", low()},
      {"corrections_are_not_reported", "_decode_8", "corrected", "|flipped", low()},
      {"check_bits_are_not_reported", "_decode_8", "corrected", "check_flipped", low()},
      {"corrected_is_uncorrectable_too", "_decode_8", "uncorrectable", "~corrected",
       [](const Expr&, const Nets& net) { return net("wrong"); }},
      {"the_check_is_left_out", "_decode_8", "syndrome", "", low()},
      {"check_bits_do_not_count", "_decode_8", "syndrome", "check", other("expected")}};
  verif::expect_all_found("secded", {"ecc.data_bits=8"}, faults, {.cycles = 20'000});
}
