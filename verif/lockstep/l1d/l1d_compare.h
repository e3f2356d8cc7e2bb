// Ports and inner state of an L1 data cache against those of golden.
#pragma once
#include <cstdint>
#include <string>

#include "golden/l1d/cycle_l1d.h"
#include "golden/tags/reuse_filter_tags.h"
#include "golden/tags/split_tags.h"
#include "hw/l1d/l1d_params.h"
#include "verif/lockstep/harness/report.h"
#include "verif/lockstep/l1d/l1d_dut.h"

namespace verif {

class L1dCompare {
 public:
  L1dCompare(const hw::L1dParams& params, int tag_bits);

  // False at a difference, which found() then holds.
  bool ports(const L1dSeen& seen, const golden::L1dOut& want);
  bool events(const L1dEvents& seen, const golden::L1dCounters& want);
  // The set that the view shows, the LFSR, and which entries are in use or have been woken.
  bool probed_set(const L1dStateView& view, const golden::CycleL1d& golden, unsigned set);
  bool entry(const L1dStateView& view, const golden::CycleL1d::EntryState& want, unsigned e);
  // With split tags: where the chunks of an entry lie, and who waits for them.
  bool entry_slots(const L1dStateView& view, const golden::CycleL1d& golden, unsigned e);
  // The address bits of the index, and where the monitor stands.
  bool adaptive(const L1dStateView& view, const golden::AdaptiveIndex& want);

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
  bool ways(const L1dStateView& view, const golden::CycleL1d& golden, unsigned set);
  bool slots(const L1dStateView& view, const golden::SplitTags& golden, unsigned set);
  bool in_set(const char* what, unsigned set, unsigned way, std::uint64_t dut, std::uint64_t golden);
  bool tag_entries(const L1dStateView& view, const golden::ReuseTags& golden, unsigned set);
  bool of_entry(const char* what, unsigned e, std::uint64_t dut, std::uint64_t golden);

  const hw::L1dParams params_;
  const int tag_bits_, validity_bits_, age_bits_, count_bits_, set_bits_, way_bits_, sel_bits_,
      position_bits_, slot_bits_;
  Mismatch found_;
};

}  // namespace verif
