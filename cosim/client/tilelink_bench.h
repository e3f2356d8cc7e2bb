// A TileLink adapter and an L1 data cache in one Verilated module between a core and a memory: every byte
// that the core reads is as it must be, and every message is answered once, as the specification says.
#pragma once
#include <map>

#include "cosim/client/cache_bench.h"
#include "cosim/client/tilelink_ports.h"
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
      std::int64_t left = options_.random_cycles / Base::rounds;
      Base::play(
          n, [&] { offer(left); }, [&] { return left == 0 && !offered_ && open_.empty(); },
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
    golden::LineData line{};  // the expected line of a read
  };

  void offer(std::int64_t& left) {
    if (offered_ || left == 0 || !below(8)) return;
    if (const auto a = request(); !open_.contains(a.source)) offered_ = a, --left;
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
    const bool moved = Base::edge();
    if (answered) answer(*d);
    if (taken) take();
    return moved || taken || answered;
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

  // The expected bytes of a read are known when it is taken: all writes before it and none after.
  void take() {
    const golden::TilelinkA a = *offered_;
    offered_.reset();
    open_[a.source] = {a, bytes_->at(a.address)};
    if (a.opcode > 1 || a.corrupt) return;
    Base::write(a.address, a.data, a.mask);
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
      if (a.mask >> b & 1 && byte(d.data, b) != byte(line, in_line(a.address, b)))
        return fail(fmt::format("byte {} of the read of {:#x}", b, a.address), byte(d.data, b),
                    byte(line, in_line(a.address, b)));
  }

  StreamMonitor<golden::TilelinkD> answers_;
  std::optional<golden::TilelinkA> offered_;
  std::map<std::uint64_t, Open> open_;  // by source
};

}  // namespace verif
