// AXI4 bridges that check what comes back: in lock step under faults of the other side, alone and below a
// cache, and injected faults.
#include <gmock/gmock.h>

#include "verif/check/fault_table.h"
#include "verif/l1d/lock_step.h"
#include "verif/mutate/mutation_run.h"

namespace {

using Settings = std::vector<std::string>;

Settings with(Settings all, const Settings& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

const Settings narrow{"check.ports=true", "geometry.line_bytes=32", "geometry.chunk_bytes=8",
                      "axi4.id_bits=5", "axi4.requests=4"};
const Settings two_beats{"check.ports=true", "check.timeout=3000", "geometry.line_bytes=256",
                         "geometry.chunk_bytes=64", "axi4.requests=16"};

void expect_noticed(const std::string& preset, const Settings& settings, bool missing) {
  std::vector<std::string> faults{"a B of an ID without a write", "a B that comes twice",
                                  "an R of an ID without a read", "one R too many of an ID",
                                  "rlast with another beat"};
  if (missing) faults.insert(faults.end(), {"a B that does not come", "an R that does not come"});
  const auto run =
      verif::lock_step(gen::load_config(preset, settings), {.random_cycles = 60'000, .coverage = false});
  verif::expect_injected(run, preset, faults);
}

TEST(Axi4Check, FaultsOfTheOtherSideAreNoticed) {
  expect_noticed("axi4_bridge", narrow, false);
  expect_noticed("axi4_bridge", two_beats, true);
}

TEST(Axi4Check, BelowACache) {
  expect_noticed(
      "l1d",
      {"memory.protocol=axi4", "check.ports=true", "check.timeout=2000", "geometry.capacity_bytes=1024",
       "geometry.line_bytes=32", "geometry.ways=2", "mshr.entries=3", "core.id_bits=5"},
      true);
}

const verif::Fault faults[] = {
    {"a_write_is_never_sent", "_check", "writes_q", "write_sent", verif::low()},
    {"a_b_ends_nothing", "_check", "writes_q", "b", verif::low()},
    {"any_write_is_known", "_check", "unasked_write", "", verif::low()},
    {"any_read_is_known", "_check", "unasked_read", "", verif::low()},
    {"any_last_is_right", "_check", "wrong_last", "", verif::low()},
    {"reads_are_not_counted", "_check", "reads_q", "read_sent", verif::low()},
    {"an_r_ends_nothing", "_check", "reads_q", "r", verif::low()},
    {"nobody_is_late", "_check", "late", "", verif::low()},
    {"a_read_is_never_late", "_check", "reading_q", "read_sent", verif::low()},
};

TEST(Axi4Check, EveryBrokenCopyIsFound) {
  verif::expect_all_found("axi4_bridge", with(narrow, {"check.timeout=300"}), faults, {.cycles = 60'000});
}

}  // namespace
