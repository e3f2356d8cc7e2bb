// The written filter: its index, lock step at small and odd shapes, storage, refusals, injected faults.
#include "golden/shared/written_filter.h"

#include "gen/unit/unit.h"
#include "hw/shared/written_filter.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::WrittenFilter;
using verif::high, verif::low, verif::other, verif::stuck;

std::vector<std::string> sized(int address_bits, int line_bytes, int filter_bits) {
  return {fmt::format("geometry.address_bits={}", address_bits),
          fmt::format("geometry.line_bytes={}", line_bytes),
          fmt::format("shared.filter_bits={}", filter_bits)};
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("written_filter", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// {fold of AB[24:1] to 12 bits, AB[0]}.
TEST(WrittenFilter, IndexOfABlock) {
  const WrittenFilter filter({});
  for (const std::uint64_t block : {0x0u, 0x1u, 0x2u, 0x2000u, 0x2002u, 0x1abcdefu, 0x1ffffffu}) {
    const std::uint64_t fold = (block >> 1 & 0xfff) ^ (block >> 13 & 0xfff);
    EXPECT_EQ(filter.index(block, block & 1), fold << 1 | (block & 1)) << block;
  }
}

TEST(WrittenFilter, ClearsInItsCycles) {
  WrittenFilter filter({});
  int cycles = 0;
  for (; !filter.ready(); ++cycles) filter.edge({});
  EXPECT_EQ(cycles, 256);
  const auto asks = [&](std::uint64_t block, bool mark) {
    filter.edge({.valid = true, .mark = mark, .odd = (block & 1) != 0, .block = block});
    return filter.written();
  };
  EXPECT_FALSE(asks(0x380, true));
  EXPECT_TRUE(asks(0x380, false));
  EXPECT_FALSE(asks(0x381, false)) << "an odd set's";
  EXPECT_TRUE(asks(0x380 ^ 0x2002, false)) << "the same fold";
  filter.edge({.clear = true, .valid = true, .mark = true, .block = 0x384});
  for (cycles = 0; !filter.ready(); ++cycles) filter.edge({});
  EXPECT_EQ(cycles, 256);
  EXPECT_FALSE(asks(0x380, false) || asks(0x384, false));
}

TEST(WrittenFilter, LockStep) {
  const std::int64_t cycles = verif::full_tier() ? 4'000'000 : 200'000;
  verif::expect_same("written_filter", sized(25, 128, 7), cycles, verif::fresh_seed(5));
  verif::expect_same("written_filter", sized(20, 256, 12), 2 * cycles, verif::fresh_seed(6));
  if (verif::full_tier()) verif::expect_same("written_filter", {}, cycles, verif::fresh_seed(7));
}

TEST(WrittenFilter, StoresWhatTheSpecificationCounts) {
  const gen::Unit unit = gen::elaborate(gen::load_config("written_filter", {}));
  EXPECT_EQ(gen::published_bits(unit.accounts), 8192);
  ASSERT_EQ(unit.storage.size(), 1u);
  EXPECT_EQ(unit.storage[0].bits(), 8192);
  EXPECT_EQ(unit.facts["cycles_of_a_clear"], 256);
}

TEST(WrittenFilter, Refusals) {
  EXPECT_EQ(refusal({"shared.filter_bits=17"}),
            "-s shared.filter_bits=17: shared.filter_bits = 17: must be from 6 to 16");
  EXPECT_EQ(
      refusal(sized(20, 128, 14)),
      "-s shared.filter_bits=14: shared.filter_bits = 14: must not exceed the 13 bits of a block address; "
      "use 13");
}

// The sound unit runs here, too.
TEST(WrittenFilter, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"a_group_of_the_fold_is_lost", "", "index", "request_block_address[12:7]", low()},
      {"even_and_odd_share_a_bit", "", "index", "request_odd", low()},
      {"questions_mark", "", "marks_q", "request_mark", high()},
      {"marks_outlive_a_clear", "", "filter.write_row", "clears_q", low()},
      {"takes_while_it_clears", "", "request_ready", "~clears_q", high()},
      {"a_row_short", "", "clears_q", "&row_q", stuck(1)},
      {"the_newer_row_is_lost", "", "row", "again_q", low()},
      {"any_row_is_the_newer", "", "again_q", "at_q[6:5] == index[6:5]", high()},
      {"marks_wipe_their_row", "", "marked", "row", low()},
      {"rows_are_not_cleared", "", "filter.write_data", "~clears_q", high()},
      {"no_clear_after_reset", "", "clears_q", verif::reset_value, stuck(0)}};
  verif::expect_all_found("written_filter", sized(25, 128, 7), faults);
}
