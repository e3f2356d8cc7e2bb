// More caches with protected RAMs of data and of tags in lock step under upsets, and the faults of their
// checks; l1d_ecc_test has one of each kind of tags.
#include <gmock/gmock.h>

#include "verif/l1d/protected_l1d.h"
#include "verif/mutate/mutation_run.h"

using verif::expect_no_silent_upset, verif::protected_l1d, verif::protected_tags, verif::wrong_tag;

TEST(L1dEccMore, ParityInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", protected_l1d("parity"));
  expect_no_silent_upset("l1d_sectored",
                         protected_l1d("parity", {"ecc.word_bits=8", "tags.store_scope=mask",
                                                  "counters.enable=true", "index.latency=1"}));
}

TEST(L1dEccMore, SecdedInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", protected_l1d("secded", {"ecc.word_bits=16", "counters.enable=true"}));
  expect_no_silent_upset("l1d_sectored", protected_l1d("secded", {"ecc.word_bits=32", "tags.fetch=line"}));
}

TEST(L1dEccMore, StandsBesideIndicesAndPolicies) {
  expect_no_silent_upset("l1d_mrpb", protected_l1d("secded", {"index.kind=pri", "geometry.ways=1"}));
  expect_no_silent_upset("l1d_adi", protected_l1d("parity", {"adaptive.period=64", "adaptive.idle=128",
                                                             "core.request_slice=true", "check.ports=true"}));
}

TEST(L1dEccMore, PresetsInLockStepUnderUpsets) {
  for (const char* preset : {"l1d", "l1d_sectored"})
    for (const char* code : {"parity", "secded"})
      expect_no_silent_upset(preset, {fmt::format("ecc.data={}", code)});
}

TEST(L1dEccMore, WrongTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d", protected_tags("parity", {"counters.enable=true"}), wrong_tag, 3);
  expect_no_silent_upset("l1d_sectored", protected_tags("secded", {"tags.store_scope=mask"}, "parity"),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d_gpu", protected_tags("secded", {"counters.enable=true"}), wrong_tag, 3);
}

TEST(L1dEccMore, WrongTagsOfMoreCaches) {
  expect_no_silent_upset("l1d_adi", protected_tags("secded", {"adaptive.period=64", "adaptive.idle=128"}),
                         wrong_tag, 0);
  expect_no_silent_upset("l1d_mrpb",
                         protected_tags("parity", {"index.kind=pri", "tags.replacement=random"}, "secded"),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d", protected_tags("secded", {"tags.store_on_pending=merge"}), wrong_tag, 3);
}

TEST(L1dEccMore, ProtectionDistances) {
  expect_no_silent_upset("l1d_iacm", protected_l1d("secded", {"ecc.tags=parity", "counters.enable=true"}));
  for (const char* code : {"parity", "secded"}) {
    expect_no_silent_upset("l1d", protected_l1d(code, {"bypass.kind=protection_distance",
                                                       "bypass.protection_distance.distance=16"}));
    expect_no_silent_upset("l1d_sectored", protected_tags(code, {"bypass.kind=protection_distance"}),
                           wrong_tag, 3);
  }
}

// A snoop answers that a wrong line is not there; a local invalidate meets lines with wrong tags.
TEST(L1dEccMore, SnoopsAndInvalidatesUnderUpsets) {
  for (const char* code : {"parity", "secded"}) {
    expect_no_silent_upset("l1d", protected_l1d(code, {"core.peeks=true", "core.pc_bits=8"}));
    expect_no_silent_upset("l1d", protected_tags(code, {"core.peeks=true", "core.drops=true"}), wrong_tag, 0);
  }
}

TEST(L1dEccMore, ReuseFilterInLockStepUnderUpsets) {
  expect_no_silent_upset(
      "l1d_reuse_filter",
      protected_tags("parity", {"tags.reuse_filter.ways=4", "tags.reuse_filter.tag_victim=dataless_lfu",
                                "counters.enable=true"}),
      wrong_tag, 3);
  expect_no_silent_upset("l1d_reuse_filter",
                         protected_tags("secded", {"tags.store_policy=update", "tags.reuse_filter.ways=4",
                                                   "tags.reuse_filter.threshold=0"}),
                         wrong_tag, 3);
  expect_no_silent_upset("l1d_reuse_filter", protected_l1d("secded", {"counters.enable=true"}));
  expect_no_silent_upset("l1d_reuse_filter", protected_l1d("parity", {"tags.reuse_filter.follow=true"}));
}

TEST(L1dEccMore, ReuseFilterWithBoth) {
  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_reuse_filter", protected_tags(code, {"tags.reuse_filter.ways=4"}, code),
                           wrong_tag, 0);
}

TEST(L1dEccMore, StoresThatUpdateInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_gpu", protected_l1d("parity", {"ecc.word_bits=8", "counters.enable=true"}));
  expect_no_silent_upset("l1d_gpu", protected_l1d("secded", {"ecc.word_bits=8"}));
  expect_no_silent_upset("l1d_reuse_filter",
                         protected_l1d("parity", {"ecc.word_bits=8", "tags.store_policy=update"}));
}

TEST(L1dEccMore, MoreStoresThatUpdate) {
  expect_no_silent_upset("l1d_sectored",
                         protected_l1d("secded", {"ecc.word_bits=8", "tags.store_policy=update",
                                                  "tags.fetch=line", "ecc.tags=parity"}));
  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_gpu", {fmt::format("ecc.data={}", code), "ecc.word_bits=8"});
}

TEST(L1dEccMore, SplitTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_tsc", protected_l1d("secded", {"counters.enable=true", "ecc.word_bits=32"}));
  expect_no_silent_upset("l1d_tsc_plus", protected_l1d("parity", {"counters.enable=true"}));
}

TEST(L1dEccMore, MoreSplitTags) {
  expect_no_silent_upset("l1d_tsc",
                         protected_l1d("parity", {"tags.store_scope=mask", "tags.split.victim=group"}));
  expect_no_silent_upset("l1d_tsc_plus", protected_l1d("secded", {"index.kind=pri", "index.latency=1"}));
  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_tsc", {fmt::format("ecc.data={}", code)});
}

TEST(L1dEccMore, WrongSplitTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_tsc", protected_tags("secded", {"counters.enable=true"}, "parity"), wrong_tag,
                         3);
  expect_no_silent_upset("l1d_tsc_plus", protected_tags("parity", {"counters.enable=true"}), wrong_tag, 3);
}

