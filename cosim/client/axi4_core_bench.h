// An AXI4 adapter and an L1 data cache in one Verilated module between a core and a memory: every byte that
// the core reads is as it must be, every burst is answered beat by beat, as the specification says.
#pragma once
#include <map>
#include <memory>

#include "cosim/client/axi4_core_ports.h"
#include "cosim/client/axi4_scoreboard.h"
#include "cosim/harness/stream_monitor.h"
#include "cosim/l1d/l1d_memory.h"
#include "cosim/noc/dc_ports.h"

namespace verif {

template <class Dut, hw::Axi4AdapterParams P, hw::L1dParams C, class Ports>
class Axi4CoreBench {
 public:
  explicit Axi4CoreBench(const CosimOptions& options) : options_(options), draw_(options.seed) {}

  CosimReport run() {
    report_.reference = "the core's book";
    report_.stimulus = "random bursts at the bus";
    for (int n = 0; n < 4 && report_.mismatches.empty(); ++n) play(n);
    report_.goals = seen_;
    return report_;
  }

 private:
  static constexpr std::int64_t longest_wait = 20'000;
  using Beat = Axi4Scoreboard::Beat;

  std::uint64_t below(std::uint64_t n) { return draw_() % n; }

  void play(int round) {
    dut_ = std::make_unique<Dut>();
    L1dMemory memory(C);
    memory.behave({.least_latency = round % 2 ? 1 : 20,
                   .most_latency = round % 2 ? 4 : 120,
                   .order = round % 2 ? L1dMemory::Order::first : L1dMemory::Order::any,
                   .ready_rate = round > 1 ? 4u : 16u});
    bytes_ = std::make_unique<L1dLines>(P.line_bytes);
    ar_.reset(), aw_.reset(), w_.reset();
    reads_.clear(), writes_.clear(), beats_.clear();
    dut_->rst = 1;
    dut_->eval();
    edge();
    dut_->rst = 0;
    std::int64_t progress = 0, left = options_.random_cycles / 4;
    for (std::int64_t cycle = 0; report_.mismatches.empty(); ++cycle, ++report_.cycles) {
      offer(left);
      if (left <= 0 && !ar_ && !aw_ && !w_ && reads_.empty() && writes_.empty() && beats_.empty()) break;
      if (step(memory, round > 1)) progress = cycle;
      if (cycle - progress > longest_wait) fail("bursts that are never answered");
    }
  }

  // A core that reads no bytes that it writes, and writes none that it reads, before the answer: AXI4 does
  // not order the two. It parts them by lines.
  void offer(std::int64_t& left) {
    if (left > 0 && !ar_ && below(4)) {
      const auto b = burst(true);
      if (!clashes(b, writes_) && !clashes(b, beats_)) ar_ = b, left -= b.length + 1;
    }
    if (left > 0 && !aw_ && beats_.empty() && below(4)) {
      const auto b = burst(false);
      if (!clashes(b, reads_) && !(ar_ && meet(*ar_, b))) {
        aw_ = b, left -= b.length + 1;
        beats_ = Axi4Scoreboard::beats(b, P.data_bytes);
      }
    }
    if (!w_ && !beats_.empty() && below(8)) {
      w_.emplace();
      for (std::uint64_t& word : w_->data) word = draw_();
      const Beat& beat = beats_.front();
      for (std::uint64_t b = beat.low; b < beat.high; ++b)
        if (below(8)) w_->strobe |= std::uint64_t{1} << b % bus();
      w_->last = beat.last;
    }
  }
  static bool meet(const Beat& a, const Beat& b) {
    const auto line = static_cast<std::uint64_t>(P.line_bytes);
    return a.low / line == b.low / line;
  }
  static bool clashes(const golden::Axi4Burst& b, const std::deque<Beat>& open) {
    for (const Beat& beat : Axi4Scoreboard::beats(b, P.data_bytes))
      for (const Beat& other : open)
        if (meet(beat, other)) return true;
    return false;
  }
  static bool meet(const golden::Axi4Burst& a, const golden::Axi4Burst& b) {
    return clashes(a, Axi4Scoreboard::beats(b, P.data_bytes));
  }

