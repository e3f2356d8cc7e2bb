// Adapter of a TileLink-UH bus: bursts by hand, lock step of shapes, refusals, injected faults.
#include <gmock/gmock.h>

#include "gen/unit/unit.h"
#include "golden/bus/tilelink_adapter.h"
#include "hw/bus/tilelink_adapter.h"
#include "hw/require.h"
#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using golden::Message, golden::RequestKind, golden::TilelinkA, golden::TilelinkAdapter;
using verif::high, verif::low;
using In = TilelinkAdapter::In;

constexpr hw::TilelinkAdapterParams uh{.burst_bytes = 128};

std::string refusal(const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config("tilelink_adapter", settings));
  } catch (const gen::ConfigError& e) {
    return e.what();
  }
  return "";
}

In asking(const TilelinkA& a) { return {.a = a, .core_request_ready = true, .d_ready = true}; }

// 64 bytes at 0x80000040: the upper half of a line, in two beats of 32 bytes.
const TilelinkA put{
    .opcode = 1, .size = 6, .source = 9, .address = 0x80000040, .mask = 0xf00, .data = {1, 2}};

}  // namespace

TEST(TilelinkBursts, APutOfSeveralBeatsIsOneStore) {
  TilelinkAdapter adapter(uh);
  In in = asking(put);
  in.core_request_ready = false;
  EXPECT_TRUE(adapter.outputs(in).a_ready) << "no cache is needed yet";
  EXPECT_FALSE(adapter.outputs(in).core_request);
  adapter.edge(in);
  in.a->mask = 0xf, in.a->data = {3, 4};
  const auto out = adapter.outputs(in);
  EXPECT_FALSE(out.a_ready) << "the cache does not take it";
  ASSERT_TRUE(out.core_request);
  EXPECT_EQ(out.core_request->kind, RequestKind::store);
  EXPECT_EQ(out.core_request->address, 0x80000040u);
  EXPECT_EQ(out.core_request->mask, 0xcu);
  EXPECT_EQ(out.core_request->byte_enable, (golden::ByteMask{0, 0xf00000f00}));
  EXPECT_EQ(out.core_request->data[9], 2u);
  EXPECT_EQ(out.core_request->data[12], 3u);
  in.core_request_ready = true;
  adapter.edge(in);
  const In answered{.d_ready = true, .core_response = Message{.id = 0}};
  const auto done = adapter.outputs(answered);
  ASSERT_TRUE(done.d);
  EXPECT_TRUE(done.core_response_ready) << "AccessAck has one beat";
  EXPECT_EQ(done.d->opcode, 0);
  EXPECT_EQ(done.d->size, 6);
  adapter.edge(answered);
  // Nothing stays for the next write.
  const TilelinkA single{.opcode = 0, .size = 0, .source = 1, .address = 0x80000060, .mask = 1};
  EXPECT_EQ(adapter.outputs(asking(single)).core_request->byte_enable, (golden::ByteMask{0, 0x100000000}));
}

TEST(TilelinkBursts, AGetIsAnsweredInBeatsThatFollowEachOther) {
  TilelinkAdapter adapter(uh);
  const TilelinkA get{.opcode = 4, .size = 7, .source = 5, .address = 0x80000080, .mask = 0xffffffff};
  ASSERT_TRUE(adapter.outputs(asking(get)).core_request);
  EXPECT_EQ(adapter.outputs(asking(get)).core_request->mask, 0xfu);
  adapter.edge(asking(get));
  TilelinkA atomic = get;
  atomic.opcode = 2, atomic.size = 3, atomic.source = 6;
  In in = asking(atomic);
  in.core_response = Message{.id = 0, .mask = 0xf};
  for (int w = 0; w < 16; ++w)
    in.core_response->data[static_cast<std::size_t>(w)] = 100 + static_cast<unsigned>(w);
  for (unsigned beat = 0; beat < 4; ++beat) {
    in.d_ready = false;
    adapter.edge(in);
    in.a.reset();
    in.d_ready = true;
    const auto out = adapter.outputs(in);
    ASSERT_TRUE(out.d);
    EXPECT_EQ(out.d->source, 5u) << "a refusal waits behind the burst";
    EXPECT_EQ(out.d->opcode, 1);
    EXPECT_EQ(out.d->data[0], 100 + 4 * beat);
    EXPECT_EQ(out.core_response_ready, beat == 3);
    adapter.edge(in);
  }
  in.core_response = Message{.id = 1};
  EXPECT_TRUE(adapter.outputs(in).d->denied) << "then it has its turn";
}

