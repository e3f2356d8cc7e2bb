// A cache behind the C interface comes to the figures of `l1forge explore` on the same sequence: a request
// list served one at a time, and an SM's run cycle by cycle, monitors and warp limit included.
#include <gmock/gmock.h>

#include "gen/explore/explore.h"
#include "gen/explore/memory_below.h"
#include "golden/gpu/front_end.h"
#include "golden/gpu/monitor_inputs_of_sm.h"
#include "golden/trace/open/open_trace.h"
#include "verif/full_tier.h"
#include "verif/library/client_cache.h"
#include "verif/parameters/golden_parameters.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using verif::ClientCache;

const std::string atax = verif::in_source("verif/traces/atax256_first_warps.rec.xz");

void expect_figures(const ClientCache& cache, const golden::L1dCounters& counters) {
  for (const auto& [name, counter] : golden::counter_names)
    EXPECT_EQ(cache.figure(std::string(name)), counters.*counter) << name;
  EXPECT_EQ(cache.rates().hit, gen::hit_rate(counters));
  EXPECT_EQ(cache.rates().miss, gen::miss_rate(counters));
  EXPECT_EQ(cache.rates().partial_miss, gen::partial_rate(counters));
  EXPECT_EQ(cache.rates().bypass, gen::bypass_rate(counters));
}

void serve(ClientCache& cache, const golden::Request& request) {
  l1forge_inputs in{};
  in.core_request_valid = in.core_response_ready = in.memory_request_ready = 1;
  in.core_request_kind = static_cast<std::uint8_t>(request.kind);
  in.core_request_address = request.address;
  in.core_request_mask = request.mask;
  for (bool answered = false; !answered || !cache.idle();) {
    const l1forge_outputs out = cache.outputs(in);
    cache.edge();
    answered |= out.core_response_valid;
    if (out.core_request_ready) in.core_request_valid = 0;
    if (out.memory_response_ready) in.memory_response_valid = 0;
    if (!out.memory_request_valid) continue;
    in.memory_response_valid = 1;
    in.memory_response_id = out.memory_request_id;
    in.memory_response_mask = out.memory_request_kind == L1FORGE_STORE ? 0 : out.memory_request_mask;
  }
}

class ListedRequests : public testing::TestWithParam<const char*> {};
// None has a monitor, for which cycles would count.
INSTANTIATE_TEST_SUITE_P(Caches, ListedRequests,
                         testing::Values("l1d", "l1d_sectored", "l1d_dsc", "l1d_reuse_filter"));

TEST_P(ListedRequests, AreServedAsWithoutTime) {
  const std::vector<std::string> settings = {"geometry.capacity_bytes=4096"};
  const gen::Config config = gen::load_config(GetParam(), settings);
  verif::Draw draw(3);
  ClientCache cache(GetParam(), settings);
  std::string list;
  for (int n = 0; n < 1500; ++n) {
    golden::Request request{.mask = static_cast<std::uint32_t>(draw.between(1, 15)),
                            .address = verif::random_address(config.get<hw::L1dParams>(), draw)};
    const char kind = "LLLLLLSA"[draw.below(8)];
    request.kind = kind == 'L'   ? golden::RequestKind::load
                   : kind == 'S' ? golden::RequestKind::store
                                 : golden::RequestKind::atomic;
    list += fmt::format("{} {:x} {:x}\n", kind, request.address, request.mask);
    serve(cache, request);
  }
  const verif::TempFolder folder;
  gen::ExploreRequest request;
  request.requests = folder.write("list", list);
  expect_figures(cache, gen::explore_list({config}, request, nullptr)[0].sms[0].counters);
}

// An SM in front of the interface, and what explore has below a cache.
class InterfaceRun {
 public:
  InterfaceRun(const gen::Config& config, const std::string& trace, const gen::ExploreRequest& request)
      : p_(config.get<hw::L1dParams>()),
        source_(golden::open_trace(trace)),
        gpu_(*source_, gen::gpu_params(p_, request)),
        memory_(gen::memory_below(p_, request, nullptr)),
        cache(config.source) {
    kernel_starts_ = gpu_.kernel_started();
    gpu_.tick();  // the cycle of the reset
    for (; !gpu_.done(); ++cycles) cycle();
  }