  // Whether anything moved.
  bool step(L1dMemory& memory, bool pushes_back) {
    golden::L1dIn in;
    memory.drive(in, memory_draw_);
    const golden::Message response{
        .id = in.memory_response_id,
        .mask = in.memory_response_mask,
        .data = in.memory_response_data ? *in.memory_response_data : golden::LineData{}};
    const golden::Axi4Adapter::In core{.ar = ar_,
                                       .aw = aw_,
                                       .w = w_,
                                       .r_ready = !pushes_back || below(4) == 0,
                                       .b_ready = !pushes_back || below(4) == 0};
    drive_axi4_core(*dut_, core, P.data_bytes);
    Ports::memory_response(*dut_, as_response)
        .drive(in.memory_response_valid ? &response : nullptr, P.line_bytes);
    dut_->memory_request_ready = in.memory_request_ready;
    dut_->flush_valid = flushes_ = flushes_ || below(2000) == 0;
    dut_->eval();
    golden::Axi4Adapter::Out out;
    shown_to_axi4_core(*dut_, out, P.data_bytes);
    const auto request = Ports::memory_request(*dut_, as_request).shown(P.line_bytes);
    const bool observed = in.memory_response_valid && dut_->memory_response_ready,
               asked = request && in.memory_request_ready;
    rules(core, out);
    if (flushes_ && dut_->flush_ready) flushes_ = false, ++seen_["the cache is flushed"];
    edge();
    golden::L1dOut asks;
    if (asked) {
      asks.memory_request_valid = true;
      asks.memory_request_id = request->id, asks.memory_request_kind = request->kind;
      asks.memory_request_address = request->address, asks.memory_request_mask = request->mask;
      asks.memory_request_byte_enable = &request->byte_enable, asks.memory_request_data = &request->data;
    }
    memory.clock(asked ? &asks : nullptr, observed);
    return moves(core, out) || observed || asked;
  }

  void rules(const golden::Axi4Adapter::In& core, const golden::Axi4Adapter::Out& out) {
    const auto look = [&](const char* channel, auto& monitor, const auto& beat, bool ready) {
      const std::string rule = monitor.cycle(beat.has_value(), ready, beat.value_or(golden::Axi4Answered{}));
      if (!rule.empty()) fail(std::string(channel) + ": " + rule);
      seen_[std::string(channel) + " waits for the core"] += beat && !ready;
    };
    look("r", r_seen_, out.r, core.r_ready), look("b", b_seen_, out.b, core.b_ready);
    seen_["a beat waits for the cache"] += core.w && !out.w_ready;
  }

  bool moves(const golden::Axi4Adapter::In& core, const golden::Axi4Adapter::Out& out) {
    bool any = false;
    if (out.r && core.r_ready) any = true, read_answer(*out.r);
    if (out.b && core.b_ready) any = true, write_answer(*out.b);
    if (core.w && out.w_ready) any = true, write_beat();
    if (ar_ && out.ar_ready) {
      for (const Beat& beat : Axi4Scoreboard::beats(*ar_, P.data_bytes)) reads_.push_back(expected(beat));
      ar_.reset(), any = true;
    }
    if (aw_ && out.aw_ready) aw_.reset(), any = true;
    return any;
  }

  // No write to the line is under way while the read is.
  Beat expected(Beat beat) {
    beat.line = bytes_->at(beat.low);
    return beat;
  }
  void write_beat() {
    Beat beat = beats_.front();
    beats_.pop_front();
    golden::LineData data{};
    golden::ByteMask enables{};
    const std::uint64_t word = beat.low - beat.low % bus();
    for (std::uint64_t b = 0; b < bus() && !beat.refused; ++b) {
      if (!(w_->strobe >> b & 1)) continue;
      const std::uint64_t there = (word + b) % line();
      enables[there / 64] |= std::uint64_t{1} << there % 64;
      data[there / 8] |= byte(w_->data, b) << there % 8 * 8;
    }
    if (!beat.refused) bytes_->write(beat.low, data, enables);
    writes_.push_back(beat);
    w_.reset();
  }

