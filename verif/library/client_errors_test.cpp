// What the C interface refuses: the status, and the message's exact text.
#include <gmock/gmock.h>

#include "verif/library/client_cache.h"
#include "verif/temp_folder.h"

namespace {

using testing::HasSubstr, testing::StartsWith;
using verif::ClientCache, verif::refusal_of;

l1forge_inputs load(std::uint64_t address = 0x80) {
  l1forge_inputs in{};
  in.core_request_valid = in.core_response_ready = in.memory_request_ready = 1;
  in.core_request_address = address;
  in.core_request_mask = 1;
  return in;
}

std::string refused(ClientCache& cache, const l1forge_inputs& inputs) {
  l1forge_outputs outputs{};
  EXPECT_EQ(l1forge_cache_outputs(cache.get(), &inputs, &outputs), L1FORGE_BAD_ARGUMENT);
  EXPECT_EQ(l1forge_cache_edge(cache.get()), L1FORGE_BAD_CALL) << "nothing was evaluated";
  EXPECT_EQ(l1forge_cache_outputs(cache.get(), &inputs, &outputs), L1FORGE_BAD_ARGUMENT);
  return l1forge_message();
}

TEST(ClientVersion, IsThatOfTheHeader) {
  EXPECT_EQ(l1forge_abi(), static_cast<std::uint32_t>(L1FORGE_ABI));
  EXPECT_THAT(l1forge_version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(ClientErrors, Configurations) {
  EXPECT_EQ(refusal_of("l1d", {"geometry.ways=999"}),
            "-s geometry.ways=999: geometry.ways = 999: must be from 1 to 512; the nearest is 512");
  EXPECT_EQ(refusal_of("l1d", {"geometry.ways=3"}),
            "l1d -s geometry.ways=3: geometry.capacity_bytes = 16384 (default): must be sets of 3 ways of "
            "128 bytes, their number a power of two from 1 on; use 12288, for 32 sets");
  EXPECT_EQ(refusal_of("index_pli"),
            "index_pli: index_pli is not a cache; this interface runs L1 data caches, such as l1d");
  EXPECT_EQ(refusal_of("l1d", {"memory.protocol=axi4"}),
            "-s memory.protocol=axi4: memory.protocol = axi4: this interface has the native memory streams; "
            "leave it out");
  EXPECT_THAT(refusal_of("l1e"), HasSubstr("l1d"));
  EXPECT_THAT(refusal_of("/nope/cache.toml"), StartsWith("/nope/cache.toml: "));
}

TEST(ClientErrors, TomlTexts) {
  l1forge_cache* cache = nullptr;
  EXPECT_EQ(l1forge_cache_create_toml("[geometry]\nways = 0\n", nullptr, 0, 0, &cache),
            L1FORGE_BAD_CONFIGURATION);
  EXPECT_STREQ(l1forge_message(), "<toml>:2:8: geometry.ways = 0: must be from 1 to 512; the nearest is 1");
  EXPECT_EQ(l1forge_cache_create_toml("[geometry\n", nullptr, 0, 0, &cache), L1FORGE_BAD_CONFIGURATION);
  EXPECT_THAT(l1forge_message(), StartsWith("<toml>:1:"));
  ASSERT_EQ(l1forge_cache_create_toml("preset = \"l1d_tsc\"\n", nullptr, 0, 0, &cache), L1FORGE_OK);
  l1forge_shape shape;
  EXPECT_EQ(l1forge_cache_shape(cache, &shape), L1FORGE_OK);
  EXPECT_EQ(shape.ways, 0u);
  l1forge_cache_destroy(cache);
}

TEST(ClientErrors, FilesOfTheUser) {
  const verif::TempFolder folder;
  ClientCache cache(folder.write("my.toml", "preset = \"l1d_sectored\"\ngeometry.ways = 8\n"),
                    {"mshr.entries=5"});
  EXPECT_EQ(cache.shape().ways, 8u);
  EXPECT_EQ(cache.shape().mshr_entries, 5u);
  EXPECT_EQ(cache.shape().sets, 16u);
}

TEST(ClientErrors, FieldsOutOfRange) {
  ClientCache cache("l1d", {"geometry.address_bits=32"});
  l1forge_inputs in = load(std::uint64_t{1} << 32);
  EXPECT_EQ(refused(cache, in),
            "core_request_address = 4294967296: the port has 32 bits; shape says how wide ports are");
  in = load();
  in.core_request_id = 256;
  EXPECT_THAT(refused(cache, in), StartsWith("core_request_id = 256: the port has 8 bits"));
  in = load();
  in.core_request_mask = 0;
  EXPECT_EQ(refused(cache, in), "core_request_mask = 0: a request is of one sector at least");
  in.core_request_mask = 16;
  EXPECT_THAT(refused(cache, in), StartsWith("core_request_mask = 16: the port has 4 bits"));
  in = load();
  in.core_request_kind = L1FORGE_INVALIDATE;
  EXPECT_EQ(refused(cache, in),
            "core_request_kind = 4: this cache has no such kind; core.drops and core.peeks add two");
  in = load();
  in.core_request_kind = L1FORGE_INVALIDATE;
  ClientCache snoops("l1d", {"core.peeks=true"});
  EXPECT_THAT(refused(snoops, in), StartsWith("core_request_kind = 4: "));
  ClientCache degrees("l1d_bucl");
  in = load();
  in.core_request_degree = 64;
  EXPECT_THAT(refused(degrees, in), StartsWith("core_request_degree = 64: the port has 6 bits"));
  in.core_request_warp = 4;
  ClientCache merges("l1d", {"tags.store_on_pending=merge", "core.warp_bits=2"});
  EXPECT_THAT(refused(merges, in), StartsWith("core_request_warp = 4: the port has 2 bits"));
  cache.outputs(load());
  cache.edge();
}

TEST(ClientErrors, ResponsesToNothing) {
  ClientCache cache("l1d");
  l1forge_inputs in{}, idle{};
  in.memory_response_valid = 1;
  in.memory_response_id = 3;
  in.memory_response_mask = 15;
  EXPECT_EQ(refused(cache, in),
            "memory_response_id = 3: answers no request on its way; a request is answered once, whole");
  cache.outputs(load());
  cache.edge();
  idle.memory_request_ready = 1;
  l1forge_outputs out{};
  while (!out.memory_request_valid) {
    out = cache.outputs(idle);
    cache.edge();
  }
  in.memory_response_id = out.memory_request_id;
  in.memory_response_mask = 1;
  EXPECT_EQ(refused(cache, in), "memory_response_mask = 1: is not that of request 0, which is 15");
  in.memory_response_mask = 15;
  cache.outputs(in);
  cache.edge();
  EXPECT_THAT(refused(cache, in), StartsWith("memory_response_id = 0: answers no request on its way"));
}

TEST(ClientErrors, Ports) {
  ClientCache cache("l1d_iacm");
  EXPECT_EQ(l1forge_cache_input(cache.get(), "occupancy0"), -1);
  EXPECT_EQ(l1forge_cache_output(cache.get(), "tucd"), -1);
  EXPECT_EQ(l1forge_cache_drive(cache.get(), 3, 0), L1FORGE_BAD_ARGUMENT);
  EXPECT_STREQ(l1forge_message(), "input 3: this cache has 3; l1forge_cache_input finds one by name");
  const auto most = [](const ClientCache& of, const char* name) {
    return l1forge_cache_input_most(of.get(), l1forge_cache_input(of.get(), name));
  };
  EXPECT_EQ(most(cache, "total"), 24u);
  EXPECT_EQ(most(cache, "issued"), 64u);
  EXPECT_EQ(most(cache, "kernel_start"), 1u);
  EXPECT_EQ(most(cache, "occupancy0"), 0u);
  EXPECT_EQ(most(ClientCache("l1d_bucl", {"bypass.bucl.buffer_entries=5"}), "occupancy1"), 5u);
  EXPECT_EQ(l1forge_cache_input_most(nullptr, 0), 0u);
  std::uint64_t value = 0;
  EXPECT_EQ(l1forge_cache_read(cache.get(), -1, &value), L1FORGE_BAD_ARGUMENT);
  EXPECT_STREQ(l1forge_message(), "output -1: this cache has 1; l1forge_cache_output finds one by name");
  EXPECT_EQ(l1forge_cache_drive(cache.get(), l1forge_cache_input(cache.get(), "kernel_start"), 2),
            L1FORGE_BAD_ARGUMENT);
  EXPECT_THAT(l1forge_message(), StartsWith("kernel_start = 2: the port has 1 bit;"));
  cache.drive("kernel_start", 1);
  EXPECT_EQ(refused(cache, {}), "total = 0: must be 1 to 24 with kernel_start: the warps of the kernel");
  cache.drive("total", 24);
  cache.outputs({});
  cache.edge();
  EXPECT_EQ(l1forge_cache_figure(cache.get(), l1forge_figure_count(), &value), L1FORGE_BAD_ARGUMENT);
  EXPECT_EQ(l1forge_figure("nothing"), l1forge_figure_count());
  EXPECT_EQ(l1forge_figure_name(l1forge_figure_count()), nullptr);
}

TEST(ClientErrors, EdgesWithoutOutputs) {
  ClientCache cache("l1d_iacm");
  EXPECT_EQ(l1forge_cache_edge(cache.get()), L1FORGE_BAD_CALL);
  EXPECT_STREQ(l1forge_message(), "the edge needs this cycle's outputs: call l1forge_cache_outputs before");
  cache.outputs({});
  cache.drive("issued", 1);
  EXPECT_EQ(l1forge_cache_edge(cache.get()), L1FORGE_BAD_CALL) << "an input has changed since";
}

TEST(ClientErrors, NullPointers) {
  ClientCache cache("l1d");
  l1forge_inputs in{};
  l1forge_outputs out{};
  l1forge_shape shape{};
  std::uint64_t value = 0;
  l1forge_cache* made = nullptr;
  const auto is_null = [](l1forge_status status, const std::string& name) {
    EXPECT_EQ(status, L1FORGE_BAD_ARGUMENT);
    EXPECT_EQ(l1forge_message(), name + " is null");
  };
  is_null(l1forge_cache_create(nullptr, nullptr, 0, 0, &made), "unit");
  is_null(l1forge_cache_create("l1d", nullptr, 0, 0, nullptr), "cache");
  is_null(l1forge_cache_create("l1d", nullptr, 1, 0, &made), "settings");
  is_null(l1forge_cache_create_toml(nullptr, nullptr, 0, 0, &made), "text");
  const char* const none[] = {nullptr};
  is_null(l1forge_cache_create("l1d", none, 1, 0, &made), "a setting");
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(l1forge_cache_create("l1d", nullptr, 0, 6, &made), L1FORGE_BAD_ARGUMENT);
  EXPECT_STREQ(l1forge_message(), "options = 6: an unknown bit is set");
  is_null(l1forge_cache_outputs(nullptr, &in, &out), "cache");
  is_null(l1forge_cache_outputs(cache.get(), nullptr, &out), "inputs");
  is_null(l1forge_cache_outputs(cache.get(), &in, nullptr), "outputs");
  is_null(l1forge_cache_edge(nullptr), "cache");
  is_null(l1forge_cache_shape(nullptr, &shape), "cache");
  is_null(l1forge_cache_shape(cache.get(), nullptr), "shape");
  is_null(l1forge_cache_lookup(cache.get(), nullptr), "lookup");
  is_null(l1forge_cache_drive(nullptr, 0, 0), "cache");
  is_null(l1forge_cache_read(nullptr, 0, &value), "cache");
  is_null(l1forge_cache_figure(cache.get(), 0, nullptr), "value");
  is_null(l1forge_cache_rates(nullptr, nullptr), "cache");
  EXPECT_EQ(l1forge_cache_input(nullptr, "issued"), -1);
  EXPECT_EQ(l1forge_cache_output(cache.get(), nullptr), -1);
  EXPECT_EQ(l1forge_cache_idle(nullptr), 0u);
  EXPECT_EQ(l1forge_figure(nullptr), l1forge_figure_count());
  l1forge_cache_destroy(nullptr);
}

}  // namespace
