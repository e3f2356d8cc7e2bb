// L1 data caches whose waiting loads and queued requests are protected: lock step while bits of their RAMs
// flip, every byte of every load and request checked; injected faults; what is refused.
#include <gmock/gmock.h>

#include <map>

#include "gen/config/catalogue.h"
#include "gen/generate.h"
#include "gen/unit/unit.h"
#include "hw/l1d/l1d.h"
#include "verif/full_tier.h"
#include "verif/l1d/lock_step.h"
#include "verif/l1d/scarce_l1d.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"

namespace {

using Settings = std::vector<std::string>;

Settings small(const std::string& code, const Settings& more = {}) {
  return verif::scarce_l1d("ecc.mshr=" + code, more);
}

nlohmann::json expect_no_silent_upset(const std::string& preset, const Settings& settings) {
  const gen::Config config = gen::load_config(preset, settings);
  SCOPED_TRACE(config.top);
  const auto run =
      verif::lock_step(config, {.random_cycles = verif::full_tier() ? 1'000'000 : 150'000, .coverage = true});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
  return run.report;
}

}  // namespace

TEST(ProtectedRows, ParityInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", small("parity", {"counters.enable=true"}));
  expect_no_silent_upset("l1d_dsc", small("parity", {"mshr.merges=4"}));
}

TEST(ProtectedRows, SecdedInLockStepUnderUpsets) {
  const auto report = expect_no_silent_upset("l1d_sectored", small("secded", {"ecc.data=secded"}));
  EXPECT_EQ(report["upsets"].size(), 5u);
  expect_no_silent_upset("l1d_tsc", small("secded", {"mshr.miss_queue=1"}));
}

TEST(ProtectedRows, MoreCaches) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const char* code : {"parity", "secded"}) {
    for (const char* preset :
         {"l1d", "l1d_sectored", "l1d_gpu", "l1d_reuse_filter", "l1d_tsc", "l1d_tsc_plus", "l1d_dsc"})
      expect_no_silent_upset(preset, {fmt::format("ecc.mshr={}", code)});
    expect_no_silent_upset("l1d", small(code, {"core.peeks=true", "core.drops=true", "core.pc_bits=9"}));
    expect_no_silent_upset("l1d", small(code, {"tags.store_on_pending=merge", "mshr.merges=1"}));
    expect_no_silent_upset("l1d",
                           small(code, {"ecc.data=parity", "ecc.tags=secded", "geometry.address_bits=20"}));
    expect_no_silent_upset("l1d",
                           small(code, {"mshr.entries=1", "core.id_bits=1", "geometry.chunk_bytes=64"}));
    expect_no_silent_upset("l1d_mrpb", small(code, {"index.kind=pri", "check.ports=true"}));
  }
}

TEST(ProtectedRows, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_load_answered", "_mshr_replay", "replay_ready", "replay_wrong", verif::low()},
      {"line_unchecked", "_mshr_targets", "replay_wrong", "target_line_wrong", verif::low()},
      {"corrected_line_unreported", "_mshr_targets", "replay_corrected", "target_line_corrected",
       verif::low()},
      {"wrong_request_sent", "_miss_queue", "memory_request_valid", "request_wrong", verif::low()},
      {"wrong_request_leaves", "_miss_queue", "pop", "request_wrong", verif::low()},
      {"next_read_over_it", "_miss_queue", "read_now", "request_wrong", verif::low()},
      {"payload_unchecked", "_miss_queue", "request_wrong", "payload_row_wrong", verif::low()},
      {"payload_of_a_load_checked", "_miss_queue", "request_wrong", "writes", verif::high()},
      {"reported_again", "_miss_queue", "request_corrected", "fresh_q", verif::high()},
      {"load_reported_each_cycle", "", "load_reports", "load_reported_q", verif::low()},
      {"request_reported_each_cycle", "", "request_reports", "request_reported_q", verif::low()},
      {"request_reported_beside_a_load", "", "request_reports", "load_reports", verif::low()},
      {"request_reported_beside_a_late_load", "", "load_reports", "fetches_again", verif::low()},
      {"id_of_the_request", "", "ecc_uncorrectable_id", "load_reports", verif::low()},
      {"correction_reported_early", "", "load_corrected_q", "grant_replay", verif::high()}};
  verif::expect_all_found("l1d", small("secded", {"ecc.data=parity"}), faults, {.cycles = 1'000'000});
}

// A waiting load parks where its line comes in parts.
TEST(ProtectedRows, FaultsOfLoadsThatParkAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_load_parks", "_mshr_replay", "parked", "replay_wrong", verif::low()},
      {"wrong_load_answered", "_mshr_replay", "replay_ready", "replay_wrong", verif::low()}};
  verif::expect_all_found("l1d_sectored", small("parity"), faults, {.cycles = 300'000});
}

// With the correction of one array taken out of the Verilog the upset that passes is reported with its array,
// and with no other.
TEST(ProtectedRows, SilentUpsetsAreReportedOfTheirArray) {
  const std::vector<verif::Fault> faults{
      {"targets", "_mshr_targets_targets_code", "read_data", "checked", verif::other("read_bits")},
      {"queued_requests", "_miss_queue_requests_code", "read_data", "checked", verif::other("read_bits")},
      {"queued_payloads", "_miss_queue_payloads_code", "read_data", "checked", verif::other("read_bits")},
      {"none", "_mshr_lookup", "match_poisoned", "", verif::low()}};
  int reported = 0;
  const auto see = [&](const verif::Fault& fault, const nlohmann::json& report) {
    for (const auto& array : report["upsets"]) {
      EXPECT_EQ(array["silent"], array["array"] == fault.what ? 1 : 0) << fault.what << ": " << array;
      reported += array["silent"].get<int>();
    }
  };
  verif::expect_all_found("l1d", small("secded"), faults, {.cycles = 300'000, .see = see});
  EXPECT_EQ(reported, 3);
}

// Nothing of the protection is in the Verilog of a cache without it; RAMs and manifest have its check bits.
TEST(ProtectedRows, WidensTheRowsAlone) {
  const auto bits = [](const Settings& settings) {
    std::map<std::string, int> all;
    const auto params = gen::load_config("l1d", settings).get<hw::L1dParams>();
    for (const auto& array : hw::l1d(params, "cache").facts.arrays) all[array.name] = array.row_bits;
    return all;
  };
  const auto none = bits({}), parity = bits({"ecc.mshr=parity"}), secded = bits({"ecc.mshr=secded"});
  EXPECT_EQ(parity.at("targets"), none.at("targets") + 1);  // 12 bits
  EXPECT_EQ(secded.at("targets"), none.at("targets") + 6);
  EXPECT_EQ(secded.at("queued_requests"), none.at("queued_requests") + 7);   // 40 bits
  EXPECT_EQ(parity.at("queued_payloads"), none.at("queued_payloads") + 18);  // 18 words of 64 bits
  EXPECT_EQ(secded.at("queued_payloads"), none.at("queued_payloads") + 18 * 8);
  EXPECT_EQ(secded.at("data"), none.at("data"));
}
