// Adapter of a GPU core's bus: the contract by hand, lock step of its shapes, refusals, injected faults.
#include "golden/bus/vortex_adapter.h"

#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "hw/bus/vortex_adapter.h"
#include "hw/require.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::BusRequest, golden::Message, golden::RequestKind, golden::VortexAdapter;
using verif::high, verif::inverted, verif::low, verif::other, verif::stuck;
using In = VortexAdapter::In;

// Three ports, words of half a line, few slots and tags.
const std::vector<std::string> crowded{
    "geometry.line_bytes=128", "client.ports=3",       "client.lanes=16",
    "client.requests=4",       "core.id_bits=4",       "client.memory_tag_bits=2",
    "client.tag_bits=20",      "client.count_bits=12", "geometry.chunk_bytes=16"};

constexpr hw::VortexAdapterParams eight_lanes{.line_bytes = 128, .lanes = 8, .tag_bits = 8, .requests = 32};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("vortex_adapter", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

In asking(const BusRequest& r) {
  In in{.core_request_ready = true, .flush_ready = true, .memory_bus_request_ready = true};
  in.bus_request[0] = r;
  in.bus_response_ready.fill(true);
  return in;
}

}  // namespace

// Word 6 of 32 bytes is the third chunk of line 1.
TEST(VortexAdapter, ARequestIsOfAWordAtItsPlace) {
  const VortexAdapter adapter(eight_lanes);
  const auto load = adapter.outputs(asking({.address = 6, .byte_enable = {1}})).core_request;
  ASSERT_TRUE(load);
  EXPECT_EQ(load->kind, RequestKind::load);
  EXPECT_EQ(load->address, 0xc0u);
  EXPECT_EQ(load->mask, 4u);
  EXPECT_EQ(load->byte_enable, golden::ByteMask{});
  const auto store =
      adapter.outputs(asking({.rw = true, .io = true, .address = 6, .byte_enable = {0x80000001}}))
          .core_request;
  ASSERT_TRUE(store);
  EXPECT_EQ(store->kind, RequestKind::non_l1);
  EXPECT_EQ(store->byte_enable, (golden::ByteMask{0, 0x80000001}));
  const auto nothing = adapter.outputs(asking({.rw = true, .io = true, .address = 6})).core_request;
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->kind, RequestKind::store);
}

TEST(VortexAdapter, AFenceWaitsFlushesAndGoesOn) {
  VortexAdapter adapter(eight_lanes);
  adapter.edge(asking({.rw = true, .byte_enable = {1}}));
  const In fence = asking({.flush = true, .address = 9, .tag = 5});
  EXPECT_FALSE(adapter.outputs(fence).flush_valid) << "a store is on its way";
  In answered = fence;
  answered.core_response = Message{};
  EXPECT_FALSE(adapter.outputs(answered).bus_response[0]) << "stores have no answer";
  adapter.edge(answered);
  EXPECT_TRUE(adapter.outputs(fence).flush_valid);
  EXPECT_FALSE(adapter.outputs(fence).memory_bus_request);
  adapter.edge(fence);
  const auto passed = adapter.outputs(fence).memory_bus_request;
  ASSERT_TRUE(passed && passed->flush);
  EXPECT_EQ(passed->address, 2u);
  adapter.edge(fence);
  In next = asking({.byte_enable = {1}});
  EXPECT_FALSE(adapter.outputs(next).core_request) << "memory has not answered the fence";
  next.memory_bus_response = golden::BusAnswer{};
  ASSERT_TRUE(adapter.outputs(next).bus_response[0]);
  EXPECT_EQ(adapter.outputs(next).bus_response[0]->tag, 5u);
  adapter.edge(next);
  EXPECT_TRUE(adapter.outputs(next).core_request);
}

TEST(VortexAdapter, PortsAreServedInTurn) {
  VortexAdapter adapter({.line_bytes = 128, .lanes = 8, .ports = 3});
  In all = asking({});
  all.bus_request[1] = all.bus_request[2] = all.bus_request[0];
  for (const int port : {0, 1, 2, 0}) {
    In waits = all;
    waits.core_request_ready = false;
    adapter.edge(waits);
    EXPECT_EQ(adapter.front(all), port);
    adapter.edge(all);
  }
}

