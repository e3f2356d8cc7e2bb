// An adapter and an L1 data cache in one Verilated module: the memory below, flushes, the bytes that the core
// must read, and the report. A bench of a core's bus derives from it.
#pragma once
#include <memory>
#include <random>
#include <string>

#include "cosim/l1d/l1d_memory.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::L1dParams C, class Ports, int data_bytes>
class CacheBench {
 protected:
  static constexpr std::uint64_t line_bytes = static_cast<std::uint64_t>(C.line_bytes),
                                 bus_bytes = static_cast<std::uint64_t>(data_bytes);
  static constexpr std::int64_t longest_wait = 20'000;  // cycles in which nothing moves
  static constexpr int rounds = 4;

  CacheBench(const CosimOptions& options, std::string stimulus) : options_(options), draw_(options.seed) {
    report_.reference = "the core's scoreboard";
    report_.stimulus = std::move(stimulus);
  }

  // A round on a new module, after its reset: `offer` draws what the core sends, `done` says that nothing is
  // left, and `step` plays a cycle and says whether anything moved. In odd rounds the memory is fast and in
  // order, in the last two it and the core push back.
  template <class Offer, class Done, class Step>
  void play(int round, const Offer& offer, const Done& done, const Step& step) {
    dut_ = std::make_unique<Dut>();
    memory_ = std::make_unique<L1dMemory>(C);
    memory_->behave({.least_latency = round % 2 ? 1 : 20,
                     .most_latency = round % 2 ? 4 : 120,
                     .order = round % 2 ? L1dMemory::Order::first : L1dMemory::Order::any,
                     .ready_rate = round > 1 ? 4u : 16u});
    bytes_ = std::make_unique<L1dLines>(C.line_bytes);
    dut_->rst = 1;
    dut_->eval();
    clock();
    dut_->rst = 0;
    std::int64_t progress = 0;
    for (std::int64_t cycle = 0; report_.mismatches.empty(); ++cycle, ++report_.cycles) {
      offer();
      if (done()) break;
      if (step()) progress = cycle;
      if (cycle - progress > longest_wait) fail("requests that are never answered");
    }
  }

  // Drives the ports of memory and flush in this cycle.
  void drive_below() {
    below_ = {};
    memory_->drive(below_, memory_draw_);
    const golden::Message response{
        .id = below_.memory_response_id,
        .mask = below_.memory_response_mask,
        .data = below_.memory_response_data ? *below_.memory_response_data : golden::LineData{}};
    Ports::memory_response(*dut_, as_response)
        .drive(below_.memory_response_valid ? &response : nullptr, C.line_bytes);
    dut_->memory_request_ready = below_.memory_request_ready;
    dut_->flush_valid = flushes_ = flushes_ || below(2000) == 0;
  }

  // The clock edge of the module and of the memory. Whether memory and cache exchanged anything.
  bool edge() {
    const auto request = Ports::memory_request(*dut_, as_request).shown(C.line_bytes);
    const bool answered = below_.memory_response_valid && dut_->memory_response_ready,
               asked = request && below_.memory_request_ready;
    if (flushes_ && dut_->flush_ready) flushes_ = false, ++seen_["the cache is flushed"];
    clock();
    golden::L1dOut out;
    if (asked) {
      out.memory_request_valid = true;
      out.memory_request_id = request->id, out.memory_request_kind = request->kind;
      out.memory_request_address = request->address, out.memory_request_mask = request->mask;
      out.memory_request_byte_enable = &request->byte_enable, out.memory_request_data = &request->data;
    }
    memory_->clock(asked ? &out : nullptr, answered);
    return answered || asked;
  }

  // The bytes of a bus word at `address` that `strobe` selects, as the core wrote them.
  void write(std::uint64_t address, const golden::LineData& word, std::uint64_t strobe) {
    golden::LineData data{};
    golden::ByteMask enables{};
    for (std::uint64_t b = 0; b < bus_bytes; ++b) {
      if (!(strobe >> b & 1)) continue;
      const std::uint64_t there = in_line(address, b);
      enables[there / 64] |= std::uint64_t{1} << there % 64;
      data[there / 8] |= byte(word, b) << there % 8 * 8;
    }
    bytes_->write(address, data, enables);
  }

  // Where byte `b` of the bus word of `address` lies in its line.
  static std::uint64_t in_line(std::uint64_t address, std::uint64_t b) {
    return (address / bus_bytes * bus_bytes + b) % line_bytes;
  }
  static std::uint64_t byte(const golden::LineData& data, std::uint64_t b) {
    return data[b / 8] >> b % 8 * 8 & 0xff;
  }

  std::uint64_t below(std::uint64_t n) { return draw_() % n; }

  void fail(const std::string& what, std::uint64_t got = 1, std::uint64_t want = 0) {
    if (report_.mismatches.empty()) report_.mismatches.push_back({report_.cycles, what, got, want});
  }

  CosimOptions options_;
  CosimReport report_;
  std::unique_ptr<Dut> dut_;
  std::unique_ptr<L1dLines> bytes_;  // as the core wrote them
  std::mt19937_64 draw_;
  Goals seen_;

 private:
  void clock() {
    dut_->clk = 1, dut_->eval();
    dut_->clk = 0, dut_->eval();
  }

  std::unique_ptr<L1dMemory> memory_;
  golden::L1dIn below_;
  L1dDraw memory_draw_{2};
  bool flushes_ = false;
};

}  // namespace verif
