// L1 data cache in banks: lock step with each axis of the cache, a kernel, turns and orders that the contract
// promises, the untimed model, refusals, injected faults.
#include "hw/banks/banked_l1d.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "gen/files.h"
#include "gen/unit/unit.h"
#include "golden/banks/banked_l1d.h"
#include "golden/banks/banked_l1d_functional.h"
#include "verif/full_tier.h"
#include "verif/mutate/mutation_run.h"
#include "verif/run_l1forge.h"
#include "verif/unit_lock_step.h"

namespace {

using rtl::Expr;
using verif::high, verif::low, verif::Nets;

const std::vector<std::string> small{"geometry.capacity_bytes=4096",
                                     "geometry.line_bytes=64",
                                     "geometry.chunk_bytes=16",
                                     "mshr.entries=16",
                                     "mshr.merges=2",
                                     "core.id_bits=4"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), small.begin(), small.end());
  return more;
}

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("l1d_banks", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

hw::BankedL1dParams params_of(const std::vector<std::string>& settings) {
  return gen::load_config("l1d_banks", settings).get<hw::BankedL1dParams>();
}

golden::Message load_of(std::uint64_t id, std::uint64_t address) {
  return {.id = id, .address = address, .mask = 1};
}

}  // namespace

TEST(BankedL1d, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("l1d_banks", small, full ? 2'000'000 : 80'000, verif::fresh_seed(5));
  verif::expect_same("l1d_banks",
                     with({"core.banks=2", "tags.kind=split", "index.kind=pli", "counters.enable=true"}),
                     full ? 1'000'000 : 80'000, verif::fresh_seed(6));
  verif::expect_same("l1d_banks",
                     with({"tags.store_policy=update", "index.kind=pli", "bypass.kind=mrpb",
                           "core.request_slice=true", "probe.ports=true"}),
                     full ? 1'000'000 : 80'000, verif::fresh_seed(7));
}

// Bits of the banks' RAMs flip under random traffic.
TEST(BankedL1d, LockStepUnderUpsets) {
  const bool full = verif::full_tier();
  verif::expect_same("l1d_banks", with({"ecc.data=secded", "ecc.tags=parity", "ecc.mshr=secded"}),
                     full ? 1'000'000 : 120'000, verif::fresh_seed(8));
  if (full)
    verif::expect_same("l1d_banks", with({"core.banks=2", "ecc.data=parity", "ecc.tags=secded"}), 1'000'000,
                       verif::fresh_seed(9));
}

TEST(BankedL1d, AKernelInLockStep) {
  const gen::TempDir folder("l1d_banks");
  const gen::Finished done = verif::l1forge(
      {"cosim", "l1d_banks", "--trace", "builtin:atax?nx=32,ny=32", "--json", folder / "out.json"});
  ASSERT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, testing::HasSubstr("in lock step with golden, no mismatch"));
  const auto trace = nlohmann::json::parse(gen::read_file(folder / "out.json"))["traces"][0];
  // explore's model of the same kernel takes the same cycles.
  const gen::Finished explored = verif::l1forge(
      {"explore", "l1d_banks", "--trace", "builtin:atax?nx=32,ny=32", "--json", folder / "explore.json"});
  ASSERT_EQ(explored.status, 0) << explored.output;
  const auto run = nlohmann::json::parse(gen::read_file(folder / "explore.json"))["runs"][0];
  EXPECT_EQ(run["cycles"], trace["cycles"]);
  EXPECT_EQ(run["loads"], trace["counters"]["loads"]);
  EXPECT_EQ(run["misses"], trace["counters"]["misses"]);
}

// Every port asks for one bank in every cycle: each waits for the others once and no longer.
TEST(BankedL1d, PortsOfABankAreServedInTurn) {
  const hw::BankedL1dParams p = params_of({});
  golden::BankedL1d cache(p, false);
  golden::BankedL1d::In in{.rst = true};
  cache.outputs(in);
  cache.edge(in);
  in.rst = false;
  in.response_ready.fill(true);
  in.memory.memory_request_ready = true;
  std::array<golden::Message, 4> loads;
  std::vector<int> served;
  std::uint64_t id = 0;
  for (int port = 0; port < 4; ++port) loads[port] = load_of(id++, 0), in.request[port] = &loads[port];
  for (int cycle = 0; cycle < 40 && served.size() < 8; ++cycle) {
    const auto& out = cache.outputs(in);
    std::vector<int> ready;
    for (int port = 0; port < 4; ++port)
      if (out.request_ready[port]) ready.push_back(port);
    cache.edge(in);
    ASSERT_LE(ready.size(), 1u);
    for (const int port : ready) served.push_back(port), loads[port].id = id++;
  }
  EXPECT_THAT(served, testing::ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

// Ports of different banks do not wait for each other, and a hit takes two cycles as in a cache alone.
TEST(BankedL1d, FourHitsACycle) {
  const hw::BankedL1dParams p = params_of({});
  golden::BankedL1d cache(p, false);
  golden::BankedL1d::In in{.rst = true};
  cache.outputs(in);
  cache.edge(in);
  in.rst = false;
  in.response_ready.fill(true);
  in.memory.memory_request_ready = true;
  std::array<golden::Message, 4> loads;
  for (int port = 0; port < 4; ++port)
    loads[port] = load_of(static_cast<std::uint64_t>(port), static_cast<std::uint64_t>(128 * port));
  // The lines come first.
  for (int port = 0; port < 4; ++port) in.request[port] = &loads[port];
  cache.outputs(in);
  cache.edge(in);
  in.request = {};
  std::vector<std::uint64_t> fetches;
  for (int cycle = 0, filled = 0; cycle < 60 && filled < 4; ++cycle) {
    in.memory.memory_response_valid = !fetches.empty();
    if (!fetches.empty()) {
      in.memory.memory_response_id = fetches.back();
      in.memory.memory_response_mask = 0xf;
    }
    const auto& out = cache.outputs(in);
    if (in.memory.memory_response_valid && out.memory.memory_response_ready) fetches.pop_back(), ++filled;
    if (out.memory.memory_request_valid) fetches.push_back(out.memory.memory_request_id);
    cache.edge(in);
  }
  in.memory.memory_response_valid = false;
  for (int cycle = 0; cycle < 10; ++cycle) cache.outputs(in), cache.edge(in);
  for (int port = 0; port < 4; ++port) in.request[port] = &loads[port];
  std::vector<int> answers;
  for (int cycle = 0; cycle < 12; ++cycle) {
    const auto& out = cache.outputs(in);
    EXPECT_THAT(out.request_ready, testing::Each(true)) << cycle;
    answers.push_back(static_cast<int>(
        std::ranges::count_if(out.response, [](const auto& response) { return response.has_value(); })));
    cache.edge(in);
  }
  EXPECT_THAT(answers, testing::ElementsAre(0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4));
  EXPECT_EQ(cache.counters().hits, 44u);
}

// A bank sees a share of the lines: the banks together hold what a cache of the same sets holds.
TEST(BankedL1d, UntimedBanksHoldTheLinesOfOneCache) {
  const hw::BankedL1dParams p = params_of({});
  golden::FunctionalBanks banks(p);
  const auto whole = golden::FunctionalL1d::make(gen::load_config("l1d", {}).get<hw::L1dParams>());
  std::mt19937_64 draw(3);
  std::vector<golden::Request> requests;
  for (int n = 0; n < 20'000; ++n)
    requests.push_back({.kind = draw() % 8 ? golden::RequestKind::load : golden::RequestKind::store,
                        .mask = 1u + static_cast<std::uint32_t>(draw() % 15),
                        .address = draw() % 400 * 128});
  std::vector<golden::Result> of_banks(requests.size()), of_one(requests.size());
  banks.access(requests, of_banks.data());
  whole->access(requests, of_one.data());
  EXPECT_EQ(of_banks, of_one);  // the low bits of the index are the bank's number, the other bits its set
  EXPECT_EQ(banks.counters(), whole->counters());
  auto lines = banks.resident_lines(), wanted = whole->resident_lines();
  std::ranges::sort(lines), std::ranges::sort(wanted);
  EXPECT_EQ(lines, wanted);
  EXPECT_TRUE(banks.holds(lines[0]));
}

TEST(BankedL1d, Refusals) {
  EXPECT_EQ(refusal({"core.banks=3"}),
            "-s core.banks=3: core.banks = 3: must be a power of two from 2 to 4; the nearest are 2 and 4");
  EXPECT_EQ(refusal({"mshr.entries=6"}),
            "-s mshr.entries=6: mshr.entries = 6: must be a multiple of core.banks, 4; use 8");
  EXPECT_EQ(refusal({"mshr.miss_queue=6"}),
            "-s mshr.miss_queue=6: mshr.miss_queue = 6: must be a multiple of core.banks, 4; use 8");
  EXPECT_EQ(refusal({"geometry.capacity_bytes=2048"}),
            "-s geometry.capacity_bytes=2048: geometry.capacity_bytes = 2048: must be at least 4096, 1024 a "
            "bank; use 4096");
  EXPECT_EQ(refusal({"bypass.kind=bucl"}),
            "-s bypass.kind=bucl: bypass.kind = bucl: one load's requests go to several banks, none of which "
            "sees the first of each load; use mrpb, or none");
  EXPECT_THAT(refusal({"index.kind=rxi"}), testing::HasSubstr("the bank is cut from them here"));
  EXPECT_THAT(refusal({"geometry.capacity_bytes=32768", "geometry.ways=64"}),
              testing::HasSubstr("makes banks of 1 set, and hardware has at least 2"));
  EXPECT_THAT(refusal({"memory.protocol=axi4"}), testing::HasSubstr("memory.protocol"));
}

// The caches have their own; here are those of what lies around them. The sound unit runs, too.
TEST(BankedL1d, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"requests_are_lost", "_bank", "cache.core_request_valid", "", low()},
      {"a_bank_is_always_ready", "_bank", "taken", "ready", high()},
      {"all_requests_are_of_port_0", "_bank", "cache.core_request_id", "port", low()},
      {"a_port_sees_another_port_s_ready", "", "port1_request_ready", "",
       [](const Expr&, const Nets& net) { return net("ports_ready").bit(2); }},
      {"a_request_goes_to_another_bank", "", "to_bank", "port2_bank[1]", low()},
      {"a_request_goes_to_two_banks", "", "to_bank", "port2_bank[1]",
       [](const Expr&, const Nets& net) { return net("port2_request_valid"); }},
      {"the_bank_s_bits_are_missing_in_memory", "", "memory_request_address", "fetch_bank", low()},
      {"the_bank_s_bits_are_missing_in_ids", "", "memory_request_id", "fetch_bank", low()},
      {"answers_of_memory_go_to_bank_0", "", "bank.memory_response_valid", "",
       [](const Expr&, const Nets& net) { return net("fill_valid").bit(0); }},
      {"an_answer_for_a_port_is_lost", "", "to_port", "answer2_port[1]", low()},
      {"an_answer_is_taken_unseen", "", "answer_ready", "ports_take[to]", high()},
      {"an_answer_stays", "", "answer_ready", "ports_take[to]", low()},
      {"memory_takes_all_requests", "", "fetch_ready", "fetch_grant", high()},
      {"an_answer_changes_while_it_waits", "_port", "pointer_q", "ready", high()},
      {"a_port_favours_a_bank", "_port", "pointer_q", "ready", low()},
      {"a_bank_favours_a_port", "_bank_input", "pointer_q", "ready", low()},
      {"memory_favours_a_bank", "_memory", "pointer_q", "ready", low()},
      {"a_bank_begins_with_port_1", "_bank_input", "pointer_q", verif::reset_value, verif::stuck(14)},
      {"a_flush_is_lost", "", "bank.flush_valid", "", low()},
      {"a_flush_does_not_wait", "", "flush_ready", "", high()}};
  verif::expect_all_found("l1d_banks", small, faults, {.cycles = 80'000});
}

// Memory is never ready for a bank without a valid request, so a wrong request of a bank cannot leave.
TEST(BankedL1d, InjectedFaultsOfProtectedRamsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_all_found(
      "l1d_banks", with({"ecc.data=secded", "ecc.tags=parity", "ecc.mshr=secded"}),
      std::vector<verif::Fault>{{"wrong_read_given", "_cache", "withdrawn", "found_wrong", low()},
                                {"wrong_tags_stay", "_cache_tags", "emptied_ways", "tag_wrong", low()},
                                {"not_reported", "_cache", "ecc_refetched", "tags_wrong", low()}},
      {.cycles = 80'000});
}