TEST(TilelinkBursts, AtomicsAreConsumedAndAnsweredInAllBeats) {
  for (const int opcode : {2, 3}) {
    TilelinkAdapter adapter(uh);
    TilelinkA atomic = put;
    atomic.opcode = opcode, atomic.size = 7;
    for (int beat = 0; beat < 4; ++beat) {
      EXPECT_TRUE(adapter.outputs(asking(atomic)).a_ready);
      EXPECT_FALSE(adapter.outputs(asking(atomic)).core_request);
      EXPECT_FALSE(adapter.outputs(asking(atomic)).d);
      adapter.edge(asking(atomic));
    }
    const In in{.d_ready = true, .core_response = Message{.id = 0}};
    adapter.edge({});  // the refusal is shown, and keeps the channel
    for (int beat = 0; beat < 4; ++beat) {
      const auto out = adapter.outputs(in);
      ASSERT_TRUE(out.d) << beat;
      EXPECT_TRUE(out.d->denied && out.d->corrupt);
      EXPECT_FALSE(out.core_response_ready);
      adapter.edge(in);
    }
    EXPECT_FALSE(adapter.outputs(in).d->denied);
  }
}

TEST(TilelinkBursts, ACorruptBeatRefusesAllOfItsPut) {
  for (const int corrupt : {0, 1, 2, 3}) {
    TilelinkAdapter adapter(uh);
    TilelinkA a = put;
    a.size = 7, a.address = 0x80000000;
    for (int beat = 0; beat < 4; ++beat) {
      a.corrupt = beat == corrupt;
      EXPECT_FALSE(adapter.outputs(asking(a)).core_request);
      EXPECT_FALSE(adapter.outputs(asking(a)).d) << "not before the last beat";
      adapter.edge(asking(a));
    }
    const auto d = adapter.outputs({.d_ready = true}).d;
    ASSERT_TRUE(d);
    EXPECT_TRUE(d->denied);
    EXPECT_EQ(d->opcode, 0);
    adapter.edge({.d_ready = true});
    EXPECT_FALSE(adapter.outputs({.d_ready = true}).d) << "one beat";
    a.size = 5, a.corrupt = false;
    EXPECT_TRUE(adapter.outputs(asking(a)).core_request) << "the next one is sound";
  }
}

// TL-UH has hints, and TL-UL does not.
TEST(TilelinkBursts, HintsAreIgnoredAndNotDenied) {
  for (const bool bursts : {false, true}) {
    TilelinkAdapter adapter(bursts ? uh : hw::TilelinkAdapterParams{});
    const TilelinkA hint{.opcode = 5, .param = 1, .size = 7, .source = 3, .mask = 0xffffffff};
    EXPECT_FALSE(adapter.outputs(asking(hint)).core_request);
    EXPECT_TRUE(adapter.outputs(asking(hint)).a_ready);
    adapter.edge(asking(hint));
    const auto d = adapter.outputs({.d_ready = true}).d;
    ASSERT_TRUE(d);
    EXPECT_EQ(d->opcode, 2) << "HintAck";
    EXPECT_EQ(d->size, 7);
    EXPECT_EQ(d->denied, !bursts);
    adapter.edge({.d_ready = true});
    EXPECT_FALSE(adapter.outputs({.d_ready = true}).d);
  }
}

TEST(TilelinkBursts, EveryShapeElaborates) {
  for (const char* devices : {"none", "low"})
    for (const int bytes : {4, 8, 16, 32, 64})
      for (const int line : {64, 128, 256})
        for (const int sector : {8, 32, 64})
          for (int burst = bytes; burst <= line; burst *= 2)
            EXPECT_EQ(refusal({fmt::format("tilelink.devices={}", devices), "tilelink.size_bits=4",
                               fmt::format("tilelink.data_bytes={}", bytes),
                               fmt::format("tilelink.burst_bytes={}", burst),
                               fmt::format("geometry.line_bytes={}", line),
                               fmt::format("geometry.chunk_bytes={}", sector)}),
                      "");
}

