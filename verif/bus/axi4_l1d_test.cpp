// The L1 data cache with AXI4 on its memory side: every byte right over a memory that reorders, in lock step
// with both golden models, and injected faults that a core would notice.
#include "golden/bus/axi4_l1d.h"

#include "verif/mutate/mutation_run.h"
#include "verif/unit_lock_step.h"

namespace {

using verif::inverted, verif::low;

std::vector<std::string> with(std::vector<std::string> settings) {
  settings.push_back("memory.protocol=axi4");
  return settings;
}

std::int64_t cycles(std::int64_t fast) { return verif::full_tier() ? 2'000'000 : fast; }

}  // namespace

TEST(Axi4L1d, GoldenMissIsReadOverAxi4AndAnswered) {
  golden::Axi4L1d cache({});
  const auto step = [&](golden::Axi4L1d::In in) {
    const golden::Axi4L1d::Out out = cache.outputs(in);
    cache.edge();
    return out;
  };
  golden::Axi4L1d::In load;
  load.core.core_request_valid = true, load.core.core_request_id = 7;
  load.core.core_request_address = 0x1040, load.core.core_request_mask = 0b0100;
  EXPECT_TRUE(step(load).core.core_request_ready);
  golden::Axi4L1d::In idle;
  idle.axi.ar_ready = idle.core.core_response_ready = true;
  golden::Axi4Address read;
  for (int cycle = 0; cycle < 8 && !read.valid; ++cycle) read = step(idle).axi.ar;
  EXPECT_EQ(read, (golden::Axi4Address{true, 4, 0x1000, 0, 7, 3}));
  golden::LineData line;
  line.fill(0x0123456789abcdef);
  golden::Axi4L1d::In data = idle;
  data.axi.r_valid = data.axi.r_last = true, data.axi.r_id = read.id, data.axi.r_data = &line;
  EXPECT_TRUE(step(data).axi.r_ready);
  int answers = 0;
  for (int cycle = 0; cycle < 8; ++cycle) {
    const golden::L1dOut out = step(idle).core;
    if (!out.core_response_valid) continue;
    ++answers;
    EXPECT_EQ(out.core_response_id, 7u);
    EXPECT_EQ((*out.core_response_data)[8], line[8]);
  }
  EXPECT_EQ(answers, 1);
}

TEST(Axi4L1d, LockStep) { verif::expect_same("l1d", with({}), cycles(150'000), verif::fresh_seed(3)); }

TEST(Axi4L1d, Shapes) {
  verif::expect_same("l1d_sectored", with({"geometry.line_bytes=256", "geometry.capacity_bytes=4096"}),
                     cycles(60'000), verif::fresh_seed(4));
  verif::expect_same("l1d",
                     with({"geometry.address_bits=48", "geometry.line_bytes=64", "geometry.chunk_bytes=16",
                           "geometry.capacity_bytes=1024", "mshr.entries=4", "tags.replacement=random",
                           "bypass.kind=bucl", "bypass.bucl.period=64"}),
                     cycles(60'000), verif::fresh_seed(5));
}

// Ports of the native cache beside its streams.
TEST(Axi4L1d, OtherPorts) {
  verif::expect_same("l1d_iacm", with({"probe.ports=true", "counters.enable=true"}), cycles(60'000),
                     verif::fresh_seed(6));
  verif::expect_same("l1d", with({"core.drops=true", "core.peeks=true", "geometry.capacity_bytes=2048"}),
                     cycles(60'000), verif::fresh_seed(7));
}

TEST(Axi4L1d, LockStepUnderUpsets) {
  verif::expect_same("l1d", with({"ecc.data=secded", "ecc.tags=secded", "ecc.mshr=secded"}), cycles(200'000),
                     verif::fresh_seed(8));
  if (!verif::full_tier()) return;
  verif::expect_same("l1d_gpu",
                     with({"ecc.data=parity", "ecc.word_bits=8", "ecc.tags=parity", "ecc.mshr=parity"}),
                     cycles(200'000), verif::fresh_seed(9));
  verif::expect_same("l1d_tsc", with({"ecc.data=parity", "ecc.tags=secded"}), cycles(200'000),
                     verif::fresh_seed(10));
}

TEST(Axi4L1d, FaultsOfOtherPortsAreFound) {
  const std::vector<verif::Fault> faults{{"a_wrong_event", "_core", "event_hits", "", inverted()},
                                         {"a_probe_of_another_set", "_core", "probe_set", "", inverted()},
                                         {"wrong_tags_stay", "_core_tags", "emptied_ways", "", low()},
                                         {"wrong_data_given", "_core", "withdrawn", "found_wrong", low()}};
  verif::expect_all_found(
      "l1d", with({"probe.ports=true", "counters.enable=true", "ecc.data=parity", "ecc.tags=parity"}),
      faults);
}

TEST(Axi4L1d, EveryInjectedFaultIsFound) {
  const std::vector<verif::Fault> faults{
      {"reads_overtake_writes", "axi4_table", "held", "write_q[place]", low()},
      {"acknowledgements_first", "_bridge", "turn_ack_q", "~(answers_read ^ memory_response_ready)",
       inverted()},
      {"another_mask", "", "core.memory_response_mask", "", inverted()}};
  verif::expect_all_found("l1d", with({}), faults);
}
