// L1 data caches with protected RAMs of data and of tags: lock step while bits flip, every byte of every load
// checked; what the wrong loads would have been; injected faults; what is refused.
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "gen/generate.h"
#include "gen/unit/unit.h"
#include "verif/full_tier.h"
#include "verif/l1d/lock_step.h"
#include "verif/l1d/scarce_l1d.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"

namespace {

using Settings = std::vector<std::string>;

Settings small(const std::string& code, const Settings& more = {}) {
  return verif::scarce_l1d("ecc.data=" + code, more);
}

constexpr const char* wrong_data = "load whose data would be wrong without the check";
constexpr const char* wrong_tag = "request that would find another line without the check of tags";

void expect_no_silent_upset(const std::string& preset, const Settings& settings,
                            const char* seen = wrong_data, int least = 100) {
  const gen::Config config = gen::load_config(preset, settings);
  SCOPED_TRACE(config.top);
  const bool shares = preset == "l1d_dsc";  // whose goals take longer
  const auto run = verif::lock_step(config, {.random_cycles = verif::full_tier()            ? 1'000'000
                                                              : seen == wrong_tag || shares ? 250'000
                                                                                            : 100'000,
                                             .coverage = true});
  EXPECT_EQ(run.status, 0) << run.report.dump(1);
  EXPECT_GT(run.report["coverage"]["counts"][seen], least);
}

std::string refusal(const Settings& more) {
  return verif::thrown([&] { gen::elaborate(gen::load_config("l1d", small("parity", more))); });
}

// The same caches with check bits of tags alone, or beside those of data.
Settings tags(const std::string& code, const Settings& more = {}, const std::string& data = "none") {
  Settings all = small(data, {"ecc.tags=" + code, "geometry.address_bits=20"});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string refusal_of_tags(const std::string& preset, const Settings& more) {
  Settings all{"ecc.tags=secded"};
  all.insert(all.end(), more.begin(), more.end());
  return verif::thrown([&] { gen::elaborate(gen::load_config(preset, all)); });
}

std::string tags_refused(const std::string& reason, const std::string& remedy) {
  return "-s ecc.tags=secded: ecc.tags = secded: " + reason + "; use " + remedy + ", or ecc.tags = \"none\"";
}

std::string refused(const std::string& reason, const std::string& remedy) {
  return "-s ecc.data=parity: ecc.data = parity: " + reason + "; use " + remedy + ", or ecc.data = \"none\"";
}

}  // namespace

TEST(L1dEcc, ParityInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", small("parity"));
  expect_no_silent_upset("l1d_sectored", small("parity", {"ecc.word_bits=8", "tags.store_scope=mask",
                                                          "counters.enable=true", "index.latency=1"}));
}

TEST(L1dEcc, SecdedInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", small("secded", {"ecc.word_bits=16", "counters.enable=true"}));
  expect_no_silent_upset("l1d_sectored", small("secded", {"ecc.word_bits=32", "tags.fetch=line"}));
}

TEST(L1dEcc, StandsBesideIndicesAndPolicies) {
  expect_no_silent_upset("l1d_mrpb", small("secded", {"index.kind=pri", "geometry.ways=1"}));
  expect_no_silent_upset("l1d_adi", small("parity", {"adaptive.period=64", "adaptive.idle=128",
                                                     "core.request_slice=true", "check.ports=true"}));
}

TEST(L1dEcc, PresetsInLockStepUnderUpsets) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const char* preset : {"l1d", "l1d_sectored"})
    for (const char* code : {"parity", "secded"})
      expect_no_silent_upset(preset, {fmt::format("ecc.data={}", code)});
}

TEST(L1dEcc, WrongTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", tags("parity", {"counters.enable=true"}), wrong_tag, 3);
  expect_no_silent_upset("l1d_sectored", tags("secded", {"tags.store_scope=mask"}, "parity"), wrong_tag, 3);
  expect_no_silent_upset("l1d_gpu", tags("secded", {"counters.enable=true"}), wrong_tag, 3);
}

