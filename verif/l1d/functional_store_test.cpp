// The untimed cache on a tag store against the loops that caches without a policy or with MRPB's bypass have
// of their own: result for result, on every tag organisation.
#include "golden/l1d/functional_store.h"

#include <gmock/gmock.h>

#include "verif/l1d/golden_history.h"
#include "verif/parameters/decoupled_parameters.h"
#include "verif/parameters/reuse_filter_parameters.h"
#include "verif/parameters/split_parameters.h"

namespace {

using golden::FunctionalL1d, golden::Request, golden::RequestKind, golden::Result;

hw::L1dParams random_cache(verif::Draw& draw) {
  if (draw.percent(15)) return verif::random_wide_l1d(draw);
  if (draw.percent(20)) return verif::random_adaptive_decoupled(draw);
  hw::L1dParams p = draw.percent(40)   ? verif::random_l1d(draw)
                    : draw.percent(50) ? verif::random_split(draw)
                                       : verif::random_reuse_l1d(draw);
  if (p.tags == hw::TagKind::conventional || p.tags == hw::TagKind::sectored)
    if (draw.percent(30)) p.bypass.kind = hw::BypassKind::mrpb;
  return draw.percent(25) ? verif::with_adaptive_index(p, draw, 256) : p;
}

std::vector<Request> random_requests(const hw::L1dParams& p, verif::Draw& draw, int n) {
  std::vector<Request> requests;
  for (int i = 0; i < n; ++i) {
    const bool filtered = p.tags == hw::TagKind::reuse_filter;
    Request request{
        .stalls = draw.percent(10),
        .mask = verif::random_mask(p, draw),
        .address = filtered ? verif::random_reuse_address(p, draw) : verif::random_address(p, draw)};
    if (draw.percent(10)) request.kind = static_cast<RequestKind>(1 + draw.below(verif::kinds_of(p)));
    requests.push_back(request);
  }
  return requests;
}

TEST(FunctionalStore, EqualsTheLoops) {
  verif::Draw draw(83);
  std::uint64_t hits = 0, bypasses = 0, stalled = 0, modes = 0, changes = 0;
  for (int configuration = 0; configuration < 150; ++configuration) {
    const hw::L1dParams p = random_cache(draw);
    SCOPED_TRACE(testing::PrintToString(p));
    const auto loops = FunctionalL1d::make(p);
    golden::FunctionalStore store(p, golden::Policy::make(p));
    for (int round = 0; round < 10; ++round) {
      golden::Controls controls;
      for (const hw::Control c : hw::all_controls) controls[c] = draw.below(2);
      loops->steer(controls);
      store.steer(controls);
      const auto requests = random_requests(p, draw, 200);
      std::vector<Result> want(requests.size()), got(requests.size());
      loops->access(requests, want.data());
      store.access(requests, got.data());
      ASSERT_EQ(got, want);
      if (draw.percent(80)) continue;
      loops->flush();
      store.flush();
    }
    for (const auto& [name, counter] : golden::counter_names)
      EXPECT_EQ(store.counters().*counter, loops->counters().*counter) << name;
    EXPECT_THAT(store.set_loads(), testing::ElementsAreArray(loops->set_loads()));
    EXPECT_THAT(store.resident_lines(), testing::UnorderedElementsAreArray(loops->resident_lines()));
    for (const char* name : {"mode_history", "adi_history"})
      EXPECT_EQ(verif::changes_of(store, name), verif::changes_of(*loops, name));
    EXPECT_EQ(store.decisions(), loops->decisions());
    for (const std::uint64_t line : loops->resident_lines()) EXPECT_TRUE(store.holds(line));
    hits += store.counters().hits;
    bypasses += store.counters().bypasses;
    stalled += store.counters().bypasses_stall;
    modes += verif::changes_of(store, "mode_history").size() > 1;
    changes += verif::changes_of(store, "adi_history").size() > 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(hits, 1000u);
  EXPECT_GT(bypasses, 1000u);
  EXPECT_GT(stalled, 500u);
  EXPECT_GT(modes, 0u);
  EXPECT_GT(changes, 3u);
}

}  // namespace
