// Each bit of each comparator of tags and MSHR entries, ignored alone, and each bit of a stored address, lost
// alone, is found within 300,000 cycles of random traffic: for each kind of tags.
#include <gtest/gtest.h>

#include "gen/config/config.h"
#include "verif/l1d/stored_bits.h"

namespace {

using verif::expect_all_found;

hw::L1dParams params_of(const std::string& preset) { return gen::load_config(preset).get<hw::L1dParams>(); }

class TagBits : public testing::TestWithParam<const char*> {};

TEST_P(TagBits, EachIgnoredOneIsFound) {
  expect_all_found(GetParam(), {}, verif::tag_faults(params_of(GetParam())), {.cycles = 300'000});
}

INSTANTIATE_TEST_SUITE_P(Kinds, TagBits,
                         testing::Values("l1d", "l1d_sectored", "l1d_tsc", "l1d_dsc", "l1d_reuse_filter"));

TEST(EntryBits, EachIgnoredOneIsFound) {
  const hw::L1dParams p = params_of("l1d");
  // As many as fit one program.
  for (unsigned first = 0; first < 32; first += 8) {
    std::vector<verif::Fault> faults;
    for (unsigned e = first; e < first + 8; ++e)
      std::ranges::copy(verif::entry_faults(p, e), std::back_inserter(faults));
    expect_all_found("l1d", {}, faults, {.cycles = 300'000});
  }
}

TEST(StoredBits, EachLostOneIsFound) {
  const hw::L1dParams p = params_of("l1d");
  expect_all_found("l1d", {}, verif::row_faults(p), {.cycles = 300'000});
  expect_all_found("l1d", {}, verif::stored_faults(p), {.cycles = 300'000});
}

}  // namespace
