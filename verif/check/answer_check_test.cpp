// Caches that check what memory answers: in lock step under faults of the memory, what is refused, what stays
// as it was without the key, and injected faults.
#include <gmock/gmock.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit.h"
#include "hw/require.h"
#include "verif/check/fault_table.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"

namespace {

using Settings = std::vector<std::string>;

Settings small(const Settings& more) {
  Settings all{"check.ports=true",       "geometry.capacity_bytes=1024",
               "geometry.line_bytes=32", "geometry.chunk_bytes=8",
               "geometry.ways=2",        "mshr.entries=3",
               "mshr.merges=2",          "mshr.miss_queue=3",
               "core.id_bits=5"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void expect_noticed(const std::string& preset, const Settings& settings, bool missing) {
  std::vector<std::string> faults{"a response to a request that was never made",
                                  "a response that comes twice",
                                  "a response with a free id",
                                  "a response with the id of another request",
                                  "a response with the id of a request for another mask",
                                  "a response with another mask"};
  if (missing) faults.push_back("a response that does not come");
  const auto run =
      verif::lock_step(gen::load_config(preset, settings), {.random_cycles = 60'000, .coverage = false});
  verif::expect_injected(run, "l1d", faults);
}

TEST(AnswerCheck, FaultsOfTheMemoryAreNoticed) {
  expect_noticed("l1d_sectored", small({"check.timeout=3000"}), true);
  expect_noticed("l1d", small({"core.id_bits=3", "mshr.entries=1"}), false);
}

TEST(AnswerCheck, WhatIsRefused) {
  const auto refusal = [](const std::string& preset, const Settings& settings) -> std::string {
    try {
      gen::elaborate(gen::load_config(preset, settings));
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_THAT(refusal("l1d", {"check.timeout=5"}), HasSubstr("use check.ports = true, or 0"));
  EXPECT_THAT(refusal("l1d", {"check.ports=true", "core.id_bits=13"}),
              HasSubstr("must be at most 12 with check.ports, which has a flop for each id"));
  EXPECT_EQ(refusal("l1d", {"check.ports=true", "core.id_bits=12"}), "");
}

TEST(AnswerCheck, IsInNoPreset) {
  for (const gen::Preset& preset : gen::presets()) {
    const gen::Key* const key = preset.family->find("check.ports");
    EXPECT_FALSE(key && std::get<bool>(key->get(gen::start_of(preset)))) << preset.name;
  }
}

const verif::Fault faults[] = {
    {"an_answer_ends_nothing", "_answer_check", "fetches_q", "came", verif::low()},
    {"a_store_is_never_sent", "_answer_check", "others_q", "sent", verif::low()},
    {"any_answer_was_asked", "_answer_check", "unasked", "", verif::low()},
    {"any_mask_is_right", "_answer_check", "other_mask", "", verif::low()},
    {"high_bits_are_ignored", "_answer_check", "asked", "~came_id[4]", verif::high()},
    {"the_last_error_stays", "_answer_check", "code_q", "~(|code_q)", verif::high()},
    {"acknowledged_with_chunks", "", "sent_writes", "", verif::low()},
    {"devices_are_written_with_chunks", "", "sent_writes", "&memory_request_kind", verif::low()},
    {"nobody_is_late", "_answer_check", "late", "", verif::low()},
    {"late_at_once", "_answer_check", "late", "", verif::other("waits")},
    {"the_suspect_stays", "_answer_check", "suspect_q", "~waits", verif::low()},
};

TEST(AnswerCheck, EveryBrokenCopyIsFound) {
  verif::expect_all_found("l1d_sectored", small({"check.timeout=300"}), faults);
}

}  // namespace
