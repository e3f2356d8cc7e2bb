// Bounded proofs of decoupled sectored tags, in a whole cache of small geometry under any requests, flushes
// and back-pressure, with a memory that answers in any order (DSC of the TSC paper): a chunk of a line is
// never in two ways, but for what a flush left behind; a position in use has one owner; what is on its way,
// waited for, or reserved and poisoned is never overwritten; an allocation takes all its positions, in one
// way, or nothing; the ages of a set stay a permutation. Injected faults break them.
#include <gmock/gmock.h>

#include "verif/full_tier.h"
#include "verif/tags/opened_cache.h"

namespace {

using verif::low;

constexpr int sets = verif::OpenedCache::sets, ways = 2, chunks = 2, places = ways * chunks;
constexpr int tag_bits = 11;  // of an address of 20 bits

hw::L1dParams small(int tags, hw::DecoupledVictim victim) {
  hw::L1dParams p = verif::OpenedCache::small();
  p.capacity_bytes = sets * ways * 128;
  p.ways = ways;
  p.tags = hw::TagKind::decoupled;
  p.decoupled = {.tags_per_way = tags, .victim = victim};
  p.store_scope = hw::StoreScope::mask;
  return p;
}

class Claims {
 public:
  explicit Claims(const hw::L1dParams& p)
      : tags_(p.decoupled.tags_per_way), selector_bits_(tags_ > 2 ? 2 : 1), age_bits_(tags_ > 2 ? 3 : 2) {}

  void open(verif::OpenedCache& cache) const {
    cache.see_rams("entry_row", ways * tags_, tag_bits);
    cache.see_ram("selectors", places * selector_bits_);
    cache.see("valid", sets * places, valid_places());
    cache.see("overwritten", 1, "allocate & (|(lost & row_busy_q))");
    cache.see(
        "torn", 1,
        "allocate & (((taken[3:2] | taken[1:0]) != missed) | ((|taken[3:2]) & (|taken[1:0])) | ~(|missed))");
    cache.see("moved", 1, "~allocate & ((|tag_written) | (~invalidate & (|cleared)))");
    cache.see("ages", ways * tags_ * age_bits_, "row_ages_q");
  }

  std::string bad() const {
    return "see_overwritten | see_torn | see_moved" + strange_selectors() + equal_ages() + twice();
  }

 private:
  // What the cycle before changed is on its way into the array.
  static std::string valid_places() {
    std::string text;
    for (int set = sets - 1; set >= 0; --set)
      text += fmt::format(
          "{0}(late_q & (late_set_q == 2'd{1})) ? late_valid_q : (valid_q[{2} +: {3}] | "
          "(fill_places_q & {{{3}{{fill_q & (fill_set_q == 2'd{1})}}}}))",
          text.empty() ? "" : ", ", set, set * places, places);
    return "{" + text + "}";
  }

  // Valid positions that belong to no tag.
  std::string strange_selectors() const {
    std::string text;
    for (int i = 0; tags_ == 3 && i < sets * places; ++i)
      text += fmt::format("\n    | (see_valid[{}] & (see_selectors[{} +: 2] == 2'd3))", i, 2 * i);
    return text;
  }

  std::string equal_ages() const {
    std::string text;
    const auto age = [&](int e) { return fmt::format("see_ages[{} +: {}]", e * age_bits_, age_bits_); };
    for (int a = 0; a < ways * tags_; ++a)
      for (int b = 0; b < a; ++b) text += fmt::format("\n    | ({} == {})", age(a), age(b));
    return text;
  }

  // One position of one tag, valid in two different ways.
  std::string twice() const {
    std::string text;
    const auto valid = [](int set, int w, int c) {
      return fmt::format("see_valid[{}]", set * places + w * chunks + c);
    };
    const auto owned = [&](int set, int w, int c, int j) {
      return fmt::format("(see_selectors[{} +: {}] == {})",
                         set * places * selector_bits_ + (w * chunks + c) * selector_bits_, selector_bits_,
                         j);
    };
    const auto tag = [&](int set, int w, int j) {
      return verif::OpenedCache::row_of("entry_row", w * tags_ + j, set, tag_bits);
    };
    for (int set = 0; set < sets; ++set)
      for (int c = 0; c < chunks; ++c)
        for (int i = 0; i < tags_; ++i)
          for (int j = 0; j < tags_; ++j)
            text +=
                fmt::format("\n    | ({} & {} & {} & {} & ({} == {}))", valid(set, 0, c), valid(set, 1, c),
                            owned(set, 0, c, i), owned(set, 1, c, j), tag(set, 0, i), tag(set, 1, j));
    return text;
  }

  const int tags_, selector_bits_, age_bits_;
};

// The injected faults need no more: a miss, its fill, and a second miss of the same chunk. Each further cycle
// doubles the time.
const int cycles = verif::full_tier() ? 13 : 11;

verif::ProofResult proof(const hw::L1dParams& p, const verif::Fault* fault = nullptr) {
  const Claims claims(p);
  verif::OpenedCache cache(p, fault);
  claims.open(cache);
  return cache.never(claims.bad(), cycles);
}

void expect_sound(const hw::L1dParams& p) {
  const auto result = proof(p);
  EXPECT_TRUE(result.proven()) << result.message;
  fmt::print("{} cycles: {:.1f} s\n", cycles, result.seconds);
}

}  // namespace

TEST(DecoupledOnceProof, VictimsByWay) { expect_sound(small(2, hw::DecoupledVictim::way)); }

TEST(DecoupledOnceProof, ThreeTagsAWayAndVictimsByTag) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_sound(small(3, hw::DecoupledVictim::tag));
}

TEST(DecoupledOnceProof, InjectedFaultsBreakIt) {
  for (const verif::Fault& fault : std::vector<verif::Fault>{
           {"tag_compared_too_early", "unit_tags", "tag_equal", "bypass_q[gi]", low()},
           {"found_line_overwrites_a_pending_place", "unit_tags", "enough_q", "own_busy", low()},
           {"places_in_every_way", "unit_tags", "target_way", "", verif::high()},
           {"chosen_and_found", "unit_tags", "target_q", "found", low()},
           {"age_of_the_used_tag_stays", "unit_tags", "aged", "touched[tag_at]", low()}}) {
    const auto result = proof(small(2, hw::DecoupledVictim::way), &fault);
    EXPECT_EQ(result.outcome, verif::Outcome::counterexample) << fault.what << "\n" << result.message;
    fmt::print("{}: {:.1f} s, {}\n", fault.what, result.seconds, result.message);
  }
}