TEST(L1dEccMore, WrongTagsAsTheIndexMoves) {
  const std::vector<std::string> moves{"index.kind=adi", "adaptive.period=64", "adaptive.idle=128"};
  for (const char* cache : {"l1d_tsc", "l1d_dsc"})
    expect_no_silent_upset(cache, protected_tags("secded", moves, "secded"), wrong_tag, 3);
}

TEST(L1dEccMore, MoreWrongSplitTags) {
  expect_no_silent_upset(
      "l1d_tsc", protected_tags("parity", {"tags.store_scope=mask", "tags.split.victim=group"}, "secded"),
      wrong_tag, 3);
  expect_no_silent_upset(
      "l1d_tsc", protected_tags("secded", {"index.kind=pri", "index.latency=1", "core.request_slice=true"}),
      wrong_tag, 3);
  expect_no_silent_upset("l1d_tsc", protected_tags("secded", {"tags.store_policy=update"}), wrong_tag, 3);

  for (const char* cache : {"l1d_tsc", "l1d_tsc_plus"})
    for (const char* code : {"parity", "secded"})
      expect_no_silent_upset(cache, {fmt::format("ecc.data={}", code), fmt::format("ecc.tags={}", code)});
}

TEST(L1dEccMore, DecoupledTagsInLockStepUnderUpsets) {
  expect_no_silent_upset("l1d_dsc", protected_l1d("secded", {"counters.enable=true", "ecc.word_bits=32"}));
  expect_no_silent_upset("l1d_dsc", protected_l1d("parity", {"ecc.word_bits=8", "tags.store_policy=update",
                                                             "tags.decoupled.tags_per_way=4"}));
  expect_no_silent_upset("l1d_dsc", protected_tags("secded", {"counters.enable=true"}, "parity"), wrong_tag,
                         3);
}

TEST(L1dEccMore, MoreDecoupledTags) {
  expect_no_silent_upset("l1d_dsc",
                         protected_l1d("parity", {"tags.store_scope=mask", "tags.decoupled.victim=tag"}));
  expect_no_silent_upset("l1d_dsc",
                         protected_l1d("secded", {"index.kind=adi", "adaptive.period=64", "adaptive.idle=128",
                                                  "core.request_slice=true"}));
  expect_no_silent_upset("l1d_dsc", protected_tags("parity", {"tags.decoupled.tags_per_way=3"}), wrong_tag,
                         3);

  for (const char* code : {"parity", "secded"})
    expect_no_silent_upset("l1d_dsc", {fmt::format("ecc.data={}", code), fmt::format("ecc.tags={}", code)});
}

TEST(L1dEccMore, FaultsOfStoresThatUpdateAreFound) {
  const std::vector<verif::Fault> faults{
      {"byte_without_check_bit", "_data_store_column", "write_row", "fill_check[3]", verif::low()},
      {"check_bits_of_another_byte", "_data_store_column", "row_check", "", verif::inverted()},
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()},
      {"hits_beside_a_recovery", "", "hit_asks", "recovers", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"line_stays", "", "drop", "next_recovers", verif::low()}};
  verif::expect_all_found("l1d_gpu", protected_l1d("parity", {"ecc.word_bits=8"}), faults,
                          {.cycles = 1'000'000});
}

TEST(L1dEccMore, FaultsOfSplitTagsAreFound) {
  const std::vector<verif::Fault> faults{
      {"slots_stay", "", "drop", "next_recovers", verif::low()},
      {"slots_of_an_entry_go", "", "drop", "next_wrong_stays_q", verif::low()},
      {"waiting_load_drops", "", "check_stays_q", "replay_shown", verif::low()},
      {"hits_beside_a_recovery", "", "may_hit", "recovers", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"slots_read_late", "_tags", "stored_valid", "drop_q", verif::low()},
      {"read_of_other_slots", "", "data_store.read_at", "wrong_slots_q", verif::low()},
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()}};
  verif::expect_all_found("l1d_tsc", protected_l1d("secded"), faults, {.cycles = 1'000'000});
}

TEST(L1dEccMore, FaultsOfDecoupledDataAreFound) {
  const std::vector<verif::Fault> faults{
      {"chunks_stay", "", "drop", "next_recovers", verif::low()},
      {"chunks_of_an_entry_go", "", "drop", "next_wrong_stays_q", verif::low()},
      {"plan_of_a_lost_tag_counts", "_tags", "enough", "found", verif::high()},
      {"chunks_read_late", "_tags", "stored_valid", "drop_q", verif::low()},
      {"store_overtakes_the_fetch", "", "queue_not_full", "check_q", verif::low()},
      {"wrong_read_given", "", "withdrawn", "found_wrong", verif::low()}};
  verif::expect_all_found("l1d_dsc", protected_l1d("secded", {"counters.enable=true"}), faults,
                          {.cycles = 1'000'000});
}

TEST(L1dEccMore, InjectedFaultsAreFound) {
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
  verif::expect_all_found("l1d", protected_l1d("secded"), faults, {.cycles = 4'000'000});
}
