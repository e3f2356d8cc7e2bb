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

  // What is wrong with the codes alone. `want` is null in a reset.
  std::optional<Difference> codes(Dut& dut, const golden::BankedL1d::Out* want) {
    if constexpr (checks) {
      code_ = lowest_code(dut);
      if (!want) {
        broken_.fill(false);
        return faults_.reset(code_);
      }
      if (const auto d = faults_.unfounded(code_)) return d;
      if (!broken())
        for (int b = 0; b < P.banks; ++b) broken_[at(b)] = want->bank[at(b)]->undefined;
      if (broken()) return of_broken(dut, *want);
    }
    return {};
  }

  // A bank is broken: its codes are the only outputs of the cache that count until the reset.
  bool broken() const { return std::ranges::count(broken_, true) > 0; }

  void edge(const std::optional<golden::Message>& response, bool taken) {
    if constexpr (checks) faults_.edge(std::span(&response, 1), std::span(&taken, 1), code_);
  }

 private:
  static std::size_t at(int n) { return static_cast<std::size_t>(n); }
  static constexpr std::size_t bank_in(std::string_view port) {
    return static_cast<std::size_t>(port[4] - '0');  // "bank0_"
  }

  // Ids of all banks are of one memory: each bit below the chunks names another request.
  static FaultySlices slice() {
    FaultySlices slice = slice_of(hw::bank_of(P));
    slice.telling_bits += hw::bank_bits(P);
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

  std::optional<Difference> of_broken(Dut& dut, const golden::BankedL1d::Out& want) const {
    std::optional<Difference> found;
    Ports::each_output(dut, [&]<PortName name>(const auto& port) {
      constexpr bool is_code = name.view().ends_with("_protocol_error_code");
      if constexpr (is_code || name.view().ends_with("_protocol_error")) {
        constexpr std::size_t b = bank_in(name.view());
        const unsigned code = hw::code_of(want.bank[b]->protocol_error_code);
        const unsigned expected = is_code ? code : code != 0;
        if (broken_[b] && port != expected && !found)
          found = Difference{std::string(name.view()), port, expected};
      }
    });
    return found;
  }

  DcFaults faults_{slice()};
  std::array<bool, P.banks> broken_{};
  hw::ProtocolError code_ = hw::ProtocolError::none;
};

}  // namespace verif
