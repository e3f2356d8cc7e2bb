// Untimed decoupled sectored tags: the worked example, a second, plain model, the caches that they equal in
// special cases, and the cycle model where time cannot matter.
#include <gmock/gmock.h>

#include "golden/cache/functional_l1d.h"
#include "verif/l1d/golden_one_at_a_time.h"
#include "verif/parameters/decoupled_parameters.h"
#include "verif/tags/decoupled_reference.h"

namespace {

using golden::FunctionalL1d, golden::Request, golden::RequestKind, golden::Result;

Request random_request(const hw::L1dParams& p, verif::Draw& draw) {
  Request request{.mask = verif::random_mask(p, draw), .address = verif::random_address(p, draw)};
  if (draw.percent(12)) request.kind = static_cast<RequestKind>(1 + draw.below(3));
  return request;
}

// Lines that compete for the tags of two sets.
Request competing_request(const hw::L1dParams& p, verif::Draw& draw) {
  Request request = random_request(p, draw);
  const auto tags = static_cast<std::uint64_t>(p.ways * p.decoupled.tags_per_way);
  const auto block = draw.below(2) + static_cast<std::uint64_t>(hw::sets_of(p)) * draw.below(tags + 2);
  if (draw.percent(70)) request.address = block * static_cast<std::uint64_t>(p.line_bytes);
  request.address &= ~std::uint64_t{0} >> (64 - p.address_bits);
  return request;
}

Request example_request(const verif::ExampleRequest& r) {
  return {.kind = r.store ? RequestKind::store : RequestKind::load, .mask = r.mask, .address = r.address};
}

void expect_outcome(const golden::L1dCounters& counters, const verif::ExampleOutcome& outcome) {
  EXPECT_EQ(counters.requests_down, outcome.requests_down);
  EXPECT_EQ(counters.chunks_requested, outcome.chunks_requested);
  EXPECT_EQ(counters.evicted_lines, outcome.evicted_lines);
  EXPECT_EQ(counters.evicted_chunks, outcome.evicted_chunks);
  EXPECT_EQ(counters.store_invalidations, 1u);
}

TEST(FunctionalDsc, WorkedExample) {
  for (const verif::ExampleOutcome& outcome : verif::decoupled_outcomes) {
    const auto cache = FunctionalL1d::make(verif::decoupled_example(outcome.victim));
    verif::DecoupledReference plain(verif::decoupled_example(outcome.victim));
    std::string results, of_plain;
    for (const verif::ExampleRequest& r : verif::decoupled_requests) {
      const Request request = example_request(r);
      Result result;
      cache->access({&request, 1}, &result);
      results += static_cast<char>(result);
      of_plain += static_cast<char>(plain.access(request));
    }
    EXPECT_EQ(results, outcome.results);
    EXPECT_EQ(of_plain, outcome.results);
    expect_outcome(cache->counters(), outcome);
    expect_outcome(plain.counters, outcome);
  }
}

TEST(CycleDsc, WorkedExample) {
  for (const verif::ExampleOutcome& outcome : verif::decoupled_outcomes) {
    verif::OneAtATime timed(verif::decoupled_example(outcome.victim));
    std::string results;
    for (const verif::ExampleRequest& r : verif::decoupled_requests) {
      const golden::L1dCounters before = timed.cache.counters();
      timed.serve(example_request(r));
      const golden::L1dCounters& c = timed.cache.counters();
      results += c.hits > before.hits                       ? 'H'
                 : c.partial_misses > before.partial_misses ? 'P'
                 : c.misses > before.misses                 ? 'M'
                                                            : 's';
    }
    EXPECT_EQ(results, outcome.results);
    expect_outcome(timed.cache.counters(), outcome);
  }
}

TEST(FunctionalDsc, EqualsThePlainModel) {
  verif::Draw draw(12);
  std::uint64_t lines = 0, chunks = 0;
  for (int configuration = 0; configuration < 120; ++configuration) {
    const auto p = verif::random_decoupled(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto fast = FunctionalL1d::make(p);
    verif::DecoupledReference plain(p);
    for (int i = 0; i < 1500; ++i) {
      const Request request = competing_request(p, draw);
      Result result;
      fast->access({&request, 1}, &result);
      ASSERT_EQ(result, plain.access(request)) << i;
      if (i % 100 == 99) {
        ASSERT_TRUE(plain.is_sound());
      }
      if (!draw.percent(1) || !draw.percent(30)) continue;
      fast->flush();
      plain.flush();
    }
    for (const auto& [name, counter] : golden::counter_names)
      ASSERT_EQ(fast->counters().*counter, plain.counters.*counter) << name;
    lines += plain.counters.evicted_lines;
    chunks += plain.counters.evicted_chunks;
  }
  EXPECT_GT(lines, 10'000u);
  EXPECT_GT(chunks, lines);
}

TEST(CycleDsc, CountsLikeTheUntimedCoreWhereTimingCannotMatter) {
  verif::Draw draw(13);
  for (int configuration = 0; configuration < 40; ++configuration) {
    const auto p = verif::random_decoupled(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::OneAtATime timed(p);
    const auto untimed = FunctionalL1d::make(p);
    for (int i = 0; i < 600; ++i) {
      const Request request = competing_request(p, draw);
      timed.serve(request);
      untimed->access({&request, 1}, nullptr);
      if (draw.percent(1)) {
        timed.flush();
        untimed->flush();
      }
    }
    for (const auto& [name, counter] : golden::counter_names)
      ASSERT_EQ(timed.cache.counters().*counter, untimed->counters().*counter) << name;
    EXPECT_EQ(timed.cache.resident_lines(), untimed->resident_lines());
  }
}

// The same requests, with the same results and counters. `whole`: loads ask for whole lines. Returns how many
// lines were lost.
std::uint64_t expect_same_results(const hw::L1dParams& a, const hw::L1dParams& b, verif::Draw& draw,
                                  bool whole) {
  const auto first = FunctionalL1d::make(a), second = FunctionalL1d::make(b);
  for (int i = 0; i < 3000; ++i) {
    Request request = competing_request(b, draw);
    if (whole) request.mask = ~0u >> (32 - hw::chunks_of_line(b));
    Result of_first, of_second;
    first->access({&request, 1}, &of_first);
    second->access({&request, 1}, &of_second);
    EXPECT_EQ(of_first, of_second) << i;
    if (of_first != of_second) return 0;
  }
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(first->counters().*counter, second->counters().*counter) << name;
  return second->counters().evicted_lines;
}

TEST(FunctionalDsc, OneTagAWayIsTheSectoredCache) {
  verif::Draw draw(3);
  std::uint64_t lost = 0;
  for (int i = 0; i < 20; ++i) {
    hw::L1dParams p = verif::random_decoupled(draw);
    p.decoupled.tags_per_way = 1;
    hw::L1dParams sectored = p;
    sectored.tags = hw::TagKind::sectored;
    // With one tag a way what it costs is the line replaced.
    lost += expect_same_results(sectored, p, draw, false);
  }
  EXPECT_GT(lost, 2'000u);
}

TEST(FunctionalDsc, WholeLinesAreTheConventionalCache) {
  verif::Draw draw(4);
  std::uint64_t lost = 0;
  for (int i = 0; i < 20; ++i) {
    hw::L1dParams p = verif::random_decoupled(draw);
    p.store_scope = hw::StoreScope::line;
    p.decoupled.victim = hw::DecoupledVictim::way;
    if (i % 4 == 0 && p.line_bytes <= 64) p.chunk_bytes = p.line_bytes;
    hw::L1dParams conventional = p;
    conventional.tags = hw::TagKind::conventional;
    lost += expect_same_results(conventional, p, draw, true);
  }
  EXPECT_GT(lost, 2'000u);
}

}  // namespace