TEST(L1dEcc, WrongTagsOfMoreCaches) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_no_silent_upset("l1d_adi", tags("secded", {"adaptive.period=64", "adaptive.idle=128"}), wrong_tag,
                         0);
  expect_no_silent_upset("l1d_mrpb", tags("parity", {"index.kind=pri", "tags.replacement=random"}, "secded"),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d", tags("secded", {"tags.store_on_pending=merge"}), wrong_tag, 3);
}

TEST(L1dEcc, ReuseFilterInLockStepUnderUpsets) {
  expect_no_silent_upset(
      "l1d_reuse_filter",
      tags("parity",
           {"tags.reuse_filter.ways=4", "tags.reuse_filter.tag_victim=dataless_lfu", "counters.enable=true"}),
      wrong_tag, 3);
  expect_no_silent_upset("l1d_reuse_filter",
                         tags("secded", {"tags.store_policy=update", "tags.reuse_filter.ways=4",
                                         "tags.reuse_filter.threshold=0"}),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d_reuse_filter", small("secded", {"counters.enable=true"}));
  expect_no_silent_upset("l1d_reuse_filter", small("parity", {"tags.reuse_filter.follow=true"}));
}

TEST(L1dEcc, ReuseFilterWithBoth) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_reuse_filter", tags(code, {"tags.reuse_filter.ways=4"}, code), wrong_tag, 0);
}

TEST(L1dEcc, FaultsOfTheReuseFilterAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_tags_stay", "_tags", "emptied_entries", "tag_wrong", verif::low()},
      {"row_left_late", "_tags", "changes", "tags_wrong", verif::low()},
      {"line_of_a_wrong_tag_stays", "_tags", "cleared", "emptied_ways", verif::low()},
      {"line_of_an_entry_goes", "_tags", "emptied_entries", "waiting", verif::low()},
      {"line_of_an_entry_by_its_tag", "_tags", "match", "entry_way", verif::low()},
      {"count_of_an_entry_by_its_tag", "_tags", "used", "entry_of_mshr", verif::low()},
      {"touched_as_it_waits", "_tags", "touches_now", "moves", verif::high()},
      {"dropped_line_stays", "_tags", "valid_after", "drop", verif::low()},
      {"dropped_line_read", "_tags", "coming_valid", "drop", verif::low()},
      {"dropped_line_left_late", "_tags", "late_valid", "drop", verif::low()}};
  verif::expect_all_found("l1d_reuse_filter", tags("secded", {}, "secded"), faults, {.cycles = 1'000'000});
}

TEST(L1dEcc, StoresThatUpdateInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_gpu", small("parity", {"ecc.word_bits=8", "counters.enable=true"}));
  expect_no_silent_upset("l1d_gpu", small("secded", {"ecc.word_bits=8"}));
  expect_no_silent_upset("l1d_reuse_filter",
                         small("parity", {"ecc.word_bits=8", "tags.store_policy=update"}));
}

TEST(L1dEcc, MoreStoresThatUpdate) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_no_silent_upset("l1d_sectored", small("secded", {"ecc.word_bits=8", "tags.store_policy=update",
                                                          "tags.fetch=line", "ecc.tags=parity"}));
  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_gpu", {fmt::format("ecc.data={}", code), "ecc.word_bits=8"});
}

TEST(L1dEcc, FaultsOfStoresThatUpdateAreFound) {
  const std::vector<verif::Fault> faults{
      {"byte_without_check_bit", "_data_store_column", "write_row", "fill_check[3]", verif::low()},
      {"check_bits_of_another_byte", "_data_store_column", "row_check", "", verif::inverted()},
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()},
      {"hits_beside_a_recovery", "", "hit_asks", "recovers", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"line_stays", "", "drop", "next_recovers", verif::low()}};
  verif::expect_all_found("l1d_gpu", small("parity", {"ecc.word_bits=8"}), faults, {.cycles = 1'000'000});
}

TEST(L1dEcc, SplitTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_tsc", small("secded", {"counters.enable=true", "ecc.word_bits=32"}));
  expect_no_silent_upset("l1d_tsc_plus", small("parity", {"counters.enable=true"}));
}

TEST(L1dEcc, MoreSplitTags) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_no_silent_upset("l1d_tsc", small("parity", {"tags.store_scope=mask", "tags.split.victim=group"}));
  expect_no_silent_upset("l1d_tsc_plus", small("secded", {"index.kind=pri", "index.latency=1"}));
  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_tsc", {fmt::format("ecc.data={}", code)});
}

