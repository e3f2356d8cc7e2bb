// The GPU around the caches: cores, network, L2 and DRAM of a timed run, each number a key of `[system]`.
#pragma once
#include <cstdint>

#include "golden/gpu/warp_scheduler.h"

namespace golden {

// Neighbouring CTAs go to the cores in turn, or a run of them to one core (DC-L1 thesis, section 5.8.1).
enum class CtaOrder : std::uint8_t { turn, blocks };

// Set of a line of a slice (ACI thesis, section 3).
enum class L2Index : std::uint8_t { cvi, bxi, rxi, pli, pri };

// Of a channel, in command cycles of its memory.
struct DramTiming {
  int rcd = 12;  // activate to column access
  int ras = 28;  // activate to precharge
  int rp = 12;   // precharge to activate
  int rc = 40;   // activate to activate of a bank
  int rrd = 6;   // activate to activate of two banks
  int cl = 12;   // read to its data
  int wl = 4;    // write to its data
  int ccd = 2;   // column access to column access
  int ccdl = 3;  // the same inside a bank group
  int wr = 12;   // a write's last data to precharge
  int cdlr = 5;  // a write's last data to read
  int rtp = 0;   // read to precharge
};

struct DramParams {
  int channels = 6;
  int bank_groups = 4, banks = 16;  // of a channel; banks in all groups together
  int row_bytes = 2048;
  int bytes_per_command = 32;  // that the bus moves in a command cycle
  int queue = 32;              // requests, reads and writes each
  int age = 1000;              // command cycles after which an entry goes first
  int latency = 0;             // core cycles beside, from the last data to the L2
  DramTiming timing = {};
};

// Which slice a block of 256 bytes belongs to: its number modulo that of slices, or, of a power of two, its
// remainder by a polynomial.
enum class SliceChoice : std::uint8_t { modulo, pli };

struct L2Params {
  static constexpr int line_bytes = 128, sector_bytes = 32;
  int slices = 12;
  SliceChoice choice = SliceChoice::modulo;
  int sets = 64, ways = 8;  // of a slice
  int mshrs = 32, merges = 8;
  int latency = 0;             // core cycles from a slice's input to its lookup
  bool split_sectors = false;  // a request of several sectors is served and answered sector by sector
  bool flush = true;           // between kernels
  L2Index index = L2Index::cvi;
};

struct NetworkParams {
  int flit_bytes = 32;
  int queue = 8;               // packets at each end of a port
  bool whole_packets = false;  // a packet takes its ports for one cycle, however long it is
};

// Core cycles from an instruction's issue to its result, where registers are known.
struct ResultLatency {
  int integer = 4, fp = 4, sfu = 20, dp = 8, shared = 24, branch = 4;
  int pipeline = 0;  // beside, of all: operands and write-back
};

struct SystemParams {
  int sms = 15;
  int core_clock = 1400, network_clock = 700, memory_clock = 924;  // MHz
  int schedulers = 2;
  SchedulerKind scheduler = SchedulerKind::gto;
  int warps = 48, threads = 1536, ctas = 8, registers = 32768, shared_bytes = 49152;  // of an SM
  CtaOrder cta_order = CtaOrder::turn;
  int registers_per_thread = 0;  // 0: what the trace says
  int alu_interval = 4;   // cycles from an instruction to its warp's next, where registers are not known
  int unit_interval = 1;  // cycles between two instructions on one unit of a scheduler
  int lsu_queue = 8;
  int loads_in_flight = 1;
  ResultLatency result = {};
  int l1_hit_latency = 0;    // 0: the cache's own
  int l1_queue_latency = 0;  // cycles in front of the lookup
  int launch_latency = 0;    // cycles before a kernel's first CTA
  NetworkParams network = {};
  L2Params l2 = {};
  DramParams dram = {};

  int slices_of_channel() const { return l2.slices / dram.channels; }
};

}  // namespace golden
