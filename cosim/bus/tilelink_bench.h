// A TileLink adapter and an L1 data cache in one Verilated module between a core and a memory: every byte
// that the core reads is as it must be, and every message is answered once, as the specification says.
#pragma once
#include <map>

#include "cosim/bus/cache_bench.h"
#include "cosim/bus/tilelink_ports.h"
#include "cosim/bus/tilelink_stimulus.h"
#include "cosim/harness/stream_monitor.h"

namespace verif {

template <class Dut, hw::TilelinkAdapterParams P, hw::L1dParams C, class Ports>
class TilelinkBench : CacheBench<Dut, C, Ports, P.data_bytes> {
  using Base = CacheBench<Dut, C, Ports, P.data_bytes>;

 public:
  explicit TilelinkBench(const CosimOptions& options) : Base(options, "random messages at the bus") {}

  CosimReport run() {
    for (int n = 0; n < Base::rounds && report_.mismatches.empty(); ++n) {
      open_.clear(), offered_.reset(), answers_.reset();
      coming_.clear(), taken_.clear(), answer_ = {};
      std::int64_t left = options_.random_cycles / Base::rounds;
      Base::play(
          n, [&] { offer(left); }, [&] { return left == 0 && !offered_ && coming_.empty() && open_.empty(); },
          [&] { return step(n > 1); });
    }
    report_.goals = seen_;
    return report_;
  }

 private:
  using Base::below, Base::fail, Base::byte, Base::in_line, Base::options_, Base::report_, Base::dut_,
      Base::bytes_, Base::draw_, Base::seen_;
  struct Open {
    golden::TilelinkA a;
    bool refused = false;
    golden::LineData line{};  // the expected line of a read
  };
  struct Answering {
    std::uint64_t source = 0;
    int beats = 0;  // that have come
  };
  static constexpr bool bursts = hw::most_beats(P) > 1;

  // Of the messages that wait, beat by beat.
  void offer(std::int64_t& left) {
    if (offered_ || !below(8)) return;
    if (coming_.empty()) {
      if (left == 0) return;
      coming_ = request();
      if (open_.contains(coming_.front().source)) return coming_.clear();
      --left;
    }
    offered_ = coming_.front();
    coming_.pop_front();
  }

  // Whether anything moved.
  bool step(bool pushes_back) {
    Ports::a(*dut_, as_tilelink_a).drive(offered_, P.data_bytes);
    Base::drive_below();
    dut_->d_ready = !pushes_back || below(4) == 0;
    dut_->eval();
    auto d = Ports::d(*dut_, as_tilelink_d).shown(P.data_bytes);
    if (d && (d->opcode != 1 || d->corrupt)) d->data = {};
    const bool taken = offered_ && dut_->a_ready, answered = d && dut_->d_ready;
    const std::string rule = answers_.cycle(d.has_value(), dut_->d_ready, d.value_or(golden::TilelinkD{}));
    if (!rule.empty()) fail("d: " + rule);
    seen_["an answer waits for the core"] += d && !answered;
    seen_["a message waits for the cache"] += offered_ && !taken;
    if constexpr (bursts) seen_["channel D waits within a burst"] += answer_.beats > 0 && !dut_->d_ready;
    const bool moved = Base::edge();
    if (answered) answer(*d);
    if (taken) take();
    return moved || taken || answered;
  }

  // More lines than the cache holds in few sets, and some of devices in the other half.
  std::deque<golden::TilelinkA> request() {
    golden::TilelinkA a{.opcode = std::array{0, 1, 4, 4}[below(4)], .param = static_cast<int>(below(8))};
    a.source = below(std::uint64_t{1} << P.source_bits);
    const int most = std::countr_zero(static_cast<unsigned>(hw::largest_message(P)));
    a.size = below(2) ? most : static_cast<int>(below(static_cast<unsigned>(most + 1)));
    const auto line = static_cast<unsigned>(P.line_bytes);
    const bool device = below(12) == 0;
    a.address = (device ? below(4) : below(4) ? below(24) : below(400)) * line;
    if (device == (P.devices == hw::DeviceHalf::high)) a.address |= std::uint64_t{1} << P.device_bit;
    a.address += below(line) >> a.size << a.size;
    const bool refused = below(40) == 0;
    if (refused) a.opcode = std::array{2, 3, 5, 0}[below(4)];
    auto beats = drawn_beats(P, a, draw_, 16);
    if (refused && a.opcode == 0) beats[below(beats.size())].corrupt = true;
    seen_["devices"] += device;
    return beats;
  }

  // The expected bytes of a read are known when it is taken: all writes before it and none after.
  void take() {
    const golden::TilelinkA a = *offered_;
    offered_.reset();
    taken_.push_back(a);
    if (!coming_.empty()) return;
    const auto beats = std::exchange(taken_, {});
    const bool corrupt = std::ranges::any_of(beats, &golden::TilelinkA::corrupt);
    open_[a.source] = {a, a.opcode < 2 ? corrupt : a.opcode != 4, bytes_->at(a.address)};
    if constexpr (bursts) seen_["bursts that write"] += beats.size() > 1 && a.opcode < 2 && !corrupt;
    if (a.opcode > 1 || corrupt) return;
    std::uint64_t address = a.address;
    for (const golden::TilelinkA& beat : beats) {
      Base::write(address, beat.data, beat.mask);
      address += static_cast<unsigned>(P.data_bytes);
    }
  }

  // A beat of an answer.
  void answer(const golden::TilelinkD& d) {
    const auto found = open_.find(d.source);
    if (found == open_.end()) return fail("an answer to nobody");
    if (answer_.beats > 0 && d.source != answer_.source) return fail("a beat of another answer within one");
    const auto [a, refused, line] = found->second;
    const bool data = a.opcode > 1 && a.opcode < 5;
    const int opcode = a.opcode == 5 ? 2 : data, beat = answer_.beats++;
    answer_.source = d.source;
    if (answer_.beats == (data ? tilelink_words(P, a.size) : 1)) {
      answer_.beats = 0;
      open_.erase(found);
    }
    if (d.opcode != opcode)
      return fail("opcode of an answer", static_cast<unsigned>(d.opcode), static_cast<unsigned>(opcode));
    if (d.size != a.size)
      return fail("size of an answer", static_cast<unsigned>(d.size), static_cast<unsigned>(a.size));
    const bool denied = refused && !(bursts && a.opcode == 5);
    if (d.denied != denied) return fail("denied", d.denied, denied);
    seen_["refused messages"] += refused;
    seen_["reads"] += a.opcode == 4;
    seen_["writes"] += a.opcode < 2 && !refused;
    if constexpr (bursts) {
      seen_["bursts that read"] += a.opcode == 4 && beat > 0;
      seen_["refused bursts of atomics"] += refused && beat > 0;
    }
    const std::uint64_t address = a.address + static_cast<unsigned>(beat * P.data_bytes);
    for (std::uint64_t b = 0; a.opcode == 4 && b < static_cast<unsigned>(P.data_bytes); ++b)
      if (a.mask >> b & 1 && byte(d.data, b) != byte(line, in_line(address, b)))
        return fail(fmt::format("byte {} of the read of {:#x}", b, address), byte(d.data, b),
                    byte(line, in_line(address, b)));
  }

  StreamMonitor<golden::TilelinkD> answers_;
  std::optional<golden::TilelinkA> offered_;
  std::deque<golden::TilelinkA> coming_, taken_;  // beats of its message behind it and before it
  Answering answer_;
  std::map<std::uint64_t, Open> open_;  // by source
};

}  // namespace verif
