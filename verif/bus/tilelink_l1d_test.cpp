// A TileLink adapter and an `l1d` in one Verilated module between the bus of a core and a memory: random
// messages, every byte that is read.
#include "hw/bus/tilelink_adapter.h"
#include "verif/bus/adapter_and_l1d.h"

namespace {

const verif::BusAdapter<hw::TilelinkAdapterParams> tilelink_bus{
    "tilelink_adapter", "TilelinkAdapterParams", "cosim/bus/tilelink_bench.h", "TilelinkBench",
    {"a", "d"},         hw::tilelink_adapter};

TEST(TilelinkL1d, EveryByteAt32Bytes) { verif::expect_every_byte(tilelink_bus, {}); }

TEST(TilelinkL1d, EveryByteOfHitsInOneCycle) { verif::expect_every_byte(tilelink_bus, {}, 1); }

TEST(TilelinkL1d, EveryByteOfNarrowAndWideBuses) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const char* bytes : {"4", "8", "16", "64"})
    verif::expect_every_byte(tilelink_bus,
                             {std::string("tilelink.data_bytes=") + bytes, "tilelink.devices=high"});
}

// Whole lines in four beats.
TEST(TilelinkL1d, EveryByteOfBursts) { verif::expect_every_byte(tilelink_bus, {"tilelink.burst_bytes=128"}); }

TEST(TilelinkL1d, EveryByteOfBurstsAndHitsInOneCycle) {
  verif::expect_every_byte(tilelink_bus, {"tilelink.data_bytes=8", "tilelink.burst_bytes=64"}, 1);
}

TEST(TilelinkL1d, EveryByteOfBurstsOnNarrowAndWideBuses) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  for (const int bytes : {4, 8, 16, 32, 64})
    for (int burst = 2 * bytes; burst <= 128; burst *= 2)
      verif::expect_every_byte(tilelink_bus,
                               {fmt::format("tilelink.data_bytes={}", bytes),
                                fmt::format("tilelink.burst_bytes={}", burst), "tilelink.devices=high"});
}

TEST(TilelinkL1d, InjectedFaultsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  verif::expect_faults_between_found(tilelink_bus);
}

// Without lock step, by bytes and answers alone.
TEST(TilelinkL1d, InjectedFaultsOfBurstsAreFound) {
  if (!verif::full_tier()) GTEST_SKIP() << verif::in_full_tier;
  using verif::Fault, verif::high, verif::low;
  for (const Fault& fault :
       {Fault{"words_of_earlier_beats_are_lost", "tilelink_gather", "block_words", "words_q", low()},
        Fault{"masks_of_other_beats", "tilelink_gather", "block", "masks_q", high()},
        Fault{"words_from_the_begin_of_the_block", "tilelink_gather", "here", "first", low()},
        Fault{"corrupt_beats_are_ignored", "tilelink_gather", "any_corrupt", "corrupt_q", low()},
        Fault{"each_beat_has_the_first_word", "_adapter", "d_data", "d_beat", low()},
        Fault{"atomics_have_one_beat", "tilelink_beats", "last", "data", low()},
        Fault{"answers_within_others", "_adapter", "deny_next_q", "d_done", high()}}) {
    const gen::Finished played = play_behind(tilelink_bus, {"tilelink.burst_bytes=128"}, &fault);
    EXPECT_EQ(played.status, 1) << fault.what << "\n" << played.output;
    fmt::print("{}: {}\n", fault.what, played.output.substr(0, played.output.find('\n')));
  }
}

}  // namespace
