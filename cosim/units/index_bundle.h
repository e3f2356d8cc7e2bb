// Lock step of many set-index units in one Verilated top: each is compared with its reference model, every
// cycle, and units that differ are named.
#pragma once
#include <fmt/format.h>
#include <verilated.h>

#include <memory>
#include <string>
#include <vector>

#include "cosim/harness/report.h"
#include "cosim/units/block_stimulus.h"
#include "golden/index/index_unit.h"

namespace verif {

struct BundleOut {
  std::uint64_t set_index = 0, tag = 0;
  bool operator==(const BundleOut&) const = default;
};

template <class Dut>
class BundleMember {
 public:
  using Got = BundleOut (*)(const Dut&);
  BundleMember(std::string name, int latency, Got got) : name(std::move(name)), latency(latency), got(got) {}
  virtual ~BundleMember() = default;
  // What the outputs are in each cycle of a batch of 64-bit block addresses, of which the unit takes the low
  // bits.
  virtual void expect(std::span<const std::uint64_t> blocks) = 0;

  std::string name;
  int latency;
  Got got;
  std::vector<BundleOut> want;
  bool differs = false;
};

template <class Dut, hw::IndexParams P>
class BundledUnit : public BundleMember<Dut> {
 public:
  BundledUnit(std::string name, typename BundleMember<Dut>::Got got)
      : BundleMember<Dut>(std::move(name), P.latency, got) {}

  void expect(std::span<const std::uint64_t> blocks) override {
    this->want.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
      if (const auto* out = golden_.cycle(typename golden::IndexUnit<P>::Block(blocks[i])))
        this->want[i] = {out->set_index.to_uint64(), out->tag.to_uint64()};
  }

 private:
  golden::IndexUnit<P> golden_;
};

// Drives all members with the same block addresses; a member that has differed is no longer compared.
template <class Dut>
CosimReport run_bundle(const CosimOptions& options,
                       const std::vector<std::unique_ptr<BundleMember<Dut>>>& members, int address_bits) {
  constexpr int line_bytes = 32;
  BlockStimulus stimulus(options, address_bits, line_bytes);
  CosimReport report{.stimulus = stimulus.words()};
  Progress progress(options, stimulus.total());
  Dut dut;
  std::vector<std::uint64_t> blocks(4096);
  while (const std::size_t n = stimulus.fill(blocks)) {
    for (const auto& m : members) m->expect(std::span(blocks).first(n));
    for (std::size_t i = 0; i < n; ++i, ++report.cycles) {
      dut.clk = 0;
      dut.block_address = blocks[i];
      dut.eval();
      for (const auto& m : members) {
        if (m->differs || report.cycles < m->latency) continue;
        const BundleOut got = m->got(dut);
        if (got == m->want[i]) continue;
        m->differs = true;
        const bool set = got.set_index != m->want[i].set_index;
        report.mismatches.push_back({report.cycles,
                                     m->name + (set ? ".set_index" : ".tag"),
                                     set ? got.set_index : got.tag,
                                     set ? m->want[i].set_index : m->want[i].tag,
                                     {fmt::format("block_address = {:#x}", blocks[i])}});
      }
      dut.clk = 1;
      dut.eval();
    }
    progress.at(report.cycles);
  }
  report.goals["a cycle"] = report.cycles;
  return report;
}

}  // namespace verif
