// Faults of the memory below a cache in banks whose banks check it (check.ports): what the banks must say,
// and from when on nothing else counts.
#pragma once
#include <fmt/format.h>

#include <string_view>

#include "cosim/harness/port_name.h"
#include "cosim/noc/dc_faults.h"
#include "golden/banks/banked_l1d.h"

namespace verif {

template <class Dut, hw::BankedL1dParams P, class Ports>
class BankedFaults {
 public:
  static constexpr bool checks = P.l1d.check.ports;

  bool ends() const { return faults_.ends(); }
  bool running() const { return faults_.running(); }
  bool adds() const { return faults_.adds(0); }
  void goals(Goals& goals) const {
    if constexpr (checks) faults_.goals(goals);
  }

  template <class Take>
  void alter(std::mt19937_64& draw, const Take& take, std::optional<golden::Message>& response) {
    if constexpr (checks)
      faults_.alter(
          draw, [&](std::size_t) { take(); }, std::span(&response, 1));
  }

  // In a cycle of a reset: what was not noticed.
  std::optional<Difference> reset(Dut& dut) {
    broken_.fill(false);
    if constexpr (checks) return faults_.reset(lowest_code(dut));
    return {};
  }
  // In any other: a code without a fault.
  std::optional<Difference> unfounded(Dut& dut, const golden::BankedL1d::Out& want) {
    if constexpr (checks) {
      code_ = lowest_code(dut);
      if (!broken())
        for (int b = 0; b < P.banks; ++b) broken_[at(b)] = want.bank[at(b)]->undefined;
      return faults_.unfounded(code_);
    }
    return {};
  }

  // A bank is broken: the codes of such banks are the only outputs of the cache that count until the reset.
  bool broken() const { return std::ranges::count(broken_, true) > 0; }
  bool counts(int bank) const { return !broken() || broken_[at(bank)]; }

  void edge(const std::optional<golden::Message>& response, bool taken) {
    if constexpr (checks) faults_.edge(std::span(&response, 1), std::span(&taken, 1), code_);
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  // Ids of all banks are of one memory: each bit below the chunks names another request.
  static FaultySlices slice() {
    FaultySlices slice = slice_of(hw::bank_of(P));
    slice.distinguishing_bits += hw::bank_bits(P);
    return slice;
  }

  static hw::ProtocolError lowest_code(Dut& dut) {
    unsigned lowest = 0;
    Ports::each_output(dut, [&]<PortName name>(const auto& port) {
      if constexpr (name.view().ends_with("_protocol_error_code"))
        if (port != 0 && (lowest == 0 || port < lowest)) lowest = port;
    });
    return static_cast<hw::ProtocolError>(lowest);
  }

  DcFaults faults_{slice()};
  std::array<bool, P.banks> broken_{};
  hw::ProtocolError code_ = hw::ProtocolError::none;
};

}  // namespace verif
