// Profiles of traces against closed forms and against the definitions worked out one by one.
#include "golden/trace/profile/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <set>

#include "golden/trace/kernels/random.h"
#include "golden/trace/profile/lru_caches.h"
#include "golden/trace/profile/reuse_distance.h"
#include "verif/trace/list_trace.h"

namespace {

using golden::AccessKind;
using golden::Profile;
using golden::Record;
using testing::ElementsAre;
using verif::access;
using Kernel = verif::ListTrace::Kernel;

constexpr std::uint64_t line = 128;

Profile profiled(std::vector<Kernel> kernels, int sms = 1) {
  verif::ListTrace trace(std::move(kernels), 32);
  return golden::profile(trace, {.sms = sms});
}

std::uint64_t count(const Profile& p, golden::Locality locality) {
  return p.locality[static_cast<std::size_t>(locality)];
}

// A load of `lanes` lanes, each in a line of its own.
Record wide(std::uint32_t cta, int lanes, std::uint64_t first, std::uint32_t pc) {
  Record record = access(cta, 0, first);
  record.pc = pc;
  record.mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
  for (int lane = 0; lane < lanes; ++lane)
    record.address[static_cast<std::size_t>(lane)] = first + line * static_cast<std::uint64_t>(lane);
  return record;
}

TEST(ReuseDistances, AreThoseOfAListOfLines) {
  golden::ReuseDistances distances;
  std::list<std::uint64_t> order;  // touched last first
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t touched = golden::random_bits(7, i) % (i < 10'000 ? 40 : 3000);
    std::uint64_t expected = 0;
    auto at = order.begin();
    while (at != order.end() && *at != touched) ++at, ++expected;
    const auto got = distances.touch(touched);
    ASSERT_EQ(got.has_value(), at != order.end()) << i;
    if (got) {
      ASSERT_EQ(*got, expected) << i;
      order.erase(at);
    }
    order.push_front(touched);
  }
  EXPECT_EQ(distances.distinct(), order.size());
}

// n lines again and again: each but the first time at distance n - 1, found as soon as n lines fit.
TEST(Profile, ACycleOfLinesHasOneDistance) {
  for (const std::uint64_t n : {1, 2, 5, 128, 129, 300}) {
    Kernel kernel;
    for (std::uint64_t i = 0; i < 4 * n; ++i) kernel.push_back(access(0, 0, line * (i % n)));
    const Profile p = profiled({kernel});
    EXPECT_EQ(p.requests, 4 * n);
    EXPECT_EQ(p.lines, n);
    ASSERT_EQ(p.distances.size(), static_cast<std::size_t>(std::bit_width(n - 1)) + 1);
    EXPECT_EQ(p.distances.back(), 3 * n);
    EXPECT_EQ(p.misses, n <= 128 ? n : 4 * n) << n;
    EXPECT_EQ(p.misses, p.misses_at(128 * line)) << n;
    EXPECT_EQ(p.misses_at(512 * line), n);
    EXPECT_EQ(count(p, golden::Locality::intra_warp), 3 * n);
    EXPECT_EQ(count(p, golden::Locality::none), n);
  }
}

TEST(Profile, TellsWhoTouchedALineBefore) {
  // One SM holds CTAs 0 and 2, the other 1 and 3; warps alternate, SMs too.
  const Profile p =
      profiled({{access(0, 0, 0), access(0, 1, 0), access(0, 0, 4), access(1, 0, 0), access(2, 0, 0)}}, 2);
  // Round 1: CTA 0's warp 0 finds it nowhere, CTA 1 on the other SM finds it there. Round 2: warp 1 of CTA 0
  // after warp 0. Round 3: CTA 2 after CTA 0. Round 4: warp 0 again, after CTA 2.
  EXPECT_EQ(count(p, golden::Locality::none), 1u);
  EXPECT_EQ(count(p, golden::Locality::inter_core), 1u);
  EXPECT_EQ(count(p, golden::Locality::inter_warp), 1u);
  EXPECT_EQ(count(p, golden::Locality::inter_cta), 2u);
  EXPECT_EQ(p.misses, 2u);
  EXPECT_EQ(p.foreign, 1u);
  EXPECT_EQ(p.replication_ratio(), 0.5);
  EXPECT_THAT(p.cta_distances, ElementsAre(1u));
}

TEST(Profile, MeasuresTheDistanceOfSharers) {
  // CTA i on SM i % 4; all read line 0, in this order.
  Kernel kernel;
  for (std::uint32_t cta = 0; cta < 4; ++cta) kernel.push_back(access(cta, 0, 0));
  for (std::uint32_t cta = 4; cta < 12; ++cta) kernel.push_back(access(cta, 0, line * cta));
  EXPECT_THAT(profiled({kernel}, 4).cta_distances, ElementsAre(3u));
  // CTA 8, on the next SM, reads a line of CTA 3: distance 5, between 5 and 8.
  Kernel far{access(3, 0, 0), access(8, 0, 4)};
  EXPECT_THAT(profiled({far}, 4).cta_distances, ElementsAre(0u, 0u, 0u, 1u));
}

// Of SM 0 lines 0 to 4 with 1, 2, 3, 4 and 7 requests, of SM 1 line 0 with 2; in a second kernel line 0 once.
TEST(Profile, CountsTheRequestsForALine) {
  Kernel kernel;
  for (const auto& [place, times] : {std::pair(0, 1), {1, 2}, {2, 3}, {3, 4}, {4, 7}})
    for (int i = 0; i < times; ++i) kernel.push_back(access(0, 0, line * static_cast<std::uint64_t>(place)));
  for (int i = 0; i < 2; ++i) kernel.push_back(access(1, 0, 0));
  kernel.push_back(access(0, 0, 0, AccessKind::store));
  EXPECT_THAT(profiled({kernel, {access(0, 0, 0)}}, 2).lines_by_requests, ElementsAre(2u, 2u, 1u, 2u));
}

TEST(Profile, EndsReuseWithTheKernel) {
  const Profile p = profiled({{access(0, 0, 0), access(0, 0, 0)}, {access(0, 0, 0)}});
  EXPECT_EQ(count(p, golden::Locality::none), 2u);
  EXPECT_EQ(p.misses, 2u);
  EXPECT_EQ(p.lines, 1u);
  EXPECT_EQ(p.evicted, 2u);
}

TEST(Profile, CountsTheLinesOfALoad) {
  const Profile p = profiled({{wide(0, 1, 0, 8), wide(0, 2, 0, 16), wide(0, 32, 0, 16),
                               wide(0, 32, 1 << 20, 24), access(0, 0, 0, AccessKind::store),
                               access(0, 0, 0, AccessKind::atomic), access(0, 0, 0, AccessKind::non_l1)}});
  EXPECT_EQ(p.loads, 4u);
  EXPECT_EQ(p.stores, 1u);
  EXPECT_EQ(p.atomics, 1u);
  EXPECT_EQ(p.non_l1, 1u);
  EXPECT_EQ(p.requests, 67u);
  EXPECT_EQ(p.degrees[1], 1u);
  EXPECT_EQ(p.degrees[2], 1u);
  EXPECT_EQ(p.degrees[32], 2u);
  EXPECT_EQ(p.wide_loads(), 0.5);
  EXPECT_EQ(p.pcs.at(16).loads, 2u);
  EXPECT_EQ(p.pcs.at(16).requests, 34u);
  EXPECT_EQ(p.pcs.at(16).misses, 31u);
  EXPECT_EQ(p.pcs.at(24).misses, 32u);
}

TEST(Profile, SeesWhatOfALineIsUsed) {
  // Bytes 0 to 3, again bytes 0 to 3, then bytes 64 to 67: two quarters touched, one of them again.
  const Profile p = profiled({{access(0, 0, 0), access(0, 0, 0), access(0, 0, 64), access(0, 0, 5 * line)}});
  EXPECT_EQ(p.evicted, 2u);
  EXPECT_THAT(p.used_quarters, ElementsAre(0u, 1u, 1u, 0u, 0u));
  EXPECT_THAT(p.reused_quarters, ElementsAre(1u, 1u, 0u, 0u, 0u));
  EXPECT_DOUBLE_EQ(p.used_share(), 3.0 / 64);
}

// 8 lines 4 KiB apart want one set of 32 by the lowest bits, and eight by a hash.
TEST(Profile, SetPressureDependsOnTheIndex) {
  Kernel kernel;
  for (std::uint64_t i = 0; i < 80; ++i) kernel.push_back(access(0, 0, 4096 * (i % 8)));
  const Profile p = profiled({kernel});
  ASSERT_EQ(p.indices.size(), 5u);
  EXPECT_EQ(p.indices[0].name, "cvi");
  EXPECT_EQ(p.indices[0].misses, 80u);
  EXPECT_EQ(p.indices[0].sets_in_use(), 1.0);
  for (const char* name : {"bxi", "pli", "pri"}) {
    const auto index = std::ranges::find(p.indices, name, &golden::IndexProfile::name);
    EXPECT_EQ(index->misses, 8u) << name;
    EXPECT_DOUBLE_EQ(index->sets_in_use(), 8.0) << name;
  }
  EXPECT_EQ(p.misses, 8u);
  EXPECT_EQ(golden::classes(p).back().word, "conflicting");
}

TEST(Profile, OfOtherLinesLeavesOutWhatIsForLinesOf128Bytes) {
  verif::ListTrace trace({{access(0, 0, 0), access(0, 0, 64)}}, 32);
  const Profile p = golden::profile(trace, {.sms = 1, .line_bytes = 64});
  EXPECT_EQ(p.lines, 2u);
  EXPECT_EQ(p.indices.size(), 4u);
  EXPECT_EQ(p.indices[0].by_set.size(), 64u);
}

TEST(Profile, SortsAsThePapersDo) {
  const auto words = [](const Profile& p) {
    std::vector<std::string> out;
    for (const auto& one : golden::classes(p)) out.push_back(one.word);
    return out;
  };
  // Four SMs read the same 1,024 lines twice: one could serve the other, and 128 lines are too few.
  Kernel shared;
  for (std::uint32_t cta = 0; cta < 4; ++cta)
    for (std::uint64_t i = 0; i < 2048; ++i) shared.push_back(access(cta, 0, line * (i % 1024)));
  EXPECT_THAT(words(profiled({shared}, 4)),
              ElementsAre("coherent", "inter-core locality", "sensitive to replication", "thrashing"));
  Kernel stream;
  for (std::uint64_t i = 0; i < 64; ++i) stream.push_back(wide(0, 32, line * 32 * i, 0));
  EXPECT_THAT(words(profiled({stream}, 4)), ElementsAre("un-coalesced", "little inter-core locality",
                                                        "not sensitive to replication", "streaming"));
  EXPECT_TRUE(golden::classes(profiled({{access(0, 0, 0, AccessKind::store)}})).empty());
}

// By the definitions, one request after the other, of random loads on three SMs.
TEST(Profile, AgreesWithItsDefinitions) {
  Kernel kernel;
  for (std::uint32_t cta = 0; cta < 6; ++cta)
    for (std::uint64_t i = 0; i < 400; ++i)
      kernel.push_back(access(cta, 0, line * (golden::random_bits(cta, i) % 200)));
  const Profile p = profiled({kernel}, 3);
  std::array<std::list<std::uint64_t>, 3> caches;
  std::uint64_t misses = 0, foreign = 0;
  for (std::uint64_t turn = 0; turn < 800; ++turn)
    for (std::size_t sm = 0; sm < 3; ++sm) {
      // Its two CTAs alternate.
      const Record& record = kernel[(turn % 2 * 3 + sm) * 400 + turn / 2];
      auto& cache = caches[sm];
      const auto holds = [&](const std::list<std::uint64_t>& one) {
        return std::ranges::find(one, record.address[0]) != one.end();
      };
      if (!holds(cache)) {
        ++misses;
        foreign += std::ranges::any_of(caches, holds);
      }
      cache.remove(record.address[0]);
      cache.push_front(record.address[0]);
      if (cache.size() > 128) cache.pop_back();
    }
  EXPECT_EQ(p.requests, 2400u);
  EXPECT_EQ(p.misses, misses);
  EXPECT_EQ(p.foreign, foreign);
  EXPECT_EQ(p.misses, p.misses_at(128 * line));
}

}  // namespace
