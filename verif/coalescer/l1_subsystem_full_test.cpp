// L1 subsystem: lock step with every kind of cache, and of other numbers of lanes.
#include <gmock/gmock.h>

#include "verif/unit_lock_step.h"

namespace {

const std::vector<std::string> small{
    "coalescer.lanes=8", "coalescer.instructions=4", "geometry.capacity_bytes=2048", "mshr.entries=4",
    "core.id_bits=4",    "geometry.line_bytes=64",   "geometry.chunk_bytes=16"};

std::vector<std::string> with(std::vector<std::string> more) {
  more.insert(more.begin(), small.begin(), small.end());
  return more;
}

}  // namespace

TEST(L1SubsystemFull, LockStepOfEveryAxis) {
  const std::vector<std::vector<std::string>> axes{
      {"tags.kind=sectored", "ecc.data=secded"},
      {"tags.kind=split", "mode.kind=dueling", "index.kind=pli", "tags.replacement=nru"},
      {"tags.kind=decoupled"},
      {"tags.kind=reuse_filter"},
      {"tags.store_policy=update", "bypass.kind=mrpb", "index.kind=pli"},
      {"tags.store_on_pending=merge"},
      {"index.kind=adi"},
      {"check.ports=true", "coalescer.lane_bytes=16"},
      {"memory.protocol=axi4", "tags.kind=split"}};
  for (const auto& axis : axes) verif::expect_same("l1_subsystem", with(axis), 400'000, verif::fresh_seed(8));
  verif::expect_same("l1_subsystem", {}, 1'000'000, verif::fresh_seed(9));
  for (const char* lanes : {"4", "16", "64"})
    verif::expect_same("l1_subsystem", {fmt::format("coalescer.lanes={}", lanes)}, 300'000,
                       verif::fresh_seed(10));
}
