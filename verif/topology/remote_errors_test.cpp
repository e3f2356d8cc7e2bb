// Keys of remote-core probing as a topology: what is refused, by exact messages with their positions, what is
// taken, and what models alone have.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gen/config/config.h"
#include "gen/unit/unit.h"
#include "hw/topology/topology.h"

namespace {

using testing::HasSubstr;
using Settings = std::vector<std::string>;

const char* const six =
    "preset = \"shared_l1\"\ntopology = { kind = \"remote\", cores = 6, slices = 2 }\n"
    "mesh = { width = 3, height = 3, memory_nodes = [4, 2], vcs = 1 }\n";

// What the user reads of the fourth line of a file; "" when nothing is wrong.
std::string error_of(const std::string& fourth, const Settings& flags = {}) {
  try {
    const gen::Config config = gen::parse_config(six + fourth + "\n", "my.toml", flags);
    gen::with_places(config, [&] { hw::check(config.get<hw::TopologyParams>()); });
  } catch (const gen::ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(RemoteErrors, Ranges) {
  EXPECT_EQ(error_of("remote.coverage = 6"),
            "my.toml:4:19: remote.coverage = 6: must be from 1 to the 5 other cores; use 5");
  EXPECT_EQ(error_of("remote.coverage = 44"), "my.toml:4:19: remote.coverage = 44: must be from 1 to 43");
  EXPECT_EQ(error_of("remote = { probes = 3, outgoing = 2 }"),
            "my.toml:4:35: remote.outgoing = 2: must be from the 3 of remote.probes to 32; use 4");
  EXPECT_EQ(error_of("remote.incoming = 1"),
            "my.toml:4:19: remote.incoming = 1: must be from 2 to 32; the nearest is 2");
  EXPECT_EQ(error_of("remote.deflected = 9"),
            "my.toml:4:20: remote.deflected = 9: must be from 0 to 8; the nearest is 8");
  EXPECT_EQ(error_of("remote.wait_limit = 0"),
            "my.toml:4:21: remote.wait_limit = 0: must be from 1 to 1023; the nearest is 1");
  EXPECT_EQ(error_of("remote.timeout = 63"),
            "my.toml:4:18: remote.timeout = 63: must be from 64 to 32767; the nearest is 64");
  EXPECT_EQ(error_of("remote.probability = 1.5"),
            "my.toml:4:22: remote.probability = 1.5: must be a number from 0 to 1; the nearest is 1");
  EXPECT_EQ(error_of("remote.filter_bits = 16\ngeometry.address_bits = 20"),
            "my.toml:4:22: remote.filter_bits = 16: must not exceed the 13 bits of a block address; use 13");
  EXPECT_EQ(error_of("mshr.entries = 1"),
            "my.toml:4:16: mshr.entries = 1: must be from 2 to 128; use 32, those of the cache");
}

TEST(RemoteErrors, StatesOfThePredictor) {
  EXPECT_THAT(error_of("predictor.shared = [33, 16, 8, 4]"),
              HasSubstr("my.toml:4:20: predictor.shared = [33, 16, 8, 4]: must not exceed the 32 misses"));
  EXPECT_THAT(error_of("predictor.threshold = [4, 2, 9, 1]"),
              HasSubstr("my.toml:4:23: predictor.threshold = [4, 2, 9, 1]: must not exceed the 8 misses"));
  EXPECT_THAT(error_of("predictor.window = [32, 64, 128]"),
              HasSubstr("must have as many numbers as the 3 of predictor.window"));
}

TEST(RemoteErrors, WhatCachesAndMeshesCannotBe) {
  EXPECT_EQ(
      error_of("tags.kind = \"sectored\""),
      "my.toml:4:13: tags.kind = sectored: others look for whole lines, which only conventional tags have; "
      "use conventional");
  EXPECT_THAT(error_of("bypass.kind = \"mrpb\""), HasSubstr("my.toml:4:15: bypass.kind = "));
  EXPECT_THAT(error_of("index.kind = \"adi\""), HasSubstr("my.toml:4:14: index.kind = adi: "));
  EXPECT_EQ(error_of("index.kind = \"adi\"\nremote.own_store_guard = false"), "");
  EXPECT_EQ(
      error_of("", {"mesh.vcs=2"}),
      "-s mesh.vcs=2: mesh.vcs = 2: must be 1: whoever takes a message takes it at once, and no class waits "
      "for another; use 1");
}

// 43 targets of 5 bits fit into a flit of 256 bits, 28 of 8 bits do, and one more does not.
TEST(RemoteErrors, AProbeIsOneFlit) {
  const auto of_cores = [](int cores, int coverage) {
    return error_of(fmt::format("remote.coverage = {}", coverage),
                    {fmt::format("topology.cores={}", cores), "mesh.width=16", "mesh.height=16"});
  };
  EXPECT_EQ(of_cores(128, 27), "");
  EXPECT_EQ(
      of_cores(128, 28),
      "my.toml:4:19: remote.coverage = 28: makes a probe of 263 bits, and it is one flit of 256; use 5");
}

TEST(RemoteErrors, KeysCountWithTheirKind) {
  const auto top = [](const Settings& settings) { return gen::load_config("shared_l1", settings).top; };
  const Settings remote{"topology.kind=remote", "mesh.vcs=1", "mesh.vc_flits=8"};
  EXPECT_EQ(top(remote), "shared_l1_remote_v1_d8");
  const auto with = [&](const char* key) {
    Settings named = remote;
    named.emplace_back(key);
    return top(named);
  };
  EXPECT_EQ(with("remote.coverage=15"), "shared_l1_remote_v1_d8_coverage15");
  EXPECT_EQ(with("predictor.kind=perfect"), "shared_l1_remote_v1_d8_perfect");
  EXPECT_EQ(with("selector.kind=index"), "shared_l1_remote_v1_d8_cores_by_index");
  EXPECT_EQ(top({"remote.coverage=15"}), "shared_l1");
  EXPECT_EQ(top({"topology.kind=remote", "mesh.vcs=1", "shared.fabric=butterfly"}), "shared_l1_remote_v1");
}

// Ids of requests stand in what a group has beside a core.
TEST(RemoteErrors, IdsOfTheCoreFitBesideItsNumber) {
  EXPECT_EQ(error_of("core.id_bits = 22"), "");
  EXPECT_EQ(error_of("core.id_bits = 23"),
            "my.toml:4:16: core.id_bits = 23: must be from 1 to 22; use 8, ids of 256 requests under way");
}

TEST(RemoteErrors, KnownToModelsAlone) {
  const auto refusal = [](const Settings& settings) -> std::string {
    try {
      gen::elaborate(gen::parse_config(six, "my.toml", settings));
    } catch (const gen::ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({"remote.enable=false"}), "");
  EXPECT_THAT(refusal({"predictor.kind=perfect"}),
              HasSubstr("predictor.kind = perfect: knows what other cores have, which only a model can"));
}

// The core is an input of its selector there, and a name of the selector's text.
TEST(RemoteErrors, TheSelectorMayHaveStages) {
  for (const char* stages : {"selector.stages=0", "selector.stages=2"})
    EXPECT_NO_THROW(gen::elaborate(gen::load_config("remote_core", {stages}))) << stages;
}
