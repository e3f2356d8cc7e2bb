// L1 subsystem: the requests at its cache, lock step with each axis of the cache, traces, refusals, injected
// faults.
#include "golden/coalescer/l1_subsystem.h"

#include <nlohmann/json.hpp>

#include "cosim/coalescer/lane_trace.h"
#include "gen/files.h"
#include "gen/unit/unit.h"
#include "golden/trace/coalesce.h"
#include "golden/trace/open/open_trace.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::high, verif::inverted, verif::low;

const std::vector<std::string> small{
    "coalescer.lanes=8", "coalescer.instructions=4", "geometry.capacity_bytes=2048", "mshr.entries=4",
    "core.id_bits=4",    "geometry.line_bytes=64",   "geometry.chunk_bytes=16"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), small.begin(), small.end());
  return more;
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("l1_subsystem", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

// A kernel in front of the model, with a memory that answers in the next cycle: the requests at the cache.
std::vector<golden::LineAccess> requests_of(const std::string& trace, const hw::L1SubsystemParams& p) {
  verif::LaneTrace lanes(trace, hw::coalescer_of(p));
  golden::L1Subsystem unit(p);
  std::optional<golden::Message> answer;
  std::vector<golden::LineAccess> requests;
  for (int cycle = 0; cycle < 1'000'000 && !lanes.done(); ++cycle) {
    const auto& out = unit.outputs({.rst = cycle == 0,
                                    .flush_valid = lanes.wants_flush(),
                                    .lane_request = lanes.offered(),
                                    .lane_response_ready = true,
                                    .memory_request_ready = !answer,
                                    .memory_response = answer ? &*answer : nullptr});
    std::optional<golden::Message> next = answer;
    if (cycle > 0) {
      const auto& request = unit.request();
      if (request && out.cache.core_request_ready) requests.push_back({request->address, request->mask});
      if (answer && out.cache.memory_response_ready) next.reset();
      if (!answer && out.cache.memory_request_valid) {
        next = golden::Message{.id = out.cache.memory_request_id, .mask = out.cache.memory_request_mask};
        if (out.cache.memory_request_kind == golden::RequestKind::store) next->mask = 0;
      }
      const auto lane_answer = out.lanes.lane_response;
      const bool taken = lanes.offered() && out.lanes.lane_request_ready;
      const bool flushed = lanes.wants_flush() && out.cache.flush_ready;
      const bool drained = unit.coalescer().drained();
      unit.edge();
      lanes.edge(taken, lane_answer ? &*lane_answer : nullptr, flushed, drained);
    } else {
      unit.edge();
    }
    answer = next;
  }
  EXPECT_TRUE(lanes.done()) << trace;
  return requests;
}

// What the front end of traces sends to a cache, warp by warp: a warp's requests in this order, among
// others'.
std::vector<golden::LineAccess> coalesced(const std::string& trace, const hw::L1SubsystemParams& p) {
  const auto source = golden::open_trace(trace);
  golden::KernelInfo info;
  golden::Record record;
  std::vector<golden::LineAccess> all, lines;
  while (source->next_kernel(info))
    while (source->next(record)) {
      if (record.lanes() == 0 || record.is_barrier()) continue;
      golden::coalesce(record, p.l1d.line_bytes, p.l1d.chunk_bytes, lines);
      all.insert(all.end(), lines.begin(), lines.end());
    }
  return all;
}

std::vector<golden::LineAccess> sorted(std::vector<golden::LineAccess> requests) {
  std::ranges::sort(requests, {}, [](const golden::LineAccess& a) { return std::pair(a.line, a.mask); });
  return requests;
}

}  // namespace

