// The adapter of an AXI4 bus: bursts beat by beat as the specification has them, what is refused, order of
// answers, lock step of its shapes, refusals of keys, injected faults.
#include "golden/bus/axi4_adapter.h"

#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "hw/bus/axi4_adapter.h"
#include "hw/require.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::Axi4Adapter, golden::Axi4Burst, golden::Message, golden::RequestKind;
using testing::ElementsAre;
using verif::high, verif::inverted, verif::low;
using In = Axi4Adapter::In;

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("axi4_adapter", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

constexpr int allocates = 12;  // AxCACHE

// The requests of a read, one after the other.
std::vector<Message> loads_of(const Axi4Burst& burst, const hw::Axi4AdapterParams& p = {}) {
  Axi4Adapter adapter(p);
  adapter.edge({.ar = burst});
  std::vector<Message> loads;
  const In taking{.r_ready = true, .core_request_ready = true};
  for (int n = 0; n < 30; ++n) {
    if (const auto m = adapter.outputs(taking).core_request) loads.push_back(*m);
    adapter.edge(taking);
  }
  return loads;
}
std::vector<std::uint64_t> addresses_of(const Axi4Burst& burst) {
  std::vector<std::uint64_t> addresses;
  for (const Message& m : loads_of(burst, {.data_bytes = 4})) addresses.push_back(m.address);
  return addresses;
}

}  // namespace

TEST(Axi4Adapter, BeatsHaveTheAddressesOfTheSpecification) {
  EXPECT_THAT(addresses_of({.address = 0x1008, .length = 3, .size = 2}),
              ElementsAre(0x1008, 0x100c, 0x1010, 0x1014));
  EXPECT_THAT(addresses_of({.address = 0x1008, .length = 3, .size = 2, .type = 2}),
              ElementsAre(0x1008, 0x100c, 0x1000, 0x1004));
  EXPECT_THAT(addresses_of({.address = 0x1008, .length = 2, .size = 2, .type = 0}),
              ElementsAre(0x1008, 0x1008, 0x1008));
  // Two beats a word, the first one of a single byte.
  EXPECT_THAT(addresses_of({.address = 0x1003, .length = 3, .size = 1}),
              ElementsAre(0x1000, 0x1004, 0x1004, 0x1008));
}

TEST(Axi4Adapter, AReadAsksForItsSectorsAlone) {
  const hw::Axi4AdapterParams wide{.chunk_bytes = 8, .data_bytes = 64};
  const auto masks = [&](const Axi4Burst& burst) {
    std::vector<std::uint32_t> all;
    for (const Message& m : loads_of(burst, wide)) all.push_back(m.mask);
    return all;
  };
  EXPECT_THAT(masks({.address = 0x80, .size = 6}), ElementsAre(0x00ff));
  EXPECT_THAT(masks({.address = 0xd1, .size = 6}), ElementsAre(0xfc00)) << "to the end of the beat";
  EXPECT_THAT(masks({.address = 0x50, .length = 1, .size = 4}), ElementsAre(0x0c00, 0x3000));
  EXPECT_THAT(masks({.address = 0x9f, .size = 2}), ElementsAre(0x0008));
}

TEST(Axi4Adapter, AttributesSayWhatTheCacheHolds) {
  const auto kind = [](int cache, hw::Axi4Cacheable cacheable) {
    return loads_of({.address = 64, .size = 5, .cache = cache}, {.cacheable = cacheable}).at(0).kind;
  };
  for (const int cache : {0, 1, 2, 3}) {
    EXPECT_EQ(kind(cache, hw::Axi4Cacheable::attributes), RequestKind::non_l1) << cache;
    EXPECT_EQ(kind(cache, hw::Axi4Cacheable::all), RequestKind::load) << cache;
  }
  for (const int cache : {6, 7, 10, 11, 14, 15})
    EXPECT_EQ(kind(cache, hw::Axi4Cacheable::attributes), RequestKind::load) << cache;
}

TEST(Axi4Adapter, AWriteIsAStoreAtItsPlace) {
  Axi4Adapter adapter({});
  In in{.aw = Axi4Burst{.id = 7, .address = 0x48, .size = 3, .cache = allocates}, .core_request_ready = true};
  EXPECT_TRUE(adapter.outputs(in).aw_ready);
  in.w = golden::Axi4Write{.data = {0, 0x1122334455667788}, .strobe = 0xf00, .last = true};
  EXPECT_FALSE(adapter.outputs(in).w_ready) << "the address is not there yet";
  adapter.edge(in);
  in.aw.reset();
  const auto out = adapter.outputs(in);
  EXPECT_TRUE(out.w_ready);
  ASSERT_TRUE(out.core_request);
  EXPECT_EQ(out.core_request->kind, RequestKind::store);
  EXPECT_EQ(out.core_request->id, 32u);
  EXPECT_EQ(out.core_request->address, 0x40u);
  EXPECT_EQ(out.core_request->mask, 4u);
  EXPECT_EQ(out.core_request->byte_enable, (golden::ByteMask{0, 0xf00}));
  adapter.edge(in);
  In idle;
  adapter.edge(idle);
  EXPECT_FALSE(adapter.outputs(idle).b) << "the cache has not answered";
  adapter.edge({.core_response = Message{.id = 32}});
  adapter.edge(idle);
  ASSERT_TRUE(adapter.outputs(idle).b);
  EXPECT_EQ(adapter.outputs(idle).b->id, 7u);
  EXPECT_FALSE(adapter.outputs(idle).b->refused);
}

