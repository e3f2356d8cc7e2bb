// A TileLink adapter and an L1 data cache in one Verilated module between a core and a memory: every byte
// that the core reads is as it must be, and every message is answered once, as the specification says.
#pragma once
#include <map>
#include <memory>

#include "cosim/client/tilelink_ports.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/l1d/l1d_memory.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::TilelinkAdapterParams P, hw::L1dParams C, class Ports>
class TilelinkBench {
 public:
  explicit TilelinkBench(const CosimOptions& options) : options_(options), draw_(options.seed) {}

  CosimReport run() {
    report_.reference = "the core's book";
    report_.stimulus = "random messages at the bus";
    for (int n = 0; n < 4 && report_.mismatches.empty(); ++n) play(n);
    report_.goals = seen_;
    return report_;
  }

 private:
  static constexpr std::int64_t longest_wait = 20'000;
  struct Open {
    golden::TilelinkA a;
    golden::LineData line{};  // the expected line of a read
  };

  std::uint64_t below(std::uint64_t n) { return draw_() % n; }

  void play(int round) {
    dut_ = std::make_unique<Dut>();
    L1dMemory memory(C);
    memory.behave({.least_latency = round % 2 ? 1 : 20,
                   .most_latency = round % 2 ? 4 : 120,
                   .order = round % 2 ? L1dMemory::Order::first : L1dMemory::Order::any,
                   .ready_rate = round > 1 ? 4u : 16u});
    bytes_ = std::make_unique<L1dLines>(P.line_bytes);
    open_.clear(), offered_.reset(), answers_.reset();
    dut_->rst = 1;
    dut_->eval();
    edge();
    dut_->rst = 0;
    std::int64_t progress = 0, left = options_.random_cycles / 4;
    for (std::int64_t cycle = 0; report_.mismatches.empty(); ++cycle, ++report_.cycles) {
      if (!offered_ && left > 0 && below(8)) {
        if (const auto a = request(); !open_.contains(a.source)) offered_ = a, --left;
      }
      if (left == 0 && !offered_ && open_.empty()) break;
      if (step(memory, round > 1)) progress = cycle;
      if (cycle - progress > longest_wait) fail("messages that are never answered");
    }
  }

  // Whether anything moved.
  bool step(L1dMemory& memory, bool pushes_back) {
    golden::L1dIn in;
    memory.drive(in, memory_draw_);
    const golden::Message response{
        .id = in.memory_response_id,
        .mask = in.memory_response_mask,
        .data = in.memory_response_data ? *in.memory_response_data : golden::LineData{}};
    Ports::a(*dut_, as_tilelink_a).drive(offered_, P.data_bytes);
    Ports::memory_response(*dut_, as_response)
        .drive(in.memory_response_valid ? &response : nullptr, P.line_bytes);
    dut_->memory_request_ready = in.memory_request_ready;
    dut_->d_ready = !pushes_back || below(4) == 0;
    dut_->flush_valid = flushes_ = flushes_ || below(2000) == 0;
    dut_->eval();
    auto d = Ports::d(*dut_, as_tilelink_d).shown(P.data_bytes);
    if (d && (d->opcode != 1 || d->corrupt)) d->data = {};
    const auto request = Ports::memory_request(*dut_, as_request).shown(P.line_bytes);
    const bool taken = offered_ && dut_->a_ready,
               observed = in.memory_response_valid && dut_->memory_response_ready;
    const bool answered = d && dut_->d_ready, asked = request && in.memory_request_ready;
    const std::string rule = answers_.cycle(d.has_value(), dut_->d_ready, d.value_or(golden::TilelinkD{}));
    if (!rule.empty()) fail("d: " + rule);
    seen_["an answer waits for the core"] += d && !answered;
    seen_["a message waits for the cache"] += offered_ && !taken;
    if (flushes_ && dut_->flush_ready) flushes_ = false, ++seen_["the cache is flushed"];
    edge();
    golden::L1dOut out;
    if (asked) {
      out.memory_request_valid = true;
      out.memory_request_id = request->id, out.memory_request_kind = request->kind;
      out.memory_request_address = request->address, out.memory_request_mask = request->mask;
      out.memory_request_byte_enable = &request->byte_enable, out.memory_request_data = &request->data;
    }
    memory.clock(asked ? &out : nullptr, observed);
    if (answered) answer(*d);
    if (taken) take();
    return taken || answered || observed || asked;
  }

  void edge() {
    dut_->clk = 1, dut_->eval();
    dut_->clk = 0, dut_->eval();
  }
  void fail(const std::string& what, std::uint64_t got = 1, std::uint64_t want = 0) {
    if (report_.mismatches.empty()) report_.mismatches.push_back({report_.cycles, what, got, want});
  }

