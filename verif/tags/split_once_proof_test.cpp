// Bounded proof that split tags never hold a chunk of a line twice, in a whole cache of small geometry under
// any requests, flushes and back-pressure, with a memory that answers in any order (TSC paper, section 3). A
// chunk that is on its way comes to hold its slot, so that a second slot for it shows as soon as both have
// come; what is reserved and poisoned never does. Injected faults break it.
#include <gmock/gmock.h>

#include "verif/full_tier.h"
#include "verif/tags/opened_cache.h"

namespace {

constexpr int sets = verif::OpenedCache::sets, groups = 2, group_slots = 2, slots = groups * group_slots;
constexpr int shared_bits = 10, slot_bits = 2;  // of an address of 20 bits; private tag and position

hw::L1dParams small(hw::SplitVictim victim) {
  hw::L1dParams p = verif::OpenedCache::small();
  p.capacity_bytes = sets * slots * 64;
  p.tags = hw::TagKind::split;
  p.split = {.private_tag_bits = 1, .groups = groups, .victim = victim};
  p.replacement = hw::Replacement::nru;
  p.store_scope = hw::StoreScope::mask;
  return p;
}

// What the cycle before changed is on its way into the array, and so is the reset in the first cycle after it.
std::string valid_slots() {
  std::string text;
  for (int set = sets - 1; set >= 0; --set)
    text += fmt::format(
        "{0}(late_q & (late_set_q == 2'd{1})) ? late_valid_q : (valid_q[{2} +: {3}] | "
        "(fill_slots_q & {{{3}{{fill_q & (fill_set_q == 2'd{1})}}}}))",
        text.empty() ? "" : ", ", set, set * slots, slots);
  return fmt::format("{{{}}} & {{{}{{~starts_q}}}}", text, sets * slots);
}

// Two valid slots of one set with one tag and one position.
std::string twice() {
  std::string text = "1'b0";
  const auto tag = [](int set, int s) {
    return fmt::format("{{{}, {}}}", verif::OpenedCache::row_of("shared", s / group_slots, set, shared_bits),
                       verif::OpenedCache::row_of("slot", s, set, slot_bits));
  };
  for (int set = 0; set < sets; ++set)
    for (int a = 0; a < slots; ++a)
      for (int b = 0; b < a; ++b)
        text += fmt::format("\n    | (see_valid[{}] & see_valid[{}] & ({} == {}))", set * slots + a,
                            set * slots + b, tag(set, a), tag(set, b));
  return text;
}

// As many as the injected faults need: a miss, its fill, and a second miss of the same chunk.
constexpr int cycles = 15;

verif::ProofResult proof(hw::SplitVictim victim, const verif::Fault* fault = nullptr) {
  verif::OpenedCache cache(small(victim), fault);
  cache.see_rams("shared", groups, shared_bits);
  cache.see_rams("slot", slots, slot_bits);
  cache.see("valid", sets * slots, valid_slots());
  return cache.never(twice(), cycles);
}

void expect_sound(hw::SplitVictim victim) {
  const auto result = proof(victim);
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{} cycles: {:.1f} s\n", cycles, result.seconds);
}

}  // namespace

TEST(SplitOnceProof, NoChunkTwiceWithVictimsByChunk) { expect_sound(hw::SplitVictim::chunk); }

// Half a minute that the fast tests do without.
TEST(SplitOnceProof, NoChunkTwiceWithVictimsByGroup) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_sound(hw::SplitVictim::group);
}

TEST(SplitOnceProof, InjectedFaultsBreakIt) {
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"tag_compared_too_early", "unit_tags", "fresh", "", verif::low()},
           {"tag_read_too_early", "unit_tags", "bypass_slot_q", "allocate", verif::low()}}) {
    const auto result = proof(hw::SplitVictim::chunk, &fault);
    EXPECT_EQ(result.outcome, verif::Outcome::counterexample) << fault.what << "\n" << result.message;
    fmt::print("{}: {:.1f} s, {}\n", fault.what, result.seconds, result.message);
  }
}