TEST(L1dEcc, FaultsOfSplitTagsAreFound) {
  const std::vector<verif::Fault> faults{
      {"slots_stay", "", "drop", "next_recovers", verif::low()},
      {"slots_of_an_entry_go", "", "drop", "next_wrong_stays_q", verif::low()},
      {"waiting_load_drops", "", "check_stays_q", "replay_shown", verif::low()},
      {"hits_beside_a_recovery", "", "may_hit", "recovers", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"slots_read_late", "_tags", "stored_valid", "drop_q", verif::low()},
      {"read_of_other_slots", "", "data_store.read_at", "wrong_slots_q", verif::low()},
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()}};
  verif::expect_all_found("l1d_tsc", small("secded"), faults, {.cycles = 1'000'000});
}

TEST(L1dEcc, WrongSplitTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_tsc", tags("secded", {"counters.enable=true"}, "parity"), wrong_tag, 3);
  expect_no_silent_upset("l1d_tsc_plus", tags("parity", {"counters.enable=true"}), wrong_tag, 3);
}

TEST(L1dEcc, WrongTagsAsTheIndexMoves) {
  const Settings moves{"index.kind=adi", "adaptive.period=64", "adaptive.idle=128"};
  for (const char* cache : {"l1d_tsc", "l1d_dsc"})
    expect_no_silent_upset(cache, tags("secded", moves, "secded"), wrong_tag, 3);
}

TEST(L1dEcc, MoreWrongSplitTags) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_no_silent_upset("l1d_tsc",
                         tags("parity", {"tags.store_scope=mask", "tags.split.victim=group"}, "secded"),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d_tsc",
                         tags("secded", {"index.kind=pri", "index.latency=1", "core.request_slice=true"}),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d_tsc", tags("secded", {"tags.store_policy=update"}), wrong_tag, 3);

  for (const char* cache : {"l1d_tsc", "l1d_tsc_plus"})
    for (const char* code : {"parity", "secded"})
      expect_no_silent_upset(cache, {fmt::format("ecc.data={}", code), fmt::format("ecc.tags={}", code)});
}

TEST(L1dEcc, FaultsOfTheCheckOfSplitTagsAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_slots_stay", "_tags", "emptied_slots", "wrong_q", verif::low()},
      {"wrong_slots_are_found", "_tags", "readable", "wrong_q", verif::low()},
      {"row_left_late", "_tags", "late_q", "tags_wrong", verif::low()},
      {"slots_of_an_entry_go", "_tags", "emptied_slots", "row_busy_q", verif::low()},
      {"used_as_it_stays", "_tags", "late_used_q", "touch", verif::high()},
      {"groups_unchecked", "_tags", "wrong_tags", "wrong_group_slots", verif::low()},
      {"written_slot_stays_wrong", "_tags", "wrong_tags", "fresh", verif::low()},
      {"written_group_stays_wrong", "_tags", "still_wrong", "retags", verif::low()},
      {"slot_beside_its_write", "_tags", "wrong_slots", "bypass_slot_q", verif::low()},
      {"group_beside_its_write", "_tags", "wrong_groups", "bypass_shared_q", verif::low()},
      {"decided_beside_a_wrong_slot", "", "decided", "tags_wait", verif::low()},
      {"data_of_a_waiting_store_overwritten", "", "data_ready", "tags_wait", verif::low()},
      {"event_not_reported", "", "ecc_refetched", "tags_wrong", verif::low()}};
  verif::expect_all_found("l1d_tsc", tags("secded"), faults, {.cycles = 1'000'000});
}

TEST(L1dEcc, DecoupledTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_dsc", small("secded", {"counters.enable=true", "ecc.word_bits=32"}));
  expect_no_silent_upset("l1d_dsc", small("parity", {"ecc.word_bits=8", "tags.store_policy=update",
                                                     "tags.decoupled.tags_per_way=4"}));
  expect_no_silent_upset("l1d_dsc", tags("secded", {"counters.enable=true"}, "parity"), wrong_tag, 3);
}

