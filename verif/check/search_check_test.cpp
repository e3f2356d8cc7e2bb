// The check of searched lines, by itself: which fills it finds, and which error stays.
#include "golden/check/search_check.h"

#include <gmock/gmock.h>

namespace {

using golden::SearchCheck;
using hw::ProtocolError;

constexpr SearchCheck::Fill searched{.entry = 2, .of_search = true}, plain{.entry = 2, .of_search = false};

// The codes of the two cycles behind a fill, beside what the L1 itself finds.
std::vector<ProtocolError> codes_behind(SearchCheck& check, const SearchCheck::Fill& fill,
                                        ProtocolError of_l1 = ProtocolError::none) {
  std::vector<ProtocolError> codes;
  check.edge({}, fill, of_l1);
  codes.push_back(check.code(of_l1));
  check.edge({}, {}, of_l1);
  codes.push_back(check.code(of_l1));
  return codes;
}

TEST(SearchCheck, FindsALineThatOnlyASearchMayBring) {
  SearchCheck check;
  check.edge(2, {}, ProtocolError::none);
  EXPECT_TRUE(check.unasked(plain));
  EXPECT_FALSE(check.unasked({.entry = 3, .of_search = false})) << "of another entry";
  EXPECT_THAT(codes_behind(check, plain),
              testing::ElementsAre(ProtocolError::none, ProtocolError::answer_unasked));
  EXPECT_TRUE(check.broken());
}

TEST(SearchCheck, TakesTheLineOfASearchAndWhatComesBehindIt) {
  SearchCheck check;
  check.edge(2, {}, ProtocolError::none);
  EXPECT_THAT(codes_behind(check, searched), testing::Each(ProtocolError::none));
  EXPECT_THAT(codes_behind(check, plain), testing::Each(ProtocolError::none)) << "the entry's next miss";
  EXPECT_FALSE(check.broken());
}

TEST(SearchCheck, AnEarlierErrorOfTheL1Stays) {
  SearchCheck check;
  check.edge(2, {}, ProtocolError::none);
  EXPECT_THAT(codes_behind(check, plain, ProtocolError::answer_late),
              testing::Each(ProtocolError::answer_late));
}

}  // namespace