  // More lines than the cache holds in few sets, and some of devices in the other half.
  golden::TilelinkA request() {
    golden::TilelinkA a{.opcode = std::array{0, 1, 4, 4}[below(4)], .param = static_cast<int>(below(8))};
    a.source = below(std::uint64_t{1} << P.source_bits);
    const int most = std::countr_zero(static_cast<unsigned>(P.data_bytes));
    a.size = below(2) ? most : static_cast<int>(below(static_cast<unsigned>(most + 1)));
    const auto line = static_cast<unsigned>(P.line_bytes);
    const bool device = below(12) == 0;
    a.address = (device ? below(4) : below(4) ? below(24) : below(400)) * line;
    if (device == (P.devices == hw::DeviceHalf::high)) a.address |= std::uint64_t{1} << P.device_bit;
    a.address += below(line) >> a.size << a.size;
    const int first = static_cast<int>(a.address % static_cast<unsigned>(P.data_bytes));
    for (int b = first; b < first + (1 << a.size); ++b) a.mask |= std::uint64_t{1} << b;
    if (a.opcode == 1) a.mask &= below(16) ? draw_() : 0;
    for (int w = 0; w < (P.data_bytes + 7) / 8; ++w) a.data[static_cast<std::size_t>(w)] = draw_();
    if (below(40) == 0) a.opcode = std::array{2, 3, 5, 0}[below(4)], a.corrupt = a.opcode == 0;
    seen_["devices"] += device;
    return a;
  }

  static std::uint64_t byte(const golden::LineData& data, std::uint64_t b) {
    return data[b / 8] >> b % 8 * 8 & 0xff;
  }
  static std::uint64_t in_line(const golden::TilelinkA& a, std::uint64_t b) {
    const std::uint64_t word =
        a.address / static_cast<unsigned>(P.data_bytes) * static_cast<unsigned>(P.data_bytes);
    return (word + b) % static_cast<unsigned>(P.line_bytes);
  }

  // The expected bytes of a read are known when it is taken: all writes before it and none after.
  void take() {
    const golden::TilelinkA a = *offered_;
    offered_.reset();
    open_[a.source] = {a, bytes_->at(a.address)};
    if (a.opcode > 1 || a.corrupt) return;
    golden::LineData data{};
    golden::ByteMask enables{};
    for (std::uint64_t b = 0; b < static_cast<unsigned>(P.data_bytes); ++b) {
      if (!(a.mask >> b & 1)) continue;
      const std::uint64_t there = in_line(a, b);
      enables[there / 64] |= std::uint64_t{1} << there % 64;
      data[there / 8] |= byte(a.data, b) << there % 8 * 8;
    }
    bytes_->write(a.address, data, enables);
  }

  void answer(const golden::TilelinkD& d) {
    const auto found = open_.find(d.source);
    if (found == open_.end()) return fail("an answer to nobody");
    const auto [a, line] = found->second;
    open_.erase(found);
    const bool refused = a.opcode > 1 ? a.opcode != 4 : a.corrupt;
    const int opcode = a.opcode == 5 ? 2 : a.opcode > 1;
    if (d.opcode != opcode)
      return fail("opcode of an answer", static_cast<unsigned>(d.opcode), static_cast<unsigned>(opcode));
    if (d.size != a.size)
      return fail("size of an answer", static_cast<unsigned>(d.size), static_cast<unsigned>(a.size));
    if (d.denied != refused) return fail("denied", d.denied, refused);
    seen_["refused messages"] += refused;
    seen_["reads"] += a.opcode == 4;
    seen_["writes"] += a.opcode < 2 && !refused;
    for (std::uint64_t b = 0; a.opcode == 4 && b < static_cast<unsigned>(P.data_bytes); ++b)
      if (a.mask >> b & 1 && byte(d.data, b) != byte(line, in_line(a, b)))
        return fail(fmt::format("byte {} of the read of {:#x}", b, a.address), byte(d.data, b),
                    byte(line, in_line(a, b)));
  }

  CosimOptions options_;
  CosimReport report_;
  std::unique_ptr<Dut> dut_;
  std::unique_ptr<L1dLines> bytes_;
  std::mt19937_64 draw_;
  L1dDraw memory_draw_{2};
  StreamMonitor<golden::TilelinkD> answers_;
  std::optional<golden::TilelinkA> offered_;
  std::map<std::uint64_t, Open> open_;  // by source
  bool flushes_ = false;
  Goals seen_;
};

}  // namespace verif
