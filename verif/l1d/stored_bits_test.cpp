// A comparator of tags or MSHR entries that ignores one bit, or a row that loses one, is found by random
// traffic: a sample of them; all of them are in stored_bits_full_test.cpp.
#include <gtest/gtest.h>

#include "gen/config/config.h"
#include "verif/l1d/stored_bits.h"

namespace {

TEST(StoredBits, EachOfASampleIsFound) {
  const auto p = gen::load_config("l1d").get<hw::L1dParams>();
  std::vector<verif::Fault> faults = verif::one_of(13, verif::tag_faults(p));
  for (unsigned entry = 0; entry < 32; entry += 31)
    std::ranges::copy(verif::one_of(9, verif::entry_faults(p, entry)), std::back_inserter(faults));
  std::ranges::copy(verif::one_of(37, verif::row_faults(p)), std::back_inserter(faults));
  std::ranges::copy(verif::one_of(23, verif::stored_faults(p)), std::back_inserter(faults));
  verif::expect_all_found("l1d", {}, faults, {.cycles = 300'000});
}

}  // namespace