TEST(L1Subsystem, AsksTheCacheWhatTheFrontEndOfTracesAsks) {
  for (const char* kernel :
       {"builtin:atax?nx=64,ny=64", "builtin:kmeans?points=128", "builtin:bicg?nx=64,ny=64"}) {
    const auto requests = requests_of(kernel, {});
    EXPECT_GT(requests.size(), 1'000u) << kernel;
    EXPECT_EQ(sorted(requests), sorted(coalesced(kernel, {}))) << kernel;
  }
  // Of a single warp they come in the same order.
  const std::string one_warp = "builtin:atax?nx=32,ny=32";
  EXPECT_EQ(requests_of(one_warp, {}), coalesced(one_warp, {}));
}

TEST(L1Subsystem, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("l1_subsystem", small, full ? 2'000'000 : 60'000, verif::fresh_seed(5));
  verif::expect_same("l1_subsystem",
                     with({"tags.kind=split", "index.kind=pli", "bypass.kind=bucl", "coalescer.stages=4"}),
                     full ? 1'000'000 : 60'000, verif::fresh_seed(6));
  verif::expect_same("l1_subsystem", with({"memory.protocol=axi4", "coalescer.stages=2"}),
                     full ? 1'000'000 : 60'000, verif::fresh_seed(7));
}

// Bits of the cache's RAMs flip under random traffic.
TEST(L1Subsystem, LockStepUnderUpsets) {
  verif::expect_same("l1_subsystem", with({"ecc.data=secded", "ecc.tags=parity", "ecc.mshr=secded"}),
                     verif::full_tier() ? 1'000'000 : 120'000, verif::fresh_seed(8));
  if (!verif::full_tier()) return;
  verif::expect_same("l1_subsystem",
                     with({"memory.protocol=axi4", "ecc.data=parity", "ecc.tags=secded", "ecc.mshr=parity"}),
                     1'000'000, verif::fresh_seed(9));
}

// A kernel on the lanes of the Verilog; of eight lanes a warp takes four turns.
TEST(L1Subsystem, AKernelInLockStep) {
  const gen::TempDir folder("l1_subsystem");
  std::vector<std::string> call{"cosim",  "l1_subsystem",     "--trace", "builtin:atax?nx=32,ny=32",
                                "--json", folder / "out.json"};
  for (const char* setting : {"coalescer.lanes=8", "coalescer.instructions=4", "core.id_bits=4"})
    call.insert(call.end(), {"-s", setting});
  const gen::Finished done = verif::l1forge(call);
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, testing::HasSubstr("in lock step with golden, no mismatch"));
  const auto trace = nlohmann::json::parse(gen::read_file(folder / "out.json"))["traces"][0];
  EXPECT_EQ(trace["trace"], "builtin:atax?nx=32,ny=32");
  EXPECT_EQ(trace["instructions"], 194);
  EXPECT_GT(trace["counters"]["loads"], 1'000);
  call.insert(call.end(), {"--scheduler", "lrr"});
  EXPECT_THAT(verif::l1forge(call).output, testing::HasSubstr("--scheduler lrr: warps in front of lanes"));
}

TEST(L1Subsystem, Refusals) {
  EXPECT_EQ(refusal({"coalescer.lanes=24"}),
            "-s coalescer.lanes=24: coalescer.lanes = 24: must be a power of two from 4 to 64; the nearest "
            "are 16 and 32");
  EXPECT_THAT(refusal({"core.peeks=true"}), testing::HasSubstr("core.peeks"));
  EXPECT_THAT(refusal({"mshr.entries=0"}), testing::HasSubstr("mshr.entries = 0"));
}

// The parts have their own; here are those of what lies between them. The sound unit runs, too.
TEST(L1Subsystem, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"answers_are_lost", "", "coalescer.core_response_valid", "", low()},
      {"answers_of_nobody", "", "cache.core_response_ready", "", low()},
      {"requests_are_lost", "", "cache.core_request_valid", "", low()},
      {"the_cache_is_always_ready", "", "coalescer.core_request_ready", "", high()},
      {"every_request_is_a_load", "", "cache.core_request_kind", "", low()},
      {"bytes_are_not_enabled", "", "cache.core_request_byte_enable", "", low()},
      {"all_bytes_are_enabled", "", "cache.core_request_byte_enable", "", high()},
      {"stored_bytes_are_inverted", "", "cache.core_request_data", "", inverted()},
      {"loaded_bytes_are_inverted", "", "coalescer.core_response_data", "", inverted()},
      {"all_requests_have_one_id", "", "cache.core_request_id", "", low()},
      {"all_answers_have_one_id", "", "coalescer.core_response_id", "", low()},
      {"all_sectors_are_asked_for", "", "cache.core_request_mask", "", high()},
      {"a_flush_is_lost", "", "cache.flush_valid", "", low()}};
  verif::expect_all_found("l1_subsystem", small, faults, {.cycles = 60'000});
}

TEST(L1Subsystem, InjectedFaultsOfProtectedRamsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_all_found(
      "l1_subsystem", with({"ecc.data=secded", "ecc.tags=parity", "ecc.mshr=secded"}),
      std::vector<verif::Fault>{{"wrong_read_given", "_cache", "withdrawn", "found_wrong", low()},
                                {"wrong_tags_stay", "_cache_tags", "emptied_ways", "tag_wrong", low()},
                                {"wrong_request_leaves", "_cache_miss_queue", "pop", "request_wrong", low()},
                                {"not_reported", "_cache", "ecc_refetched", "tags_wrong", low()}},
      {.cycles = 80'000});
}