TEST(L1dEcc, MoreDecoupledTags) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  expect_no_silent_upset("l1d_dsc", small("parity", {"tags.store_scope=mask", "tags.decoupled.victim=tag"}));
  expect_no_silent_upset("l1d_dsc", small("secded", {"index.kind=adi", "adaptive.period=64",
                                                     "adaptive.idle=128", "core.request_slice=true"}));
  expect_no_silent_upset("l1d_dsc", tags("parity", {"tags.decoupled.tags_per_way=3"}), wrong_tag, 3);

  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_dsc", {fmt::format("ecc.data={}", code), fmt::format("ecc.tags={}", code)});
}

TEST(L1dEcc, FaultsOfDecoupledDataAreFound) {
  const std::vector<verif::Fault> faults{
      {"chunks_stay", "", "drop", "next_recovers", verif::low()},
      {"chunks_of_an_entry_go", "", "drop", "next_wrong_stays_q", verif::low()},
      {"plan_of_a_lost_tag_counts", "_tags", "enough", "found", verif::high()},
      {"chunks_read_late", "_tags", "stored_valid", "drop_q", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()}};
  verif::expect_all_found("l1d_dsc", small("secded", {"counters.enable=true"}), faults,
                          {.cycles = 1'000'000});
}

TEST(L1dEcc, FaultsOfDecoupledTagsAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_tags_stay", "_tags", "emptied_tags", "tag_wrong", verif::low()},
      {"row_left_late", "_tags", "late_q", "tags_wrong", verif::low()},
      {"line_of_an_entry_goes", "_tags", "emptied_tags", "busy_lines", verif::low()},
      {"line_of_an_entry_by_its_tag", "_tags", "line_equal", "awaited", verif::low()},
      {"aged_as_it_stays", "_tags", "touches", "moves", verif::high()},
      {"selectors_unchecked", "_tags", "selectors_wrong", "stored_selectors_wrong", verif::low()},
      {"selectors_beside_their_write", "_tags", "selectors_wrong", "bypass_selectors_q", verif::low()},
      {"busy_chunks_go", "_tags", "ownerless", "row_busy_q", verif::low()},
      {"decided_on_wrong_selectors", "", "decided", "tags_wait", verif::low()},
      {"data_of_a_waiting_store_overwritten", "", "data_ready", "tags_wait", verif::low()}};
  verif::expect_all_found("l1d_dsc", tags("secded"), faults, {.cycles = 1'000'000});
}