TEST(TilelinkBursts, LockStep) {
  const bool full = verif::full_tier();
  verif::expect_same("tilelink_adapter", {"tilelink.burst_bytes=128"}, full ? 5'000'000 : 60'000,
                     verif::fresh_seed(5));
  // A block of two words within a sector, and one of half a line with sectors smaller than words.
  verif::expect_same("tilelink_adapter", {"tilelink.data_bytes=8", "tilelink.burst_bytes=16"},
                     full ? 2'000'000 : 60'000, verif::fresh_seed(6));
  verif::expect_same("tilelink_adapter",
                     {"tilelink.data_bytes=16", "tilelink.burst_bytes=64", "geometry.chunk_bytes=8",
                      "tilelink.devices=none"},
                     full ? 2'000'000 : 60'000, verif::fresh_seed(7));
  if (!full) return;
  int seed = 8;
  for (const int bytes : {4, 8, 16, 32, 64})
    for (const int line : {64, 128, 256})
      for (int burst = 2 * bytes; burst <= line; burst *= 2)
        verif::expect_same(
            "tilelink_adapter",
            {"tilelink.size_bits=4", fmt::format("tilelink.data_bytes={}", bytes),
             fmt::format("tilelink.burst_bytes={}", burst), fmt::format("geometry.line_bytes={}", line),
             fmt::format("geometry.chunk_bytes={}", line == 64    ? 64
                                                    : bytes == 32 ? 8
                                                                  : 16),
             fmt::format("tilelink.devices={}", line == 128 ? "none" : "high"),
             fmt::format("tilelink.requests={}", bytes == 16 ? 4 : 8)},
            1'000'000, verif::fresh_seed(static_cast<std::uint64_t>(++seed)));
}

TEST(TilelinkBursts, Refusals) {
  EXPECT_EQ(refusal({"tilelink.burst_bytes=48"}),
            "-s tilelink.burst_bytes=48: tilelink.burst_bytes = 48: must be 0, or a power of two from 4 to "
            "256; use 0, the bytes of the bus");
  EXPECT_EQ(refusal({"tilelink.burst_bytes=16"}),
            "-s tilelink.burst_bytes=16: tilelink.burst_bytes = 16: must be at least tilelink.data_bytes = "
            "32; use 0, the bytes of the bus");
  EXPECT_EQ(refusal({"tilelink.burst_bytes=256", "tilelink.size_bits=4"}),
            "-s tilelink.burst_bytes=256: tilelink.burst_bytes = 256: must be at most geometry.line_bytes = "
            "128: a message is one request of a cache; let the core send one message a line");
  EXPECT_EQ(refusal({"tilelink.burst_bytes=256", "geometry.line_bytes=256"}),
            "tilelink_adapter -s geometry.line_bytes=256 -s tilelink.burst_bytes=256: tilelink.size_bits = 3 "
            "(default): cannot express tilelink.burst_bytes = 256; use 4");
  // Users of the library have no keys in front of the check.
  EXPECT_THAT([] { hw::check(hw::TilelinkAdapterParams{.burst_bytes = 96}); },
              testing::ThrowsMessage<hw::ParamError>(
                  testing::HasSubstr("tilelink.burst_bytes = 96: must be a power of two from 4 to 256")));
}

// The sound unit runs here, too.
TEST(TilelinkBursts, EveryFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"a_beat_completes_the_message", "", "core_request_valid", "a_last", high()},
      {"the_first_beat_is_refused", "", "deny", "a_last", high()},
      {"beats_wait_for_the_cache", "", "a_ready", "a_last", high()},
      {"the_last_beat_waits_for_nobody", "", "a_ready", "a_last", low()},
      {"an_answer_ends_with_each_beat", "", "d_done", "d_last", high()},
      {"an_answer_never_ends", "", "d_done", "d_last", low()},
      {"refusals_have_one_beat", "", "denied_q", "d_done", high()},
      {"other_answers_within_a_refused_burst", "", "deny_next_q", "d_done", high()},
      {"each_beat_has_the_first_word", "", "d_data", "d_beat", low()},
      {"hints_are_denied", "", "d_denied", "denied_opcode_q[1]", low()},
      {"atomics_have_one_beat_on_a", "tilelink_beats", "last", "data", low()},
      {"answers_have_one_beat_less", "tilelink_beats", "beats_q", "last", low()},
      {"beats_advance_without_a_transfer", "tilelink_beats", "beats_q", "taken", high()},
      {"earlier_corrupt_beats_are_ignored", "tilelink_gather", "any_corrupt", "corrupt_q", low()},
      {"the_last_corrupt_beat_is_ignored", "tilelink_gather", "any_corrupt", "corrupt", low()},
      {"words_of_the_last_write_stay", "tilelink_gather", "kept_q", "ends", low()},
      {"a_corrupt_beat_stays", "tilelink_gather", "corrupt_q", "ends", low()},
      {"beats_are_not_kept", "tilelink_gather", "kept_q", "keep", low()},
      {"each_word_at_the_first_position", "tilelink_gather", "here", "beat", low()},
      {"words_from_the_begin_of_the_block", "tilelink_gather", "here", "first", low()},
      {"masks_of_other_beats", "tilelink_gather", "block", "masks_q", high()},
      {"words_of_earlier_beats_are_lost", "tilelink_gather", "block_words", "words_q", low()},
      {"a_read_of_one_sector", "tilelink_gather", "whole", "read", low()},
      {"no_sector_for_writes_of_no_byte", "tilelink_gather", "whole", "some", high()},
      {"one_sector_of_each_message", "tilelink_gather", "met", "spans[sector]", low()}};
  verif::expect_all_found("tilelink_adapter",
                          {"tilelink.burst_bytes=128", "tilelink.requests=4", "core.id_bits=4"}, faults,
                          {.cycles = 60'000});
}
