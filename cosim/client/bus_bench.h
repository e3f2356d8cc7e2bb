// An adapter and an L1 data cache in one Verilated module between a core and a memory, all by their buses:
// every loaded byte is as it must be, and what the adapter counts is what was seen.
#pragma once
#include <memory>

#include "cosim/client/bus_core.h"
#include "cosim/client/bus_memory.h"
#include "cosim/client/bus_ports.h"
#include "cosim/harness/stream_monitor.h"

namespace verif {

template <class Dut, hw::VortexAdapterParams P, class Ports>
class BusBench {
 public:
  explicit BusBench(const CosimOptions& options) : options_(options) {}

  // The recordings, or random requests in as many cycles and what it takes to answer them.
  CosimReport run() {
    report_.twin = "the core's book";
    report_.stimulus =
        options_.replays.empty() ? "random requests at the bus" : "recorded requests at the bus";
    if (options_.replays.empty())
      for (int n = 0; n < 4 && report_.mismatches.empty(); ++n) {
        RandomBusCore core(P, options_.seed + static_cast<unsigned>(n), options_.random_cycles / 8);
        play(core, n % 2 ? 1 : 20, n % 2 ? 100 : 0, n > 1);
      }
    for (const std::string& file : options_.replays)
      for (const bool pushes_back : {false, true}) {
        const L1dRecording recording = L1dRecording::read(file);
        RecordedBusCore core(P, recording);
        const std::int64_t before = report_.cycles;
        play(core, 100, 0, pushes_back);
        report_.lines.push_back(fmt::format(
            "{}{}: {} requests in {} cycles", file.substr(file.rfind('/') + 1),
            pushes_back ? ", with back-pressure" : "", recording.requests.size(), report_.cycles - before));
      }
    if (options_.replays.empty()) report_.goals = seen_;
    return report_;
  }

 private:
  static constexpr int word = hw::word_bytes(P), line = P.line_bytes;
  static constexpr std::int64_t longest_wait = 20'000;

  void play(BusCore& core, int latency, int spread, bool pushes_back) {
    dut_ = std::make_unique<Dut>();
    BusMemory memory(P, core.initial(), latency, spread);
    std::int64_t progress = 0;
    stalls_ = loads_ = 0;
    answer_shown_ = false;
    requests_.reset();
    for (std::int64_t cycle = 0; !core.done() && report_.mismatches.empty(); ++cycle, ++report_.cycles) {
      const std::string wrong = cycle == 0 ? reset() : this->cycle(core, memory, cycle, pushes_back);
      if (!wrong.empty()) fail(wrong);
      if (moved_) progress = cycle;
      if (cycle - progress > longest_wait) fail("requests that are never answered");
    }
    if (!report_.mismatches.empty()) return;
    dut_->bus_request_valid = 0;
    edge();  // counts are a cycle behind
    if (dut_->stall_count != stalls_) fail("stall_count", dut_->stall_count, stalls_);
    if (dut_->hit_count + dut_->miss_count != loads_)
      fail("hit_count + miss_count", dut_->hit_count + dut_->miss_count, loads_);
    seen_["hits"] += static_cast<std::int64_t>(dut_->hit_count);
    seen_["misses"] += static_cast<std::int64_t>(dut_->miss_count);
  }

  void fail(const std::string& what, std::uint64_t got = 1, std::uint64_t want = 0) {
    if (report_.mismatches.empty()) report_.mismatches.push_back({report_.cycles, what, got, want});
  }

  void edge() {
    dut_->clk = 1, dut_->eval();
    dut_->clk = 0, dut_->eval();
  }
  std::string reset() {
    dut_->rst = 1;
    dut_->eval();
    edge();
    dut_->rst = 0;
    return "";
  }

  std::string cycle(BusCore& core, BusMemory& memory, std::int64_t cycle, bool pushes_back) {
    const auto often = [&] { return !pushes_back || draw_() % 4 == 0; };
    const golden::BusRequest* offered = core.offered();
    const golden::BusAnswer* answer = memory.offered(cycle);
    if (!answer_shown_ && !often()) answer = nullptr;
    answer_shown_ = answer != nullptr;
    const bool memory_ready = memory.ready(cycle) && often(), core_ready = often();
    Ports::bus_request(*dut_, as_bus_request).drive(offered ? std::optional(*offered) : std::nullopt, word);
    Ports::memory_bus_response(*dut_, as_bus_response)
        .drive(answer ? std::optional(*answer) : std::nullopt, line);
    dut_->bus_response_ready = core_ready, dut_->memory_bus_request_ready = memory_ready;
    dut_->eval();
    const auto came = Ports::bus_response(*dut_, as_bus_response).shown(word);
    const auto asked = Ports::memory_bus_request(*dut_, as_bus_request).shown(line);
    const bool taken = offered && dut_->bus_request_ready, heard = answer && dut_->memory_bus_response_ready;
    std::string wrong =
        requests_.cycle(asked.has_value(), memory_ready, asked.value_or(golden::BusRequest{}));
    count(offered, taken, came.has_value() && !core_ready, asked.has_value() && !memory_ready);
    moved_ = taken || heard || (came && core_ready);
    edge();
    if (heard) memory.taken(), answer_shown_ = false;
    if (came && core_ready && wrong.empty()) wrong = core.answered(*came);
    if (taken) core.taken();
    if (asked && memory_ready) {
      if (asked->flush) core.fenced(memory.bytes());
      if (wrong.empty()) wrong = memory.accept(*asked, cycle);
      moved_ = true;
    }
    return wrong;
  }

  void count(const golden::BusRequest* offered, bool taken, bool answer_waits, bool memory_waits) {
    stalls_ += offered && !taken;
    seen_["an answer waits for the core"] += answer_waits;
    seen_["a request waits for memory"] += memory_waits;
    seen_["a request waits for the cache"] += offered && !taken;
    if (!taken) return;
    const bool load = !offered->rw && !offered->flush;
    loads_ += load && !offered->io;
    seen_["loads"] += load;
    seen_["stores"] += offered->rw && !offered->flush;
    seen_["loads of devices"] += load && offered->io;
    seen_["stores to devices"] += offered->rw && offered->io && !offered->flush;
    seen_["fences"] += offered->flush;
  }

  CosimOptions options_;
  CosimReport report_;
  std::unique_ptr<Dut> dut_;
  std::mt19937_64 draw_{3};
  StreamMonitor<golden::BusRequest> requests_;
  std::uint64_t stalls_ = 0, loads_ = 0;
  bool answer_shown_ = false, moved_ = false;
  Goals seen_;
};

}  // namespace verif
