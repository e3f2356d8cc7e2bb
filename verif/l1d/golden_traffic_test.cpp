// The golden cycle model alone, in random environment: properties that hold at any timing.
#include <gmock/gmock.h>

#include <set>

#include "golden/cache/functional_l1d.h"
#include "verif/l1d/golden_environment.h"
#include "verif/l1d/golden_one_at_a_time.h"
#include "verif/l1d/store_bytes.h"
#include "verif/parameters/decoupled_parameters.h"
#include "verif/parameters/split_parameters.h"

namespace {

using golden::L1dCounters, golden::Request, golden::RequestKind, golden::Stall;

verif::Traffic random_traffic(verif::Draw& draw) {
  const auto some = [&] { return static_cast<unsigned>(draw.percent(40) ? 100 : draw.between(10, 100)); };
  return {.request = some(),
          .response_ready = some(),
          .memory_ready = some(),
          .memory_answers = some(),
          .flush = static_cast<unsigned>(draw.between(0, 20)),
          .loads = static_cast<unsigned>(draw.between(40, 100)),
          .latency = static_cast<unsigned>(draw.between(0, 60))};
}

// A store that updates lines poisons without being counted.
void expect_sums(const L1dCounters& c, hw::StorePolicyKind stores) {
  EXPECT_EQ(c.accesses, c.loads + c.stores + c.atomics + c.non_l1);
  EXPECT_EQ(c.loads, c.hits + c.hit_pending + c.partial_misses + c.misses);
  EXPECT_EQ(c.requests_down, c.partial_misses + c.misses);
  EXPECT_EQ(c.fills, c.requests_down);
  const bool update = stores == hw::StorePolicyKind::update;
  EXPECT_LE(c.doomed, c.store_invalidations + (update ? c.stores : 0));
  EXPECT_LE(c.store_updates, update ? c.stores : 0);
  EXPECT_LE(c.store_invalidations, c.stores + c.atomics);
}

// A kind of tags: legal parameters, and what none of them leads to.
struct Kind {
  const char* name;
  hw::L1dParams (*parameters)(verif::Draw&);
  std::set<std::string_view> never, stalls_never;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

class GoldenCycleL1d : public testing::TestWithParam<Kind> {
 protected:
  // Stores of some caches update lines.
  static hw::L1dParams parameters(verif::Draw& draw) {
    hw::L1dParams p = GetParam().parameters(draw);
    if (draw.percent(40)) p.store_policy = hw::StorePolicyKind::update;
    return p;
  }
};

INSTANTIATE_TEST_SUITE_P(
    Tags, GoldenCycleL1d,
    testing::Values(Kind{"ways", verif::random_l1d, {"bypasses"}, {"plan", "flush"}},
                    Kind{"split", verif::random_split, {"bypasses", "evicted_lines"}, {"flush"}},
                    Kind{"decoupled", verif::random_decoupled, {"bypasses"}, {"flush"}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(GoldenCycleL1d, AnswersEverythingOnceAndRight) {
  verif::Draw draw(11);
  L1dCounters all;
  std::map<Stall, int> stalls;
  for (int configuration = 0; configuration < 100; ++configuration) {
    const auto p = parameters(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::GoldenEnvironment environment(p, draw.bits(), random_traffic(draw));
    environment.run(3'000);
    environment.drain();
    expect_sums(environment.cache.counters(), p.store_policy);
    EXPECT_EQ(environment.fetches, environment.cache.counters().requests_down);
    for (const auto& [name, counter] : golden::counter_names)
      all.*counter += environment.cache.counters().*counter;
    for (const auto& [stall, cycles] : environment.stalls) stalls[stall] += cycles;
    if (HasFailure()) return;
  }
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_TRUE(GetParam().never.contains(name) || name.starts_with("bypasses_") || all.*counter > 100)
        << name << " never seen";
  for (size_t stall = 1; stall < golden::traffic_stalls; ++stall)
    EXPECT_TRUE(GetParam().stalls_never.contains(golden::stall_names[stall]) ||
                stalls[static_cast<Stall>(stall)] > 100)
        << golden::stall_names[stall] << " never seen";
}

TEST_P(GoldenCycleL1d, CountsLikeTheUntimedCoreWhereTimingCannotMatter) {
  verif::Draw draw(13);
  for (int configuration = 0; configuration < 60; ++configuration) {
    const auto p = parameters(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    verif::OneAtATime timed(p);
    const unsigned kinds = verif::kinds_of(p);
    const auto untimed = golden::FunctionalL1d::make(p);
    for (int i = 0; i < 1'500; ++i) {
      Request request{.mask = verif::random_mask(p, draw), .address = verif::random_address(p, draw)};
      if (draw.percent(15)) request.kind = static_cast<RequestKind>(1 + draw.below(kinds));
      timed.serve(request);
      golden::Result result{};
      untimed->access({&request, 1}, &result);
      if (draw.below(300) == 0) {
        timed.flush();
        untimed->flush();
      }
    }
    for (const auto& [name, counter] : golden::counter_names)
      EXPECT_EQ(timed.cache.counters().*counter, untimed->counters().*counter) << name;
    EXPECT_THAT(timed.cache.set_loads(), testing::ElementsAreArray(untimed->set_loads()));
    if (HasFailure()) return;
  }
}

golden::L1dIn random_inputs(const hw::L1dParams& p, verif::Draw& draw, std::vector<golden::L1dOut>& asked) {
  static const golden::LineData data{};
  static golden::ByteMask enables;
  golden::L1dIn in;
  in.rst = draw.below(500) == 0;
  in.core_request_valid = draw.percent(70);
  in.core_request_id = static_cast<std::uint32_t>(draw.below(32));
  in.core_request_kind = static_cast<RequestKind>(draw.percent(80) ? 0 : draw.below(4));
  in.core_request_address = verif::random_address(p, draw);
  in.core_request_mask = verif::random_mask(p, draw);
  enables = verif::bytes_of_chunks(p, in.core_request_kind == RequestKind::store ? in.core_request_mask : 0);
  in.core_request_byte_enable = &enables;
  in.core_response_ready = draw.percent(70);
  in.memory_request_ready = draw.percent(70);
  in.flush_valid = draw.percent(1);
  if (asked.empty() || draw.percent(50)) return in;
  in.memory_response_valid = true;
  in.memory_response_id = asked.back().memory_request_id;
  in.memory_response_mask = asked.back().memory_request_mask;
  in.memory_response_data = &data;
  return in;
}

TEST_P(GoldenCycleL1d, DataChangesNoTimingAndResetClearsAll) {
  verif::Draw draw(17);
  for (int configuration = 0; configuration < 30; ++configuration) {
    const auto p = parameters(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto with = golden::CycleL1d::make(p), without = golden::CycleL1d::make(p, false);
    auto fresh = golden::CycleL1d::make(p);  // made at the last reset
    std::vector<golden::L1dOut> asked;
    for (int i = 0; i < 3'000; ++i) {
      const auto in = random_inputs(p, draw, asked);
      const golden::L1dOut a = with->outputs(in), b = without->outputs(in), c = fresh->outputs(in);
      for (const golden::L1dOut& other : {b, c}) {
        ASSERT_EQ(a.core_request_ready, other.core_request_ready) << i;
        ASSERT_EQ(a.core_response_valid, other.core_response_valid) << i;
        ASSERT_EQ(a.memory_request_valid, other.memory_request_valid) << i;
        ASSERT_EQ(a.memory_response_ready, other.memory_response_ready) << i;
        ASSERT_EQ(a.flush_ready, other.flush_ready) << i;
        if (a.core_response_valid) {
          ASSERT_EQ(a.core_response_id, other.core_response_id) << i;
          ASSERT_EQ(a.core_response_mask, other.core_response_mask) << i;
        }
        if (a.memory_request_valid) {
          ASSERT_EQ(a.memory_request_id, other.memory_request_id) << i;
          ASSERT_EQ(a.memory_request_mask, other.memory_request_mask) << i;
        }
      }
      for (auto* cache : {with.get(), without.get(), fresh.get()}) cache->edge(in);
      if (in.memory_response_valid && a.memory_response_ready) asked.pop_back();
      if (a.memory_request_valid && in.memory_request_ready) asked.push_back(a);
      if (!in.rst) continue;
      asked.clear();
      fresh = golden::CycleL1d::make(p);
    }
    EXPECT_EQ(with->counters(), without->counters());
  }
}

}  // namespace
