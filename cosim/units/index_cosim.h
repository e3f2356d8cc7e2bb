// Lock step of one Verilated set-index unit and its reference model: every output, every cycle, stopping at
// the first difference.
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "cosim/harness/cpu_seconds.h"
#include "cosim/harness/report.h"
#include "cosim/harness/waves.h"
#include "cosim/units/block_stimulus.h"
#include "golden/index/index_unit.h"

namespace verif {

// `Dut` is the Verilated class. A program built with probes passes `add_probes`, which adds the DUT's inner
// nets.
template <class Dut, hw::IndexParams P>
class IndexCosim {
 public:
  using Golden = golden::IndexUnit<P>;
  using Block = typename Golden::Block;

  IndexCosim(const CosimOptions& options, void (*add_probes)(Dut&, Waves&)) : options_(options) {
    if (options.waves().empty()) return;
    waves_ = std::make_unique<Waves>(options);
    add_probes(dut_, *waves_);
    waves_->add_golden("set_index", Golden::Core::set, &golden_set_);
    waves_->add_golden("tag", Golden::Core::tag_bits, &golden_tag_);
  }

  CosimReport run() {
    BlockStimulus stimulus(options_, P.address_bits, P.line_bytes);
    report_.stimulus = stimulus.words();
    std::vector<std::uint64_t> blocks(4096), before;
    std::vector<std::uint8_t> named;  // exhaustive runs: has a block with this (set, tag) come by?
    if (stimulus.exhaustive()) named.resize(std::size_t{1} << (Golden::Core::tag_bits + Golden::Core::set));
    sets_seen_.resize(P.sets);
    Progress progress(options_, stimulus.total());
    double cosim = 0, bare = 0;
    std::int64_t timed = 0;
    while (const std::size_t n = stimulus.fill(blocks)) {
      const std::span<const std::uint64_t> batch(blocks.data(), n);
      const std::int64_t first = cycle_;
      // Both speeds from the same inputs, batch by batch, so that they see the same state of the machine.
      const double start = cpu_seconds();
      const bool same = waves_ ? compare<true>(batch) : compare<false>(batch);
      const double middle = cpu_seconds();
      if (!same || (!named.empty() && !names_one_block(batch, named))) {
        before.insert(before.end(), batch.begin(), batch.begin() + (cycle_ - first) + !same);
        note_inputs(before);
        break;
      }
      if (timed < 4'000'000 && !waves_) {
        const double alone = cpu_seconds();
        drive_alone(batch);
        cosim += middle - start;
        bare += cpu_seconds() - alone;
        timed += static_cast<std::int64_t>(n);
      }
      for (const std::uint64_t b : batch) ones_ |= b, zeros_ |= ~b;
      progress.at(cycle_);
      before.assign(batch.begin(), batch.end());
    }
    report_.cycles = cycle_;
    if (golden_seconds_ > 0) report_.golden_cycles_per_second = static_cast<double>(cycle_) / golden_seconds_;
    if (timed) report_.cosim_cycles_per_second = timed / cosim, report_.bare_cycles_per_second = timed / bare;
    goals();
    if (waves_) waves_->close(report_.mismatches);
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

  // Outputs of this cycle are read before its clock edge.
  static void settle(Dut& dut, std::uint64_t block) {
    dut.block_address = block;
    dut.eval();
  }

  struct Want {
    std::uint64_t set = 0, tag = 0;
  };

  // The golden side of a whole batch first, then the DUT against it, cycle by cycle: faster than taking
  // turns.
  template <bool Traced>
  bool compare(std::span<const std::uint64_t> batch) {
    want_.resize(batch.size());
    const double start = cpu_seconds();
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (const typename Golden::Out* out = golden_.cycle(Block(batch[i])))
        want_[i] = {out->set_index.to_uint64(), out->tag.to_uint64()};
    golden_seconds_ += cpu_seconds() - start;
    // The pipeline's first outputs are unknown.
    const std::size_t unknown =
        std::min<std::size_t>(batch.size(), std::max<std::int64_t>(0, P.latency - cycle_));
    std::size_t i = 0;
    std::uint64_t set = 0, tag = 0;
    for (; i < batch.size(); ++i) {
      settle(dut_, batch[i]);
      if constexpr (Traced) trace(want_[i], i >= unknown, cycle_ + static_cast<std::int64_t>(i));
      set = dut_.set_index;
      tag = dut_.tag;
      if (((set ^ want_[i].set) | (tag ^ want_[i].tag)) && i >= unknown) break;
      sets_seen_[set] = 1;
      clock_edge(dut_);
    }
    cycle_ += static_cast<std::int64_t>(i);
    if (i == batch.size()) return true;
    if (set != want_[i].set)
      mismatch("set_index", set, want_[i].set);
    else
      mismatch("tag", tag, want_[i].tag);
    return false;
  }

  // Not taken from the model: no two blocks may have the same set and tag. Exhaustive runs send each block
  // once.
  bool names_one_block(std::span<const std::uint64_t> batch, std::vector<std::uint8_t>& named) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      settle(bare_, batch[i]);
      for (int stage = 0; stage < P.latency; ++stage) {
        clock_edge(bare_);
        bare_.eval();
      }
      const std::uint64_t set = bare_.set_index, tag = bare_.tag;
      if (!named[tag << Golden::Core::set | set]++) continue;
      mismatch("set_index, with a tag that another block has in that set", set, tag);
      return false;
    }
    return true;
  }

  void drive_alone(std::span<const std::uint64_t> batch) {
    for (const std::uint64_t b : batch) {
      settle(bare_, b);
      clock_edge(bare_);
    }
  }

  void trace(const Want& want, bool known, std::int64_t cycle) {
    waves_->known(known);
    golden_set_ = want.set;
    golden_tag_ = want.tag;
    waves_->sample(cycle);
  }

  void mismatch(std::string port, std::uint64_t dut, std::uint64_t golden) {
    report_.mismatches.push_back({cycle_, std::move(port), dut, golden});
  }

  // The last of the block addresses driven, up to the cycle of the mismatch.
  void note_inputs(const std::vector<std::uint64_t>& driven) {
    const std::size_t shown = std::min<std::size_t>(8, driven.size());
    for (std::size_t i = driven.size() - shown; i < driven.size(); ++i)
      report_.mismatches.back().last_inputs.push_back(
          fmt::format("cycle {:>8}  block_address = {:#x}",
                      cycle_ - static_cast<std::int64_t>(driven.size() - 1 - i), driven[i]));
  }

  void goals() {
    constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - Golden::Core::block);
    if (!options_.traces.empty()) {
      report_.goals["a request"] = cycle_;
      return;
    }
    report_.goals["each address bit at 0 and at 1"] = (ones_ & all) == all && (zeros_ & all) == all;
    std::int64_t reachable = P.sets;
    if constexpr (P.kind == hw::IndexKind::pri) reachable = Golden::Core::prime;
    const std::int64_t seen = std::ranges::count(sets_seen_, 1);
    report_.goals["every set that blocks map to"] = seen >= reachable;
  }

  CosimOptions options_;
  Dut dut_, bare_;
  Golden golden_;
  CosimReport report_;
  std::unique_ptr<Waves> waves_;
  std::vector<Want> want_;
  std::vector<std::uint8_t> sets_seen_;
  std::uint64_t golden_set_ = 0, golden_tag_ = 0, ones_ = 0, zeros_ = 0;
  std::int64_t cycle_ = 0;
  double golden_seconds_ = 0;
};

}  // namespace verif
