// Topologies whose L1s have protected RAMs, of more kinds, with other tags and clocks: lock step under
// upsets.
#include <gmock/gmock.h>

#include "verif/parameters/small_topologies.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::Flags;

void expect_same(const std::string& preset, const Flags& flags, const Flags& more) {
  verif::expect_same(preset, verif::with(flags, more), 1'000'000, verif::fresh_seed(54));
}

const Flags parity{"ecc.data=parity", "ecc.tags=parity", "ecc.mshr=parity"},
    secded{"ecc.data=secded", "ecc.tags=secded", "ecc.mshr=secded"};

}  // namespace

TEST(TopologyEccFull, CachesAtCoresAndInNodes) {
  for (const char* kind : {"baseline", "cdxbar", "private_nodes", "shared_nodes"})
    expect_same("dc_l1", verif::small_topology(kind), secded);
  expect_same("dc_l1", verif::small_topology("clustered", true), parity);
  expect_same("dc_l1", verif::with(verif::small_topology("clustered"), {"noc.clock_ratio=2"}), parity);
}

TEST(TopologyEccFull, OtherTags) {
  for (const char* tags : {"split", "decoupled", "reuse_filter", "sectored"})
    expect_same("dc_l1",
                verif::with(verif::small_topology("clustered"),
                            {std::string("tags.kind=") + tags, "geometry.chunk_bytes=16"}),
                secded);
}

TEST(TopologyEccFull, SharedL1s) {
  expect_same("shared_l1", verif::small_shared(), secded);
  expect_same("shared_l1", verif::small_butterfly(), parity);
  for (const Flags& code : {secded, parity}) {
    expect_same("shared_l1", verif::with(verif::small_dyneb(), {"shared.own_store_guard=false"}), code);
    expect_same("shared_l1", verif::small_dyneb(), {code[1], code[2]});
  }
}

TEST(TopologyEccFull, SearchedL1s) {
  for (const Flags& code : {secded, parity}) {
    expect_same("remote_core", verif::small_remote(), code);
    expect_same("remote_node", verif::small_remote_node(), code);
  }
}
