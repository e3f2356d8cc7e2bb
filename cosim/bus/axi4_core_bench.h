// An AXI4 adapter and an L1 data cache in one Verilated module between a core and a memory: every byte that
// the core reads is as it must be, every burst is answered beat by beat, as the specification says.
#pragma once
#include "cosim/bus/axi4_core_ports.h"
#include "cosim/bus/axi4_scoreboard.h"
#include "cosim/bus/cache_bench.h"
#include "cosim/harness/stream_monitor.h"

namespace verif {

template <class Dut, hw::Axi4AdapterParams P, hw::L1dParams C, class Ports>
class Axi4CoreBench : CacheBench<Dut, C, Ports, P.data_bytes> {
  using Base = CacheBench<Dut, C, Ports, P.data_bytes>;

 public:
  explicit Axi4CoreBench(const CosimOptions& options) : Base(options, "random bursts at the bus") {}

  CosimReport run() {
    for (int n = 0; n < Base::rounds && report_.mismatches.empty(); ++n) {
      ar_.reset(), aw_.reset(), w_.reset();
      reads_.clear(), writes_.clear(), beats_.clear();
      std::int64_t left = options_.random_cycles / Base::rounds;
      Base::play(
          n, [&] { offer(left); }, [&] { return left <= 0 && idle(); }, [&] { return step(n > 1); });
    }
    report_.goals = seen_;
    return report_;
  }

 private:
  using Base::below, Base::fail, Base::byte, Base::line_bytes, Base::bus_bytes, Base::options_, Base::report_,
      Base::dut_, Base::bytes_, Base::draw_, Base::seen_;
  using Beat = Axi4Scoreboard::Beat;

  bool idle() const { return !ar_ && !aw_ && !w_ && reads_.empty() && writes_.empty() && beats_.empty(); }

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
        if (below(8)) w_->strobe |= std::uint64_t{1} << b % bus_bytes;
      w_->last = beat.last;
    }
  }
  static bool meet(const Beat& a, const Beat& b) { return a.low / line_bytes == b.low / line_bytes; }
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
  bool step(bool pushes_back) {
    const golden::Axi4Adapter::In core{.ar = ar_,
                                       .aw = aw_,
                                       .w = w_,
                                       .r_ready = !pushes_back || below(4) == 0,
                                       .b_ready = !pushes_back || below(4) == 0};
    drive_axi4_core(*dut_, core, P.data_bytes);
    Base::drive_below();
    dut_->eval();
    golden::Axi4Adapter::Out out;
    shown_to_axi4_core(*dut_, out, P.data_bytes);
    rules(core, out);
    const bool moved = Base::edge();
    return moves(core, out) || moved;
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
    if (!beat.refused) Base::write(beat.low, w_->data, w_->strobe);
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
      if (byte(r.data, b % bus_bytes) != byte(beat.line, b % line_bytes))
        return fail(fmt::format("byte {:#x} of a read", b), byte(r.data, b % bus_bytes),
                    byte(beat.line, b % line_bytes));
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

  StreamMonitor<golden::Axi4Answered> r_seen_, b_seen_;
  std::optional<golden::Axi4Burst> ar_, aw_;
  std::optional<golden::Axi4Write> w_;
  std::deque<Beat> beats_;           // of the write whose data is sent
  std::deque<Beat> reads_, writes_;  // without their answers
};

}  // namespace verif
