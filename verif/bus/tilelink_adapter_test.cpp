// Adapter of a TileLink-UL bus: the contract by hand, lock step of its shapes, refusals, injected faults.
#include "golden/bus/tilelink_adapter.h"

#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "hw/bus/tilelink_adapter.h"
#include "hw/require.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::Message, golden::RequestKind, golden::TilelinkA, golden::TilelinkAdapter;
using verif::high, verif::inverted, verif::low;
using In = TilelinkAdapter::In;

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("tilelink_adapter", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

In asking(const TilelinkA& a) { return {.a = a, .core_request_ready = true, .d_ready = true}; }

// 8 bytes at 0x80000048: within the third word of 32 bytes of a line of 128.
const TilelinkA put{.opcode = 1,
                    .size = 3,
                    .source = 9,
                    .address = 0x80000048,
                    .mask = 0xf00,
                    .data = {0, 0x1122334455667788}};
const TilelinkA get{.opcode = 4, .size = 2, .source = 5, .address = 0x80000044, .mask = 0xf0};

}  // namespace

TEST(TilelinkAdapter, APutIsAStoreAtItsPlace) {
  TilelinkAdapter adapter({});
  const auto out = adapter.outputs(asking(put));
  ASSERT_TRUE(out.core_request);
  EXPECT_TRUE(out.a_ready);
  EXPECT_EQ(out.core_request->kind, RequestKind::store);
  EXPECT_EQ(out.core_request->address, 0x80000040u);
  EXPECT_EQ(out.core_request->mask, 4u);
  EXPECT_EQ(out.core_request->byte_enable, (golden::ByteMask{0, 0xf00}));
  adapter.edge(asking(put));
  In answered{.d_ready = true, .core_response = Message{.id = 0}};
  const auto d = adapter.outputs(answered).d;
  ASSERT_TRUE(d);
  EXPECT_EQ(d->opcode, 0) << "AccessAck";
  EXPECT_EQ(d->source, 9u);
  EXPECT_EQ(d->size, 3);
  EXPECT_FALSE(d->denied);
}

TEST(TilelinkAdapter, AGetIsALoadOfItsSector) {
  TilelinkAdapter adapter({});
  const auto out = adapter.outputs(asking(get));
  ASSERT_TRUE(out.core_request);
  EXPECT_EQ(out.core_request->kind, RequestKind::load);
  EXPECT_EQ(out.core_request->byte_enable, golden::ByteMask{});
  adapter.edge(asking(get));
  In answered{.d_ready = true, .core_response = Message{.id = 0, .mask = 4}};
  answered.core_response->data[8] = 0xabcd;
  const auto d = adapter.outputs(answered).d;
  ASSERT_TRUE(d);
  EXPECT_EQ(d->opcode, 1) << "AccessAckData";
  EXPECT_EQ(d->data[0], 0xabcdu);
}

TEST(TilelinkAdapter, DevicesAreNoneOfTheCaches) {
  const auto kind = [](hw::DeviceHalf devices, const TilelinkA& a) {
    return TilelinkAdapter({.devices = devices}).outputs(asking(a)).core_request->kind;
  };
  TilelinkA low_half = put;
  low_half.address = 0x48;
  EXPECT_EQ(kind(hw::DeviceHalf::low, low_half), RequestKind::non_l1);
  EXPECT_EQ(kind(hw::DeviceHalf::high, low_half), RequestKind::store);
  EXPECT_EQ(kind(hw::DeviceHalf::high, put), RequestKind::non_l1);
  EXPECT_EQ(kind(hw::DeviceHalf::none, low_half), RequestKind::store);
  low_half.mask = 0;
  EXPECT_EQ(kind(hw::DeviceHalf::low, low_half), RequestKind::store) << "it would be a load there";
}

// Atomics, hints and corrupt writes reach no cache; an answer that waits stays.
TEST(TilelinkAdapter, RefusedMessagesAreAnsweredOnce) {
  const std::tuple<int, bool, int, bool> cases[] = {{2, false, 1, true},
                                                    {3, false, 1, true},
                                                    {5, false, 2, false},
                                                    {0, true, 0, false},
                                                    {1, true, 0, false}};
  for (const auto& [opcode, corrupt, answer, no_data] : cases) {
    TilelinkAdapter adapter({});
    TilelinkA a = put;
    a.opcode = opcode, a.corrupt = corrupt;
    EXPECT_FALSE(adapter.outputs(asking(a)).core_request);
    adapter.edge(asking(a));
    In waits = asking(a);
    waits.d_ready = false;
    EXPECT_FALSE(adapter.outputs(waits).a_ready) << "one at a time";
    adapter.edge(waits);
    waits.core_response = Message{.id = 0};
    const auto d = adapter.outputs(waits).d;
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->denied) << "it was shown before the cache's answer";
    EXPECT_EQ(d->opcode, answer);
    EXPECT_EQ(d->corrupt, no_data);
    EXPECT_EQ(d->source, 9u);
    adapter.edge({.d_ready = true});
    EXPECT_FALSE(adapter.outputs({.d_ready = true}).d);
  }
}

TEST(TilelinkAdapter, EveryShapeElaborates) {
  for (const char* devices : {"none", "low", "high"})
    for (const int bytes : {4, 8, 16, 32, 64})
      for (const int line : {64, 128, 256})
        for (const int sector : {8, 16, 32, 64})
          EXPECT_EQ(refusal({fmt::format("tilelink.devices={}", devices),
                             fmt::format("tilelink.data_bytes={}", bytes),
                             fmt::format("geometry.line_bytes={}", line),
                             fmt::format("geometry.chunk_bytes={}", sector)}),
                    "");
}

