// Shared L1s with a DynEB controller for each core: untimed phases and decisions, refusals, planted faults
// and beside them lock step of a small topology.
#include "gen/unit.h"
#include "golden/topology/functional_dyneb.h"
#include "verif/mutate/hunt.h"
#include "verif/noc/lock_step.h"
#include "verif/topology/small_topologies.h"

namespace {

using golden::CoreRequest, golden::FunctionalTopology, golden::RequestKind, golden::Result, golden::Served;
using verif::high, verif::low;

hw::TopologyParams controlled(const hw::DynebParams& dyneb, bool guard) {
  hw::TopologyParams p{.shape = {.kind = hw::TopologyKind::shared, .cores = 28, .slices = 8}};
  p.shared.organisation = hw::Organisation::dyneb;
  p.shared.dyneb = dyneb;
  p.shared.own_store_guard = guard;
  p.shared.min_home_l2 = false;
  p.l1d.index.sets = hw::sets_of(p.l1d);
  return p;
}

class Untimed {
 public:
  explicit Untimed(const hw::DynebParams& dyneb, bool guard = true)
      : topology_(FunctionalTopology::make(controlled(dyneb, guard))) {}

  Served ask(int core, std::uint64_t address, RequestKind kind = RequestKind::load) {
    const CoreRequest request{core, {.kind = kind, .address = address, .mask = 1}};
    Served served;
    topology_->access({&request, 1}, &served);
    return served;
  }
  FunctionalTopology& topology() { return *topology_; }

 private:
  std::unique_ptr<FunctionalTopology> topology_;
};

std::string refusal(const verif::Flags& settings) {
  try {
    gen::elaborate(gen::load_config("shared_l1", verif::with(verif::small_dyneb(), settings)));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// The home of a line is its address bits 16 to 12; bit 7 is the lowest of its set.
TEST(SharedDyneb, SamplesEvenSetsPrivateAndOddOnesShared) {
  Untimed cores({});
  EXPECT_EQ(cores.ask(9, 0x3000).node, 9) << "even sets are private";
  EXPECT_EQ(cores.ask(9, 0x3080), (Served{9, 3, 0, Result::miss}));
  EXPECT_EQ(cores.ask(3, 0x3080), (Served{3, 3, -1, Result::hit})) << "its home is core 3";
}

// The request that finds the limit reached, and the next, go as before; the third as was decided.
TEST(SharedDyneb, ThirdRequestBehindASampleIsTheFirstOfTheNewOrganisation) {
  Untimed cores({.sample_accesses = 2, .miss_percent = 0});
  for (const std::uint64_t address : {0x3000, 0x3100, 0x3080, 0x3180}) cores.ask(3, address);
  EXPECT_EQ(cores.ask(3, 0x9080).node, 9) << "EVAL: odd sets are shared";
  EXPECT_EQ(cores.ask(3, 0x9180).node, 9) << "DRAIN";
  EXPECT_EQ(cores.ask(3, 0x9280).node, 3);
  const golden::History& history = *cores.topology().decisions(3);
  ASSERT_EQ(history.changes.size(), 2u);
  EXPECT_EQ(history.label(history.changes[1].value[0]), "private: a tie") << "both groups missed alike";
}

// Core 2 stores to 3000 and brings 3100 to its own L1 while even sets are private; home replies make it find
// that shared L1s are better.
TEST(SharedDyneb, OwnStoresAreSeenBehindAChange) {
  for (const bool guard : {true, false}) {
    Untimed cores({.sample_accesses = 2, .miss_percent = 0}, guard);
    cores.ask(2, 0x3000, RequestKind::store);
    for (int n = 0; n < 5; ++n) cores.ask(2, 0x3080);
    for (const std::uint64_t address : {0x2000, 0x3100, 0x2080, 0x2080}) cores.ask(2, address);
    for (int n = 0; n < 2; ++n) cores.ask(2, 0x2000);  // EVAL and DRAIN
    EXPECT_EQ(cores.ask(2, 0x3200).node, 3) << "even sets are shared";
    EXPECT_EQ(cores.ask(2, 0x3000).node, guard ? -1 : 3) << "what it stored to past its home";
    EXPECT_TRUE(cores.topology().cache(2).holds(0x3100));
    EXPECT_EQ(cores.ask(2, 0x3100, RequestKind::store).node, 3);
    EXPECT_EQ(cores.topology().cache(2).holds(0x3100), !guard);
  }
}

TEST(SharedDyneb, FlushBeginsAnew) {
  Untimed cores({});
  cores.ask(2, 0x3000, RequestKind::store);
  cores.ask(9, 0x3080);
  cores.topology().flush();
  EXPECT_FALSE(cores.topology().cache(3).holds(0x3080));
  EXPECT_EQ(cores.topology().decisions(2)->changes.size(), 1u) << "it sampled before";
}

TEST(SharedDyneb, Refusals) {
  EXPECT_EQ(refusal({"index.kind=adi"}),
            "-s index.kind=adi: index.kind = adi: moves lines between even and odd sets, which a controller "
            "compares; use another index, or shared.organisation = \"shared\"");
  EXPECT_EQ(
      refusal({"dyneb.sample_accesses=0"}),
      "-s dyneb.sample_accesses=0: dyneb.sample_accesses = 0: must be from 1 to 1023; the nearest is 1");
}

// The sound unit runs here, too.
TEST(SharedDyneb, EveryPlantedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"requests_enter_a_drain", "_core", "request_ready", "~hold", high()},
      {"sets_change_over_too_early", "_core_dyneb", "drained", "~(|open_q)", high()},
      {"a_flush_beside_a_marked_filter", "_core", "flush_ready", "~dirty_q", high()},
      {"fills_are_of_even_sets", "_core", "out1_word", "missed_origin", low()},
      {"stores_leave_without_their_drop", "_core", "out0_valid", "drop_goes", high()},
      {"drops_are_stores", "_core", "l1_request_word", "drops", low()},
      {"lines_are_not_dropped", "_core", "drops", "", low()},
      {"nothing_is_marked", "_core", "marks", "", low()},
      {"marks_are_not_found", "_core", "written", "", low()},
      {"a_mark_is_read_late", "_core", "written", "fresh_q", low()},
      {"marks_outlive_a_flush", "_core", "clear_filter", "", low()},
      {"sets_of_own_requests_are_even", "_core", "odd_q", "", low()}};
  verif::expect_all_found("shared_l1", verif::small_dyneb(), faults, {.cycles = 60'000});
}