// Answers come in any order; reads leave in order, one that is the oldest in the next cycle.
TEST(Axi4Adapter, ReadsLeaveInTheirOrder) {
  Axi4Adapter adapter({});
  adapter.edge({.ar = Axi4Burst{.id = 3, .address = 0, .length = 3, .size = 5, .cache = allocates}});
  In taking{.r_ready = true, .core_request_ready = true};
  for (int n = 0; n < 4; ++n) adapter.edge(taking);
  const auto answer = [&](std::uint64_t id) {
    In in{.r_ready = true, .core_response = Message{.id = id, .mask = 1u << id}};
    for (auto& word : in.core_response->data) word = 100 + id;
    adapter.edge(in);
  };
  answer(1), answer(2);
  EXPECT_FALSE(adapter.outputs(taking).r) << "the first is not there";
  answer(0);
  for (const std::uint64_t beat : {0, 1, 2}) {
    const auto r = adapter.outputs(taking).r;
    ASSERT_TRUE(r) << beat;
    EXPECT_EQ(r->data[0], 100 + beat);
    EXPECT_EQ(r->id, 3u);
    EXPECT_FALSE(r->last);
    adapter.edge(taking);
  }
  EXPECT_FALSE(adapter.outputs(taking).r);
  answer(3);
  ASSERT_TRUE(adapter.outputs(taking).r);
  EXPECT_TRUE(adapter.outputs(taking).r->last);
}

// Beats that are no beats of this bus are answered with SLVERR, each of a read, once for a write.
TEST(Axi4Adapter, RefusedBurstsReachNoCache) {
  const Axi4Burst wrong[] = {
      {.length = 2, .size = 6}, {.length = 2, .size = 5, .type = 3}, {.length = 2, .size = 5, .type = 2}};
  for (const Axi4Burst& burst : wrong) {
    EXPECT_TRUE(Axi4Adapter::refuses(burst, 32));
    Axi4Adapter adapter({});
    adapter.edge({.ar = burst, .aw = burst});
    int reads = 0, writes = 0;
    for (int n = 0; n < 30; ++n) {
      const In in{.w = golden::Axi4Write{.strobe = 1}, .r_ready = true, .b_ready = true};
      const auto out = adapter.outputs(in);
      EXPECT_FALSE(out.core_request);
      reads += out.r && out.r->refused, writes += out.b && out.b->refused;
      adapter.edge(in);
    }
    EXPECT_EQ(reads, 3);
    EXPECT_EQ(writes, 1);
  }
}

TEST(Axi4Adapter, EveryShapeElaborates) {
  for (const char* cacheable : {"attributes", "all"})
    for (const int bytes : {4, 8, 16, 32, 64})
      for (const int line : {64, 128, 256})
        for (const int sector : {8, 16, 32, 64})
          EXPECT_EQ(
              refusal({fmt::format("s_axi.cacheable={}", cacheable),
                       fmt::format("s_axi.data_bytes={}", bytes), fmt::format("geometry.line_bytes={}", line),
                       fmt::format("geometry.chunk_bytes={}", sector)}),
              "");
}

