// The ports of an L1 data cache against those of golden.
#pragma once
#include <cstdint>
#include <string>

#include "cosim/harness/report.h"
#include "cosim/l1d/l1d_dut.h"
#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class L1dCompare {
 public:
  explicit L1dCompare(const hw::L1dParams& params) : params_(params) {}

  // False at a difference, which found() then holds.
  bool ports(const L1dSeen& seen, const golden::L1dOut& want);

  const Mismatch& found() const { return found_; }

 private:
  bool same(const char* what, std::uint64_t dut, std::uint64_t golden) {
    return dut == golden || differ(what, dut, golden);
  }
  bool differ(const std::string& what, std::uint64_t dut, std::uint64_t golden);
  bool same_decisions(const golden::Controls& dut, const golden::Controls& golden);
  template <std::size_t place>
  bool port(const L1dSeen& seen, const golden::L1dOut& want);
  bool core_response_data(const L1dSeen& seen, const golden::L1dOut& want);
  bool memory_request_data(const L1dSeen& seen, const golden::L1dOut& want);
  bool chunks(const char* what, const std::uint8_t* dut, const golden::LineData& golden, std::uint32_t mask);
  bool bytes(const char* what, const std::uint8_t* dut, const golden::LineData& golden,
             const golden::ByteMask& enables);

  const hw::L1dParams params_;
  Mismatch found_;
};

}  // namespace verif
