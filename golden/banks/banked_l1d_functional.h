// The untimed L1 data cache in banks: an untimed cache of each bank, which serves the requests for its lines.
#pragma once
#include <memory>
#include <vector>

#include "golden/cache/functional_l1d.h"
#include "golden/noc/home.h"
#include "golden/topology/figures.h"
#include "hw/banks/banked_l1d_params.h"

namespace golden {

class FunctionalBanks final : public FunctionalL1d {
 public:
  explicit FunctionalBanks(const hw::BankedL1dParams& p)
      : FunctionalL1d(without_monitors(p)), number_{bits_for(p.l1d.line_bytes), hw::bank_bits(p)} {
    for (int b = 0; b < p.banks; ++b) banks_.push_back(FunctionalL1d::make(hw::bank_of(p)));
  }

  void flush() override {
    for (const auto& bank : banks_) bank->flush();
    sum();
  }
  void steer(const Controls& controls) override {
    for (const auto& bank : banks_) bank->steer(controls);
  }
  void notify(const MonitorInputs& inputs) override {
    for (const auto& bank : banks_) bank->notify(inputs);
  }
  std::vector<std::uint64_t> resident_lines() const override {
    std::vector<std::uint64_t> lines;
    for (std::size_t b = 0; b < banks_.size(); ++b)
      for (const std::uint64_t line : banks_[b]->resident_lines()) lines.push_back(number_.put_in(line, b));
    return lines;
  }
  bool holds(std::uint64_t address) const override {
    return banks_[bank_of(address)]->holds(number_.cut(address));
  }
  std::vector<const History*> histories() const override {
    std::vector<const History*> all;
    for (const auto& bank : banks_)
      for (const History* history : bank->histories()) all.push_back(history);
    return all;
  }

 private:
  // What the banks have themselves.
  static hw::L1dParams without_monitors(const hw::BankedL1dParams& p) {
    hw::L1dParams plain = hw::bank_of(p);
    plain.index.kind = hw::IndexKind::cvi;
    return plain;
  }

  std::size_t bank_of(std::uint64_t address) const {
    return static_cast<std::size_t>(address >> number_.low) & (banks_.size() - 1);
  }

  void serve(std::span<const Request> requests, Result* results) override {
    for (const Request& whole : requests) {
      Request request = whole;
      request.address = number_.cut(whole.address);
      banks_[bank_of(whole.address)]->access({&request, 1}, results++);
    }
    sum();
  }

  // What is read of all of them.
  void sum() {
    counters_ = {};
    set_loads_.clear();
    for (const auto& bank : banks_) {
      add_counters(counters_, bank->counters());
      set_loads_.insert(set_loads_.end(), bank->set_loads().begin(), bank->set_loads().end());
    }
  }

  const BitField number_;  // of a bank, in an address
  std::vector<std::unique_ptr<FunctionalL1d>> banks_;
};

}  // namespace golden
