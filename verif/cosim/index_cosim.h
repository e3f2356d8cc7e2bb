// Lock step of one Verilated set-index unit and its golden twin: every output, every cycle, stopping at the first
// difference.
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <vector>

#include "golden/index/index_unit.h"
#include "verif/cosim/block_stimulus.h"
#include "verif/cosim/report.h"
#include "verif/cosim/waves.h"

namespace verif {

// `Dut` is the Verilated class. A program built with probes passes `add_probes`, which adds the DUT's inner nets.
template <class Dut, hw::IndexParams P>
class IndexCosim {
 public:
  using Golden = golden::IndexUnit<P>;
  using Block = typename Golden::Block;

  IndexCosim(const CosimOptions& options, void (*add_probes)(Dut&, Waves&)) : options_(options) {
    if (options.vcd.empty()) return;
    waves_ = std::make_unique<Waves>(options);
    add_probes(dut_, *waves_);
    waves_->add_golden("set_index", Golden::Core::set, &golden_set_);
    waves_->add_golden("tag", Golden::Core::tag_bits, &golden_tag_);
  }

  CosimReport run() {
    BlockStimulus stimulus(options_, P.address_bits, P.line_bytes);
    report_.stimulus = stimulus.words();
    std::vector<std::uint64_t> blocks(4096);
    std::vector<std::uint8_t> named;  // exhaustive runs: has a block with this (set, tag) come by?
    if (stimulus.exhaustive()) named.resize(std::size_t{1} << (Golden::Core::tag_bits + Golden::Core::set));
    sets_seen_.resize(P.sets);
    Progress progress(options_, stimulus.total());
    double cosim = 0, bare = 0;
    std::int64_t timed = 0;
    while (const std::size_t n = stimulus.fill(blocks)) {
      const std::span<const std::uint64_t> batch(blocks.data(), n);
      // Both speeds from the same inputs, batch by batch, so that they see the same state of the machine.
      const auto start = std::chrono::steady_clock::now();
      const bool same = waves_ ? compare<true>(batch, named) : compare<false>(batch, named);
      const auto middle = std::chrono::steady_clock::now();
      if (!same) break;
      if (timed < 4'000'000 && !waves_) {
        drive_alone(batch);
        cosim += std::chrono::duration<double>(middle - start).count();
        bare += std::chrono::duration<double>(std::chrono::steady_clock::now() - middle).count();
        timed += static_cast<std::int64_t>(n);
      }
      progress.at(cycle_);
    }
    report_.cycles = cycle_;
    if (timed) report_.cosim_cycles_per_second = timed / cosim, report_.bare_cycles_per_second = timed / bare;
    must_see(stimulus);
    if (waves_) waves_->close();
    return report_;
  }

 private:
  static void clock_edge(Dut& dut) {
    if constexpr (requires { dut.clk; }) {
      dut.clk = 1;
      dut.eval();
      dut.clk = 0;
    }
  }

  void traced_edge() {
    if constexpr (requires { dut_.clk; }) {
      dut_.clk = 1;
      dut_.eval();
      waves_->sample(cycle_, true);
      dut_.clk = 0;
    }
  }

  // Outputs of this cycle are read before its clock edge.
  static void settle(Dut& dut, std::uint64_t block) {
    dut.block_address = block;
    dut.eval();
  }

  template <bool Traced>
  bool compare(std::span<const std::uint64_t> batch, std::vector<std::uint8_t>& named) {
    for (const std::uint64_t b : batch) {
      settle(dut_, b);
      const Block block(b);
      const typename Golden::Out* want = golden_.cycle(block);
      history_[cycle_ % history_.size()] = b;
      if constexpr (Traced) trace(want);
      if (want) {
        const std::uint64_t set = dut_.set_index, tag = dut_.tag;
        const std::uint64_t want_set = want->set_index.to_uint64(), want_tag = want->tag.to_uint64();
        if (set != want_set || tag != want_tag) {
          if (set != want_set) mismatch("set_index", set, want_set);
          else mismatch("tag", tag, want_tag);
          return false;
        }
        sets_seen_[set] = 1;
        if (!named.empty()) {
          // Not taken from the model: a second block with the same set and tag would be taken for the first.
          auto& twice = named[tag << Golden::Core::set | set];
          if (twice++) return mismatch("set_index and tag, already those of another block", set, tag), false;
        }
      }
      ones_ |= b;
      zeros_ |= ~b;
      if constexpr (Traced) traced_edge();
      else clock_edge(dut_);
      ++cycle_;
    }
    return true;
  }

  void drive_alone(std::span<const std::uint64_t> batch) {
    for (const std::uint64_t b : batch) {
      settle(bare_, b);
      clock_edge(bare_);
    }
  }

  void trace(const typename Golden::Out* want) {
    waves_->known(want);
    if (want) golden_set_ = want->set_index.to_uint64(), golden_tag_ = want->tag.to_uint64();
    waves_->sample(cycle_);
  }

  void mismatch(std::string port, std::uint64_t dut, std::uint64_t golden) {
    Mismatch m{cycle_, std::move(port), dut, golden};
    const std::int64_t first = std::max<std::int64_t>(0, cycle_ - 7);
    for (std::int64_t c = first; c <= cycle_; ++c)
      m.last_inputs.push_back(fmt::format("cycle {:>8}  block_address = {:#x}", c, history_[c % history_.size()]));
    report_.mismatches.push_back(std::move(m));
  }

  void must_see(const BlockStimulus& stimulus) {
    constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - Golden::Core::block);
    if (!options_.traces.empty()) {
      report_.must_see["a request"] = cycle_;
      return;
    }
    if (cycle_ >= 100'000) report_.must_see["each address bit at 0 and at 1"] = (ones_ & all) == all && (zeros_ & all) == all;
    std::int64_t reachable = P.sets;
    if constexpr (P.kind == hw::IndexKind::pri) reachable = Golden::Core::prime;
    const std::int64_t seen = std::ranges::count(sets_seen_, 1);
    if (stimulus.exhaustive() || cycle_ >= 64 * reachable) report_.must_see["every set that blocks map to"] = seen >= reachable;
  }

  CosimOptions options_;
  Dut dut_, bare_;
  Golden golden_;
  CosimReport report_;
  std::unique_ptr<Waves> waves_;
  std::array<std::uint64_t, 8> history_ = {};
  std::vector<std::uint8_t> sets_seen_;
  std::uint64_t golden_set_ = 0, golden_tag_ = 0, ones_ = 0, zeros_ = 0;
  std::int64_t cycle_ = 0;
};

}  // namespace verif