TEST(Axi4Adapter, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("axi4_adapter", {}, full ? 5'000'000 : 60'000, verif::fresh_seed(5));
  if (!full) return;
  int seed = 6;
  for (const int bytes : {4, 8, 16, 32, 64})
    for (const int line : {64, 128, 256})
      verif::expect_same(
          "axi4_adapter",
          {fmt::format("s_axi.data_bytes={}", bytes), fmt::format("geometry.line_bytes={}", line),
           fmt::format("geometry.chunk_bytes={}", line == 64   ? 64
                                                  : bytes == 8 ? 8
                                                               : 16),
           fmt::format("s_axi.cacheable={}", line == 128 ? "all" : "attributes"),
           fmt::format("s_axi.id_bits={}", bytes == 16 ? 1 : 9),
           fmt::format("s_axi.reads={}", bytes == 16 ? 4 : 64),
           fmt::format("s_axi.writes={}", bytes == 32 ? 64 : 2)},
          400'000, verif::fresh_seed(static_cast<std::uint64_t>(++seed)));
}

TEST(Axi4Adapter, Refusals) {
  EXPECT_EQ(refusal({"s_axi.data_bytes=12"}),
            "-s s_axi.data_bytes=12: s_axi.data_bytes = 12: must be a power of two from 4 to 64");
  EXPECT_EQ(refusal({"s_axi.data_bytes=64", "geometry.line_bytes=32"}),
            "-s s_axi.data_bytes=64: s_axi.data_bytes = 64: must be at most geometry.line_bytes = 32; use "
            "longer lines");
  EXPECT_EQ(
      refusal({"core.id_bits=5"}),
      "-s core.id_bits=5: core.id_bits = 5: cannot number 32 beats of reads and as many of writes; use 8, "
      "those of the cache");
  EXPECT_EQ(refusal({"s_axi.cacheable=none"}),
            "-s s_axi.cacheable=none: s_axi.cacheable = \"none\": must be one of attributes, all");
}

// Users of the library have no keys in front of the check.
TEST(Axi4Adapter, TheHardwareRefusesEachRange) {
  using P = hw::Axi4AdapterParams;
  const std::tuple<int P::*, int, const char*> wrong[] = {
      {&P::address_bits, 65, "geometry.address_bits = 65: must be from 32 to 64"},
      {&P::line_bytes, 16, "geometry.line_bytes = 16: must be a power of two from 32 to 256"},
      {&P::chunk_bytes, 4, "geometry.chunk_bytes = 4: must be a power of two from 8 to 64"},
      {&P::data_bytes, 2, "s_axi.data_bytes = 2: must be a power of two from 4 to 64"},
      {&P::id_bits, 0, "s_axi.id_bits = 0: must be from 1 to 16"},
      {&P::reads, 3, "s_axi.reads = 3: must be a power of two from 2 to 64"},
      {&P::writes, 128, "s_axi.writes = 128: must be a power of two from 2 to 64"},
      {&P::core_id_bits, 0, "core.id_bits = 0: must be from 2 to 16"}};
  for (const auto& [member, value, text] : wrong) {
    P p;
    p.*member = value;
    EXPECT_THAT([&] { hw::check(p); }, testing::ThrowsMessage<hw::ParamError>(testing::HasSubstr(text)));
  }
}

// The sound unit runs here, too.
TEST(Axi4Adapter, EveryFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"reads_go_first_always", "", "writes", "write_next_q", low()},
      {"writes_go_first_always", "", "writes", "read_candidate", low()},
      {"a_waiting_beat_is_passed", "", "write_next_q", "core_request_ready", high()},
      {"refused_reads_reach_the_cache", "", "read_candidate", "read_refused", low()},
      {"refused_writes_reach_the_cache", "", "write_candidate", "write_refused", low()},
      {"reads_without_a_slot", "", "read_present", "read_slot_free", high()},
      {"writes_without_a_slot", "", "write_present", "write_slot_free", high()},
      {"writes_without_data", "", "write_present", "s_axi_wvalid", high()},
      {"writes_of_no_byte_pass_by", "", "non_l1", "some", high()},
      {"device_writes_are_cached", "", "non_l1", "write_cacheable", high()},
      {"device_reads_are_cached", "", "non_l1", "read_cacheable", high()},
      {"reads_enable_bytes", "", "bytes", "writes", high()},
      {"a_beat_ends_the_write", "", "write_leave", "write_ends", low()},
      {"responses_wait_for_nobody", "", "b_not_full", "b_valid_q", low()},
      {"beats_wait_for_nobody", "", "r_not_full", "r_valid_q", low()},
      {"refused_writes_are_okay", "", "s_axi_bresp", "b_refused_q", low()},
      {"refused_reads_are_okay", "", "s_axi_rresp", "r_refused_q", low()},
      {"out_of_order", "", "direct", "read_oldest", high()},
      {"an_answer_goes_without_a_slot", "", "direct", "r_not_full", high()},
      {"direct_answers_are_kept_too", "", "read_answer", "direct", low()},
      {"the_ram_has_nothing", "", "r_data_q", "fetched_q", low()},
      {"wrap_is_incr", "axi4_burst", "arriving_bits", "wraps", low()},
      {"fixed_is_incr", "axi4_burst", "arriving_bits", "fixed", low()},
      {"lengths_of_wraps_are_not_checked", "axi4_burst", "arriving_refused", "a_power_of_two", high()},
      {"beats_begin_within_a_beat", "axi4_burst", "after", "below_q", low()},
      {"no_burst_behind_the_last_beat", "axi4_burst", "ready", "advance", low()},
      {"a_full_ring_is_free", "_ram", "free", "", high()},
      {"refused_beats_are_not_answered", "_ram", "answered_q", "take_answered", low()}};
  verif::expect_all_found("axi4_adapter", {"s_axi.reads=4", "s_axi.writes=4", "core.id_bits=4"}, faults,
                          {.cycles = 60'000});
}
