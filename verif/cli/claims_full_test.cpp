// Every stored result of the claims says what it was made of, and the keys of its present can be worked out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "verif/run_l1forge.h"

namespace {

TEST(Claims, EachStoredResultHereSaysWhatItWasMadeOf) {
  const gen::Finished done = verif::l1forge({"claims", "--check"});
  EXPECT_LE(done.status, 1) << done.output;
  EXPECT_THAT(done.output, testing::HasSubstr(" stored results are older than what makes them\n"));
  for (const char* fault : {"does not say", "no table of", "is no study"})
    EXPECT_THAT(done.output, testing::Not(testing::HasSubstr(fault)));
}

}  // namespace
