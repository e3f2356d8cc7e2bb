// L1 data caches with protected RAMs of data and of tags: lock step while bits flip, every byte of every load
// checked, with each kind of tags; injected faults; what is refused. l1d_ecc_full_test has more.
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "gen/generate.h"
#include "gen/unit/unit.h"
#include "verif/l1d/protected_l1d.h"
#include "verif/mutate/mutation_run.h"
#include "verif/rtl/thrown.h"

namespace {

using Settings = std::vector<std::string>;
using verif::expect_no_silent_upset, verif::protected_l1d, verif::protected_tags, verif::wrong_tag;

// Faults that are found soon; the full tier meets the coverage goals too.
verif::MutationRun soon(std::int64_t cycles = 300'000) {
  return {.cycles = verif::full_tier() ? 1'000'000 : cycles, .coverage = verif::full_tier()};
}

std::string refusal(const Settings& more) {
  return verif::thrown([&] { gen::elaborate(gen::load_config("l1d", protected_l1d("parity", more))); });
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

TEST(L1dEcc, DataInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", protected_l1d("parity"));
  expect_no_silent_upset("l1d_gpu", protected_l1d("parity", {"ecc.word_bits=8", "counters.enable=true"}));
}

TEST(L1dEcc, TagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_sectored", protected_tags("secded", {"tags.store_scope=mask"}, "parity"),
                         wrong_tag, 3);
  expect_no_silent_upset(
      "l1d_reuse_filter",
      protected_tags("parity", {"tags.reuse_filter.ways=4", "tags.reuse_filter.tag_victim=dataless_lfu",
                                "counters.enable=true"}),
      wrong_tag, 3);
  expect_no_silent_upset("l1d_tsc", protected_tags("secded", {"counters.enable=true"}, "parity"), wrong_tag,
                         3);
  expect_no_silent_upset("l1d_dsc", protected_tags("secded", {"counters.enable=true"}, "parity"), wrong_tag,
                         3);
}

// Lines go of whose ways the distances count on.
TEST(L1dEcc, ProtectionDistancesInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", protected_l1d("secded", {"bypass.kind=protection_distance", "ecc.tags=parity",
                                                         "ecc.mshr=secded"}));
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
      {"beyond_correction_given", "", "withdrawn", "beyond_correction", verif::low()},
      {"corrected_with_the_stage_free", "", "answer_free", "slow_q", verif::low()},
      {"failed_load_reads_on", "", "wrong_reads", "wrong_failed_q", verif::low()}};
  verif::expect_all_found("l1d", protected_l1d("secded"), faults, soon());
}

TEST(L1dEcc, FaultsOfTheTagCheckAreFound) {
  const std::vector<verif::Fault> faults{
      {"wrong_tags_stay", "_tags", "emptied_ways", "tag_wrong", verif::low()},
      {"row_left_late", "_tags", "late_q", "tags_wrong", verif::low()},
      {"line_of_an_entry_goes", "_tags", "emptied_ways", "busy_now", verif::low()},
      {"line_of_an_entry_by_its_tag", "_tags", "way_equal", "entry_way", verif::low()},
      {"read_beside_its_write", "_tags", "tag_wrong", "bypass_q", verif::low()},
      {"event_not_reported", "", "ecc_refetched", "tags_wrong", verif::low()}};
  verif::expect_all_found("l1d", protected_tags("secded"), faults, soon());
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
  verif::expect_all_found("l1d_reuse_filter", protected_tags("secded", {}, "secded"), faults,
                          soon(1'000'000));
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
      {"event_not_reported", "", "ecc_refetched", "tags_wrong", verif::low()}};
  verif::expect_all_found("l1d_tsc", protected_tags("secded"), faults, soon());
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
      {"decided_on_wrong_selectors", "", "decided", "tags_wait", verif::low()}};
  verif::expect_all_found("l1d_dsc", protected_tags("secded"), faults, soon());
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
  verif::expect_all_found("l1d", protected_tags("secded", {}, "secded"), faults,
                          {.cycles = 300'000, .see = see});
  EXPECT_EQ(reported, 2);
}

TEST(L1dEcc, RefusesTagsByName) {
  EXPECT_EQ(
      refusal_of_tags("l1d", {"geometry.capacity_bytes=16384", "geometry.ways=128"}),
      tags_refused("is of caches that are built, of 2 sets and more with up to 64 ways", "such a geometry"));
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
  EXPECT_EQ(refusal({"core.drops=true"}),
            refused("fetches a load's line once more, behind younger stores that have passed the cache",
                    "core.drops = false"));
  EXPECT_THAT(refusal({"ecc.word_bits=24"}), testing::HasSubstr("must be a power of two from 8 to 64"));
  EXPECT_EQ(refusal({"geometry.chunk_bytes=8", "geometry.line_bytes=32", "ecc.word_bits=64"}),
            "nothing thrown");
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