TEST(L1dEcc, FaultsOfTheTagCheckAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_tags_stay", "_tags", "emptied_ways", "tag_wrong", verif::low()},
      {"row_left_late", "_tags", "late_q", "tags_wrong", verif::low()},
      {"line_of_an_entry_goes", "_tags", "emptied_ways", "busy_now", verif::low()},
      {"line_of_an_entry_by_its_tag", "_tags", "way_equal", "entry_way", verif::low()},
      {"read_beside_its_write", "_tags", "tag_wrong", "bypass_q", verif::low()},
      {"event_not_reported", "", "ecc_refetched", "tags_wrong", verif::low()}};
  verif::expect_all_found("l1d", tags("secded"), faults, {.cycles = 400'000});
}

// With one check taken out of the Verilog the upset that passes is reported with its array, and with no
// other.
TEST(L1dEcc, SilentUpsetsAreReportedOfTheirArray) {
  const std::vector<verif::Fault> faults{{"data", "", "withdrawn", "found_wrong", verif::low()},
                                         {"tags", "_tags", "emptied_ways", "tag_wrong", verif::low()},
                                         {"neither", "_mshr_lookup", "match_poisoned", "", verif::low()}};
  int reported = 0;
  const auto see = [&](const verif::Fault& fault, const nlohmann::json& report) {
    for (const auto& array : report["upsets"]) {
      EXPECT_EQ(array["silent"], array["array"] == fault.what ? 1 : 0) << fault.what << ": " << array;
      reported += array["silent"].get<int>();
    }
  };
  verif::expect_all_found("l1d", tags("secded", {}, "secded"), faults, {.cycles = 300'000, .see = see});
  EXPECT_EQ(reported, 2);
}

TEST(L1dEcc, RefusesTagsByName) {
  EXPECT_EQ(
      refusal_of_tags("l1d_iacm", {}),
      tags_refused("empties ways, of which a protection distance is not notified", "another bypass.kind"));
  EXPECT_EQ(refusal_of_tags("l1d", {"core.drops=true"}),
            tags_refused("stands beside no drops and snoops", "core.drops = false and core.peeks = false"));
  EXPECT_EQ(refusal_of_tags("l1d", {"memory.protocol=axi4"}),
            tags_refused("is not served beside AXI4", "memory.protocol = \"native\""));
}

// Nothing of the protection is in the Verilog of a cache without it.
TEST(L1dEcc, NoneChangesNothing) {
  const auto files = [](const Settings& settings) {
    return gen::generated_files(gen::load_config("l1d", settings));
  };
  for (const auto& [name, text] : files({})) {
    if (name.ends_with(".v")) {
      EXPECT_EQ(text.find("ecc"), text.npos) << name;
    }
  }
  EXPECT_NE(files({"ecc.data=parity"}), files({}));
  EXPECT_NE(files({"ecc.tags=parity"}), files({}));
  EXPECT_NE(files({"ecc.mshr=parity"}), files({}));
}

TEST(L1dEcc, InjectedFaultsAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()},
      {"one_chunk_unchecked", "", "found_wrong", "wrong_chunks",
       [](const rtl::Expr& e, const verif::Nets&) { return e & rtl::lit(e.width(), 7); }},
      {"hits_beside_a_recovery", "", "hit_asks", "recovers", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"line_stays", "", "drop", "next_recovers", verif::low()},
      {"line_of_an_entry_goes", "", "drop", "next_wrong_stays_q", verif::low()},
      {"late_load_not_reported", "_mshr_entries", "replay_late", "shut", verif::other("flushed")},
      {"line_of_the_entry_before", "_mshr_targets", "lines.read", "next_found", verif::low()},
      {"dropped_line_read", "_tags", "stored_valid", "drop_q", verif::low()},
      {"beyond_correction_given", "", "withdrawn", "beyond_correction", verif::low()},
      {"corrected_with_the_stage_free", "", "answer_free", "slow_q", verif::low()},
      {"failed_load_reads_on", "", "wrong_reads", "wrong_failed_q", verif::low()}};
  // A load that looks up a line in the cycle after the line was dropped comes once in a million cycles.
  verif::expect_all_found("l1d", small("secded"), faults, {.cycles = 4'000'000});
}

TEST(L1dEcc, RefusesByName) {
  EXPECT_THAT(
      refusal({"tags.store_policy=update"}),
      testing::HasSubstr("ecc.word_bits = 64 (default): is more than a byte, which tags.store_policy = "
                         "\"update\" writes alone; use 8, or tags.store_policy = \"evict\""));
  EXPECT_EQ(refusal({"tags.store_policy=update", "ecc.word_bits=8"}), "nothing thrown");
  EXPECT_EQ(refusal({"tags.store_policy=update", "ecc.word_bits=8", "tags.kind=split"}),
            refused("protects words that are written as a whole, and stores that update split tags' slots "
                    "write bytes",
                    "tags.store_policy = \"evict\""));
  EXPECT_EQ(refusal({"tags.store_on_pending=merge"}),
            refused("fetches a load's line once more, behind stores with which it may have merged",
                    "tags.store_on_pending = \"wait\""));
  EXPECT_EQ(refusal({"bypass.kind=protection_distance"}),
            refused("empties ways, of which a protection distance is not notified", "another bypass.kind"));
  EXPECT_EQ(refusal({"core.drops=true"}),
            refused("stands beside no drops, snoops and numbers of instructions",
                    "core.drops = false, core.peeks = false and core.pc_bits = 0"));
  EXPECT_EQ(refusal({"memory.protocol=axi4"}),
            refused("is not served beside AXI4", "memory.protocol = \"native\""));
  EXPECT_THAT(refusal({"ecc.word_bits=24"}), testing::HasSubstr("must be a power of two from 8 to 64"));
  EXPECT_EQ(refusal({"geometry.chunk_bytes=8", "geometry.line_bytes=32", "ecc.word_bits=64"}),
            "nothing thrown");
}