// Counts of Vortex: an event of a cycle is counted two edges later.
TEST(VortexAdapter, CountsAreThoseOfVortex) {
  VortexAdapter adapter({.ports = 2, .counts = hw::ClientCounts::vortex});
  In in = asking({.byte_enable = {1}});
  in.bus_request[1] = in.bus_request[0];
  in.events = {.loads = true, .hits = true, .reservation_fail_merge = true};
  adapter.edge(in);
  in.events = {.stores = true, .store_updates = true, .reservation_fail_mshr = true};
  in.core_request_ready = false;  // nobody is served: no port waits for another
  in.core_response = Message{.id = 0, .mask = 1};
  in.bus_response_ready.fill(false);
  adapter.edge(in);
  in = {.events = {.loads = true}};
  in.memory_request = Message{.id = 1, .mask = 1};
  adapter.edge(in);
  adapter.edge({.events = {.stores = true}});
  EXPECT_EQ(adapter.counts().writes, 1u) << "the second store is of this cycle";
  adapter.edge({});
  const auto& counts = adapter.counts();
  EXPECT_EQ(counts.reads, 2u);
  EXPECT_EQ(counts.writes, 2u);
  EXPECT_EQ(counts.read_misses, 1u);
  EXPECT_EQ(counts.write_misses, 1u);
  EXPECT_EQ(counts.bank_stalls, 1u);
  EXPECT_EQ(counts.mshr_stalls, 2u);
  EXPECT_EQ(counts.memory_stalls, 1u);
  EXPECT_EQ(counts.response_stalls, 1u);
}

TEST(VortexAdapter, TwoRequestsALane) {
  for (const int lanes : {4, 8, 16, 32}) EXPECT_EQ(hw::core_requests({.lanes = lanes}), 2 * lanes);
  EXPECT_EQ(hw::core_requests({.lanes = 8, .requests = 64}), 64);
}