  void read_answer(const golden::Axi4Answered& r) {
    if (reads_.empty()) return fail("read data for nobody");
    const Beat beat = reads_.front();
    reads_.pop_front();
    if (r.id != beat.id) return fail("rid", r.id, beat.id);
    if (r.last != beat.last) return fail("rlast", r.last, beat.last);
    if (r.refused != beat.refused) return fail("rresp", r.refused, beat.refused);
    ++seen_[beat.refused ? "refused reads" : beat.cacheable ? "reads" : "reads past the cache"];
    for (std::uint64_t b = beat.low; b < beat.high && !beat.refused; ++b)
      if (byte(r.data, b % bus()) != byte(beat.line, b % line()))
        return fail(fmt::format("byte {:#x} of a read", b), byte(r.data, b % bus()),
                    byte(beat.line, b % line()));
  }
  void write_answer(const golden::Axi4Answered& b) {
    while (!writes_.empty()) {
      const Beat beat = writes_.front();
      writes_.pop_front();
      if (!beat.last) continue;
      if (b.id != beat.id) return fail("bid", b.id, beat.id);
      if (b.refused != beat.refused) return fail("bresp", b.refused, beat.refused);
      ++seen_[beat.refused ? "refused writes" : beat.cacheable ? "writes" : "writes past the cache"];
      return;
    }
    fail("a response to nobody");
  }

  // More lines than the cache holds in few sets.
  golden::Axi4Burst burst(bool reads) {
    golden::Axi4Burst b;
    const int most = std::countr_zero(static_cast<unsigned>(P.data_bytes));
    b.id = below(std::uint64_t{1} << P.id_bits);
    b.size = below(2) ? most : static_cast<int>(below(static_cast<unsigned>(most + 1)));
    b.type = std::array{0, 1, 1, 2}[below(4)];
    b.length = b.type == 2 ? std::array{1, 3, 7, 15}[below(4)] : static_cast<int>(below(6));
    if (b.type == 1 && below(10) == 0) b.length = static_cast<int>(below(60));
    // Accesses past the cache have lines of their own: the cache does not keep the two in step.
    const bool device = below(12) == 0;
    b.cache = device ? static_cast<int>(below(4)) : 12 + static_cast<int>(below(4));
    const std::uint64_t page = device ? 5 : below(4) ? below(2) : below(5);
    b.address = page * 4096 + (below(4096) >> b.size << b.size);
    if (b.type == 1 && below(4) == 0) b.address += below(std::uint64_t{1} << b.size);
    while (b.type == 1 && (b.address % 4096) + (static_cast<unsigned>(b.length + 1) << b.size) > 4096)
      b.length /= 2, b.address -= b.address % 4096 % 2048;
    if (below(40) == 0) b.type = 3;
    seen_[reads ? "bursts of reads" : "bursts of writes"] += b.length > 0;
    return b;
  }

  void edge() {
    dut_->clk = 1, dut_->eval();
    dut_->clk = 0, dut_->eval();
  }
  void fail(const std::string& what, std::uint64_t got = 1, std::uint64_t want = 0) {
    if (report_.mismatches.empty()) report_.mismatches.push_back({report_.cycles, what, got, want});
  }
  static std::uint64_t byte(const golden::LineData& data, std::uint64_t b) {
    return data[b / 8] >> b % 8 * 8 & 0xff;
  }
  static constexpr std::uint64_t line() { return static_cast<std::uint64_t>(P.line_bytes); }
  static constexpr std::uint64_t bus() { return static_cast<std::uint64_t>(P.data_bytes); }

  CosimOptions options_;
  CosimReport report_;
  std::unique_ptr<Dut> dut_;
  std::unique_ptr<L1dLines> bytes_;
  std::mt19937_64 draw_;
  L1dDraw memory_draw_{2};
  StreamMonitor<golden::Axi4Answered> r_seen_, b_seen_;
  std::optional<golden::Axi4Burst> ar_, aw_;
  std::optional<golden::Axi4Write> w_;
  std::deque<Beat> beats_;           // of the write whose data is sent
  std::deque<Beat> reads_, writes_;  // without their answers
  bool flushes_ = false;
  Goals seen_;
};

}  // namespace verif