TEST(TilelinkAdapter, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("tilelink_adapter", {}, full ? 5'000'000 : 60'000, verif::fresh_seed(5));
  if (!full) return;
  int seed = 6;
  for (const int bytes : {4, 8, 16, 32, 64})
    for (const int line : {64, 128, 256})
      verif::expect_same(
          "tilelink_adapter",
          {fmt::format("tilelink.data_bytes={}", bytes), fmt::format("geometry.line_bytes={}", line),
           fmt::format("geometry.chunk_bytes={}", line == 64   ? 64
                                                  : bytes == 8 ? 8
                                                               : 16),
           fmt::format("tilelink.devices={}", line == 128 ? "none" : "high"),
           fmt::format("tilelink.source_bits={}", bytes == 16 ? 3 : 10),
           fmt::format("tilelink.requests={}", bytes == 16 ? 4 : 64)},
          400'000, verif::fresh_seed(static_cast<std::uint64_t>(++seed)));
}

TEST(TilelinkAdapter, Refusals) {
  EXPECT_EQ(refusal({"tilelink.data_bytes=12"}),
            "-s tilelink.data_bytes=12: tilelink.data_bytes = 12: must be a power of two from 4 to 64");
  EXPECT_EQ(
      refusal({"tilelink.data_bytes=64", "geometry.line_bytes=32"}),
      "-s tilelink.data_bytes=64: tilelink.data_bytes = 64: must be at most geometry.line_bytes = 32; use "
      "longer lines");
  EXPECT_EQ(refusal({"tilelink.size_bits=2"}),
            "-s tilelink.size_bits=2: tilelink.size_bits = 2: cannot express tilelink.data_bytes = 32; use 3");
  EXPECT_EQ(
      refusal({"tilelink.device_bit=32"}),
      "-s tilelink.device_bit=32: tilelink.device_bit = 32: is none of the geometry.address_bits = 32; use "
      "a bit of the address");
  EXPECT_EQ(
      refusal({"core.id_bits=4"}),
      "-s core.id_bits=4: core.id_bits = 4: cannot number tilelink.requests = 32; use 8, those of the cache");
  EXPECT_EQ(refusal({"tilelink.devices=io"}),
            "-s tilelink.devices=io: tilelink.devices = \"io\": must be one of none, low, high");
}

// Users of the library have no keys in front of the check.
TEST(TilelinkAdapter, TheHardwareRefusesEachRange) {
  using P = hw::TilelinkAdapterParams;
  const std::tuple<int P::*, int, const char*> wrong[] = {
      {&P::address_bits, 65, "geometry.address_bits = 65: must be from 32 to 64"},
      {&P::line_bytes, 16, "geometry.line_bytes = 16: must be a power of two from 32 to 256"},
      {&P::chunk_bytes, 4, "geometry.chunk_bytes = 4: must be a power of two from 8 to 64"},
      {&P::data_bytes, 2, "tilelink.data_bytes = 2: must be a power of two from 4 to 64"},
      {&P::source_bits, 0, "tilelink.source_bits = 0: must be from 1 to 16"},
      {&P::size_bits, 5, "tilelink.size_bits = 5: must be from 2 to 4"},
      {&P::requests, 3, "tilelink.requests = 3: must be a power of two from 2 to 64"},
      {&P::device_bit, 7, "tilelink.device_bit = 7: must be from 8 to 63"},
      {&P::core_id_bits, 0, "core.id_bits = 0: must be from 1 to 16"}};
  for (const auto& [member, value, text] : wrong) {
    P p;
    p.*member = value;
    EXPECT_THAT([&] { hw::check(p); }, testing::ThrowsMessage<hw::ParamError>(testing::HasSubstr(text)));
  }
}

// The sound unit runs here, too.
TEST(TilelinkAdapter, EveryFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"writes_are_reads", "", "core_request_kind", "put", low()},
      {"devices_are_cached", "", "core_request_kind", "device", low()},
      {"the_other_half_is_of_devices", "", "device", "a_address[31]", inverted()},
      {"writes_of_no_byte_to_devices", "", "device", "some", high()},
      {"reads_enable_bytes", "", "bytes", "put", high()},
      {"corrupt_writes_are_done", "", "refused", "a_corrupt", low()},
      {"reads_are_refused", "", "refused", "get", low()},
      {"refused_messages_reach_the_cache", "", "core_request_valid", "refused", low()},
      {"slots_are_always_free", "", "core_request_valid", "slot_free", high()},
      {"taken_without_a_slot", "", "a_ready", "slot_free", high()},
      {"a_refusal_over_a_refusal", "", "a_ready", "denied_q", low()},
      {"refusals_stay", "", "denied_q", "denies", low()},
      {"refusals_wait_for_nobody", "", "denied_q", "d_ready", high()},
      {"refusals_have_no_turn", "", "denies", "deny_next_q", low()},
      {"refusals_push_aside_what_waits", "", "denies", "core_response_valid", low()},
      {"refusals_take_the_caches_answer", "", "core_response_ready", "denies", low()},
      {"atomics_have_no_data", "", "denied_opcode_q", "atomic", low()},
      {"hints_are_writes", "", "denied_opcode_q", "hint", low()},
      {"not_denied", "", "d_denied", "", low()},
      {"answers_have_a_parameter", "", "d_param", "", high()},
      {"answers_have_a_sink", "", "d_sink", "", high()},
      {"data_of_nothing_is_valid", "", "d_corrupt", "", low()},
      {"the_source_of_another", "", "d_source", "denies", low()},
      {"the_size_of_another", "", "d_size", "denies", low()},
      {"turns_forget_who_waits", "", "deny_next_q", "d_ready", high()}};
  verif::expect_all_found("tilelink_adapter", {"tilelink.requests=4", "core.id_bits=4"}, faults,
                          {.cycles = 60'000});
}