TEST(VortexAdapter, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("vortex_adapter", {}, full ? 5'000'000 : 60'000, verif::fresh_seed(5));
  verif::expect_same("vortex_adapter", {"client.counts=vortex"}, full ? 1'000'000 : 60'000,
                     verif::fresh_seed(8));
  if (!full) return;
  verif::expect_same("vortex_adapter", crowded, 1'000'000, verif::fresh_seed(6));
  for (const int lanes : {4, 8, 16, 32})
    for (const int line : {64, 128})
      for (const int ports : {1, 2, 4})
        verif::expect_same(
            "vortex_adapter",
            {fmt::format("client.lanes={}", lanes), fmt::format("geometry.line_bytes={}", line),
             fmt::format("client.ports={}", ports), fmt::format("client.lane_bytes={}", lanes % 8 ? 8 : 4),
             fmt::format("geometry.chunk_bytes={}", lanes == 8 ? 8 : 64),
             fmt::format("client.requests={}", 64 / ports),
             fmt::format("client.memory_tag_bits={}", 2 * ports + 1),
             fmt::format("client.counts={}", lanes == 16 ? "vortex" : "lookups")},
            600'000, verif::fresh_seed(7));
}

TEST(VortexAdapter, Refusals) {
  EXPECT_EQ(refusal({"client.lanes=64"}),
            "-s client.lanes=64: client.lanes = 64: must be a power of two from 4 to 32; the nearest is 32");
  EXPECT_EQ(
      refusal({"client.requests=3"}),
      "-s client.requests=3: client.requests = 3: must be 0, or a power of two from 2 to 64; the nearest "
      "are 2 and 4");
  EXPECT_EQ(refusal({"client.counts=all"}),
            "-s client.counts=all: client.counts = \"all\": must be one of lookups, vortex");
  EXPECT_EQ(
      refusal({"core.id_bits=2"}),
      "-s core.id_bits=2: core.id_bits = 2: cannot number client.requests = 8; use 8, those of the cache");
}

// Users of the library have no keys in front of the check.
TEST(VortexAdapter, TheHardwareRefusesEachRange) {
  using P = hw::VortexAdapterParams;
  const std::tuple<int P::*, int, const char*> wrong[] = {
      {&P::address_bits, 19, "geometry.address_bits = 19: must be from 20 to 64"},
      {&P::line_bytes, 32, "geometry.line_bytes = 32: must be a power of two from 64 to 128"},
      {&P::chunk_bytes, 24, "geometry.chunk_bytes = 24: must be a power of two from 8 to 64"},
      {&P::lanes, 12, "client.lanes = 12: must be a power of two from 4 to 32"},
      {&P::lane_bytes, 2, "client.lane_bytes = 2: must be a power of two from 4 to 8"},
      {&P::ports, 5, "client.ports = 5: must be from 1 to 4"},
      {&P::tag_bits, 0, "client.tag_bits = 0: must be from 1 to 64"},
      {&P::requests, 1, "client.requests = 1: must be a power of two from 2 to 64"},
      {&P::core_id_bits, 17, "core.id_bits = 17: must be from 1 to 16"},
      {&P::memory_id_bits, 41, "client.memory_id_bits = 41: must be from 1 to 40"},
      {&P::memory_tag_bits, 65, "client.memory_tag_bits = 65: must be from 1 to 64"},
      {&P::count_bits, 7, "client.count_bits = 7: must be from 8 to 64"}};
  for (const auto& [member, value, text] : wrong) {
    P p;
    p.*member = value;
    EXPECT_THAT([&] { hw::check(p); }, testing::ThrowsMessage<hw::ParamError>(testing::HasSubstr(text)));
  }
}

// The sound unit runs here, too.
TEST(VortexAdapter, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"ports_are_not_left", "port_choice", "from_q", "behind", high()},
      {"the_one_that_waits_is_left", "port_choice", "from_q", "chosen", low()},
      {"another_port_is_reported", "", "bus1_request_ready", "chosen[1]", high()},
      {"a_taken_slot_is_taken", "slot_table_n4_w23", "free", "", high()},
      {"slots_are_never_freed", "slot_table_n4_w17", "taken_q", "released", low()},
      {"stores_are_loads", "", "core_request_kind", "front_rw", low()},
      {"devices_are_cached", "", "core_request_kind", "device", low()},
      {"stores_of_no_byte_to_devices", "", "device", "~front_rw", high()},
      {"loads_enable_bytes", "", "core_request_byte_enable", "front_rw", high()},
      {"bytes_at_every_place", "", "placed", "place == word[0]", high()},
      {"chunks_without_a_byte", "", "chunks", "enables", low()},
      {"stores_are_answered", "", "answer_valid", "loaded", high()},
      {"answers_at_every_port", "", "bus1_response_valid", "answer_port == 2'd1", high()},
      {"another_word_of_the_line", "", "answer_data", "of_slot[0]", inverted()},
      {"another_tag", "", "answer_tag", "of_slot[20:1]", inverted()},
      {"fences_do_not_wait", "", "flush_valid", "busy", low()},
      {"fences_flush_again", "", "flush_valid", "flushed_q", low()},
      {"fences_go_on_without_a_flush", "", "flushed_q", "flush_ready", high()},
      {"fences_stay", "", "flushed_q", "fence_passes", low()},
      {"requests_pass_fences", "", "may_go", "fence_waits", low()},
      {"fences_have_no_answer", "_memory", "fence_waits_q", "fence_rw", high()},
      {"all_fences_have_an_answer", "_memory", "fence_waits_q", "fence_rw", low()},
      {"fences_write", "_memory", "memory_bus_request_byte_enable", "fence_valid", low()},
      {"fences_are_not_reported", "_memory", "memory_bus_request_flush", "", low()},
      {"stores_to_devices_are_loads", "_memory", "writes", "device", low()},
      {"loads_ask_for_all", "_memory", "reads", "memory_request_mask", high()},
      {"stores_ask_for_chunks", "_memory", "reads", "writes", low()},
      {"stores_without_a_slot", "_memory", "goes", "not_full", high()},
      {"loads_without_a_tag", "_memory", "goes", "tag_free", high()},
      {"loads_are_acknowledged", "_memory", "stores.in_valid", "writes", high()},
      {"acknowledgements_first", "_memory", "stored", "store_next_q", high()},
      {"acknowledgements_last", "_memory", "stored", "store_next_q", low()},
      {"acknowledged_with_a_mask", "_memory", "memory_response_mask", "stored", low()},
      {"another_mask", "_memory", "memory_response_mask", "of_load[7:0]", inverted()},
      {"turns_forget_who_waits", "_memory", "store_next_q", "memory_response_ready", high()},
      {"every_lookup_is_a_hit", "", "hit_counter.event_seen", "probe_miss", low()},
      {"counts_carry_early", "event_counter", "moves_1", "ends_q[0]", high()}};
  verif::expect_all_found("vortex_adapter", crowded, faults, {.cycles = 60'000});
}

TEST(VortexAdapter, EveryFaultOfTheCountsIsFound) {
  const std::vector<verif::Fault> faults{
      {"hits_are_misses", "", "read_miss_counter.event_seen", "event_hits", low()},
      {"misses_are_not_counted", "", "read_miss_counter.event_seen", "event_hits", high()},
      {"updates_are_misses", "", "write_miss_counter.event_seen", "event_store_updates", low()},
      {"every_port_waits", "", "bank_stall_counter.event_seen", "several", high()},
      {"waiting_ports_are_taken", "", "bank_stall_counter.event_seen", "taken", high()},
      {"entries_are_not_counted", "", "mshr_stall_counter.event_seen", "event_reservation_fail_mshr", low()},
      {"targets_are_not_counted", "", "mshr_stall_counter.event_seen", "event_reservation_fail_merge", low()},
      {"memory_accepts", "", "memory_stall_counter.event_seen", "memory_bus_request_ready", low()},
      {"memory_is_idle", "", "memory_stall_counter.event_seen", "memory_bus_request_valid", high()},
      {"the_core_accepts", "", "response_stall_counter.event_seen", "answer_ready", low()},
      {"answers_without_an_answer", "", "response_stall_counter.event_seen", "answer_valid", high()}};
  std::vector<std::string> settings = crowded;
  settings.emplace_back("client.counts=vortex");
  verif::expect_all_found("vortex_adapter", settings, faults, {.cycles = 60'000});
}
