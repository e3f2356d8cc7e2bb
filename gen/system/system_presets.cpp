// The systems of the papers' tables, and one that a simulator of its own ran.
#include "gen/system/system_config.h"

namespace gen {

namespace {

using Overrides = std::vector<std::pair<std::string, Value>>;

Value n(std::int64_t value) { return value; }

Overrides with(Overrides base, const Overrides& more) {
  base.insert(base.end(), more.begin(), more.end());
  return base;
}

// Where the tables are silent: what a GTX480 description of GPGPU-Sim 3.2.2 has. Unloaded loads take 200 core
// cycles when the L2 hits and 500 when an open row serves them (TSC, section 2.1): l2_latency and
// dram_latency are such that a chase of whole lines takes as long for each.
Overrides fermi() { return {{"system.l2_latency", n(184)}, {"system.dram_latency", n(272)}}; }

// From the thesis' tables 3.2, 4.1 and 5.2; chapter 3 gives no latencies, chapter 4's stand for it.
Overrides dc_l1_thesis() {
  return {{"system.l1_hit_latency", n(28)},
          {"system.l2_latency", n(120)},
          {"system.dram_latency", n(100)},
          {"system.l2_sets", n(128)},
          {"system.dram_bytes", n(32)}};
}

Overrides mesh28() {
  return {{"system.sms", n(28)}, {"system.l2_slices", n(8)}, {"system.dram_channels", n(8)}};
}

std::vector<SystemPreset> make_presets() {
  return {
      {"fermi_tsc", "15 SMs of a GTX480, 12 L2 banks of 64 KB, 6 channels of GDDR5", "TSC paper, table 2",
       fermi()},
      {"fermi_bucl", "the same with an L2 of 768 KB whose sets are chosen as the L1's",
       "BUCL paper, table II", with(fermi(), {{"system.l2_index", Value("bxi")}})},
      {"fermi_decoupled", "15 SMs, 6 L2 banks of 128 KB in 16 ways, 48 bytes a core cycle from DRAM",
       "Decoupled L1D paper, table 2",
       with(fermi(), {{"system.l2_slices", n(6)},
                      {"system.l2_ways", n(16)},
                      {"system.dram_queue", n(16)},
                      {"system.dram_latency", n(262)},
                      {"system.dram_bytes", n(12)}})},
      {"fermi_aci",
       "16 SMs at 700 MHz, 12 L2 banks of 64 KB, 4 bytes a data cycle and channel",
       "ACI thesis, tables 1 and 4",
       {{"system.sms", n(16)},
        {"system.core_clock", n(700)},
        {"system.l2_latency", n(188)},
        {"system.dram_latency", n(284)},
        {"system.dram_bytes", n(16)}}},
      {"two_nodes",
       "15 SMs, an L2 of 1 MB, 200 GB/s beside 80 GB/s behind a link",
       "ACI thesis, table 6",
       {{"system.core_clock", n(700)}, {"system.memory", Value("two_nodes")}}},
      {"mesh28", "28 cores, 8 L2 slices of 128 KB, 8 channels; for remote_core", "DC-L1 thesis, table 3.2",
       with(dc_l1_thesis(), mesh28())},
      {"mesh28_shared", "28 cores, 8 L2 slices of 128 KB, 8 channels; for shared_l1",
       "DC-L1 thesis, table 4.1", with(dc_l1_thesis(), mesh28())},
      {"crossbar80", "80 cores, 32 L2 slices of 128 KB, 16 channels", "DC-L1 thesis, table 5.2",
       with(dc_l1_thesis(),
            {{"system.sms", n(80)}, {"system.l2_slices", n(32)}, {"system.dram_channels", n(16)}})},
      {"volta4",
       "4 SMs of a QV100 as a current Accel-Sim has them",
       "Accel-Sim's QV100 description, with an L1 of 16 KiB",
       {{"system.sms", n(4)},
        {"system.core_clock", n(1132)},
        {"system.network_clock", n(1132)},
        {"system.memory_clock", n(850)},
        {"system.schedulers", n(4)},
        {"system.scheduler", Value("lrr")},
        {"system.warps", n(64)},
        {"system.threads", n(2048)},
        {"system.ctas", n(32)},
        {"system.registers", n(65536)},
        {"system.shared_bytes", n(98304)},
        {"system.launch_latency", n(5000)},
        {"system.unit_interval", n(2)},
        {"system.int_latency", n(2)},
        {"system.fp_latency", n(2)},
        {"system.branch_latency", n(4)},
        {"system.dp_latency", n(8)},
        {"system.sfu_latency", n(20)},
        {"system.shared_latency", n(20)},
        {"system.pipeline_latency", n(6)},
        {"system.l1_queue_latency", n(20)},
        {"system.flit_bytes", n(40)},
        {"system.network_queue", n(512)},
        {"system.whole_packets", true},
        {"system.l2_slices", n(16)},
        {"system.l2_slice", Value("pli")},
        {"system.l2_sets", n(32)},
        {"system.l2_ways", n(24)},
        {"system.l2_mshrs", n(192)},
        {"system.l2_merges", n(4)},
        {"system.l2_latency", n(160)},
        {"system.l2_index", Value("pli")},
        {"system.l2_split_sectors", true},
        {"system.dram_channels", n(8)},
        {"system.dram_bytes", n(64)},
        {"system.dram_queue", n(64)},
        {"system.dram_latency", n(100)},
        {"system.trrd", n(3)},
        {"system.tccd", n(1)},
        {"system.tccdl", n(2)},
        {"system.twl", n(2)},
        {"system.twr", n(10)},
        {"system.tcdlr", n(3)},
        {"system.trtp", n(3)}}},
  };
}

}  // namespace

const std::vector<SystemPreset>& system_presets() {
  static const std::vector<SystemPreset> presets = make_presets();
  return presets;
}

}  // namespace gen