 private:
  void notify() {
    golden::MonitorInputs reported;
    if (hw::has_controller(p_)) {
      golden::MonitorSources(p_).drive_own_sm(reported, gpu_.sm(0));
      cache.drive("total", reported["total"]);
      cache.drive("issued", reported["issued"]);
      return cache.drive("kernel_start", kernel_starts_);
    }
    cache.drive("kernel_start", gpu_.kernel_started());
    const hw::BuclParams& bucl = p_.bypass.bucl;
    std::vector<std::uint8_t> used(static_cast<std::size_t>(bucl.sub_partitions));
    memory_->occupancy(used, static_cast<unsigned>(bucl.buffer_entries));
    for (std::size_t n = 0; n < used.size(); ++n) cache.drive(fmt::format("occupancy{}", n), used[n]);
    cache.drive(fmt::format("issued{}", bucl.designated_sm), gpu_.sm(0).issued_lanes());
  }
  void cycle() {
    golden::Sm& sm = gpu_.sm(0);
    notify();
    l1forge_inputs in{};
    in.core_response_ready = 1;
    in.flush_valid = sm.wants_flush();
    const golden::GpuRequest* const offer = sm.offer();
    if (offer) {
      in.core_request_valid = 1;
      in.core_request_id = offer->id;
      in.core_request_kind = static_cast<std::uint8_t>(offer->request.kind);
      in.core_request_address = offer->request.address;
      in.core_request_mask = offer->request.mask;
      in.core_request_degree = offer->request.sideband.degree;
      in.core_request_not_first = !offer->request.sideband.first;
    }
    golden::L1dIn below;
    memory_->drive(0, below);
    in.memory_request_ready = below.memory_request_ready;
    in.memory_response_valid = below.memory_response_valid;
    in.memory_response_id = below.memory_response_id;
    in.memory_response_mask = below.memory_response_mask;
    const l1forge_outputs out = cache.outputs(in);
    if (offer && out.core_request_ready) sm.accepted(offer->id);
    if (out.core_response_valid) sm.answered(static_cast<std::uint32_t>(out.core_response_id));
    if (in.flush_valid && out.flush_ready) sm.flushed();
    if (p_.limit.kind == hw::LimitKind::adaptive) {
      limits.push_back(static_cast<int>(cache.read("limit")));
      sm.limit_to(limits.back());
    }
    golden::L1dOut sent;
    sent.memory_request_valid = out.memory_request_valid;
    sent.memory_request_id = out.memory_request_id;
    sent.memory_request_kind = static_cast<golden::RequestKind>(out.memory_request_kind);
    sent.memory_request_address = out.memory_request_address;
    sent.memory_request_mask = out.memory_request_mask;
    sent.memory_response_ready = out.memory_response_ready;
    memory_->take(0, below, sent);
    cache.edge();
    memory_->tick();
    gpu_.tick();
    kernel_starts_ = gpu_.kernel_started();
  }

  const hw::L1dParams p_;
  const std::unique_ptr<golden::TraceSource> source_;
  golden::FrontEnd gpu_;
  const std::unique_ptr<golden::MemorySide> memory_;
  bool kernel_starts_ = false;  // of the controller; explore signals a start during the reset, too

 public:
  ClientCache cache;
  std::uint64_t cycles = 0;
  std::vector<int> limits;
};

class TimedRuns : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Caches, TimedRuns,
                         testing::ValuesIn(verif::first_of<const char*>(
                             4, {"l1d", "l1d_tsc", "l1d_bucl", "l1d_iacm", "l1d_sectored", "l1d_dsc",
                                 "l1d_adi", "l1d_gpu", "l1d_mrpb"})));

TEST_P(TimedRuns, AreThoseOfExplore) {
  const std::string trace = atax + (verif::full_tier() ? "" : "?accesses=100");
  const gen::Config config = gen::load_config(GetParam());
  gen::ExploreRequest request;
  request.traces = {trace};
  request.timed = true;
  request.threads = 1;
  const gen::RunResult want = gen::explore_timed({config}, request)[0];
  const InterfaceRun run(config, trace, request);
  EXPECT_EQ(run.cycles, want.cycles);
  expect_figures(run.cache, want.sms[0].counters);
  for (std::size_t cause = 1; cause < golden::traffic_stalls; ++cause)
    EXPECT_EQ(run.cache.figure(fmt::format("stall_{}", golden::stall_names[cause])),
              want.sms[0].stalls[cause])
        << golden::stall_names[cause];
  for (const golden::History& history : want.sms[0].histories)
    if (history.name == "limit_history") {
      EXPECT_EQ(run.limits.back(), history.changes.back().value[0]);
    }
}

}  // namespace
