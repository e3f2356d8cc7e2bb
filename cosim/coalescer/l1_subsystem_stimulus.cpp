#include "cosim/coalescer/l1_subsystem_stimulus.h"

#include <array>
#include <bit>

namespace verif {

using golden::LaneInstruction, golden::RequestKind;

void L1SubsystemStimulus::new_phase(std::mt19937_64& draw) {
  idle_ = std::array<std::uint64_t, 4>{1, 1, 3, 40}[draw() % 4];
  lines_ = std::array<std::uint64_t, 4>{2, 8, 64, 600}[draw() % 4];
  stores_ = draw() % 8;
  spread_ = draw() % 4;
}

void L1SubsystemStimulus::reset() {
  offered_.reset();
  ++warp_;
}

const std::optional<LaneInstruction>& L1SubsystemStimulus::next(std::mt19937_64& draw) {
  if (!offered_ && draw() % idle_ == 0) offered_ = instruction(draw);
  return offered_;
}

// The upper half of the address space is for loads past the cache, whose lines nobody writes.
void L1SubsystemStimulus::places(LaneInstruction& i, std::mt19937_64& draw) const {
  const auto line = static_cast<unsigned>(p_.l1d.line_bytes), lanes = static_cast<unsigned>(p_.lanes);
  const std::uint64_t top = i.kind == RequestKind::non_l1 ? std::uint64_t{1} << (p_.l1d.address_bits - 1) : 0;
  const std::uint64_t pattern = spread_ == 0 ? 0 : draw() % 4, first = draw() % lines_,
                      size = std::uint64_t{1} << i.size, degree = 1 + draw() % lanes, odd = draw() % lanes;
  const auto line_bits = static_cast<unsigned>(std::countr_zero(line));
  const std::uint64_t other = std::uint64_t{line}
                              << draw() % (static_cast<unsigned>(p_.l1d.address_bits) - 1 - line_bits);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    std::uint64_t at = first * line + lane * size;                                   // one behind the other
    if (pattern == 1) at = draw() % lines_ * line + draw() % line;                   // anywhere
    if (pattern == 2) at = (first + lane % degree) % lines_ * line + draw() % line;  // in so many lines
    if (pattern == 3) at = (first * line ^ (lane == odd ? other : 0)) + lane % 4 * size;  // one lane apart
    i.address[lane] = top | (at & (~std::uint64_t{0} >> (65 - p_.l1d.address_bits)));
  }
}

std::optional<LaneInstruction> L1SubsystemStimulus::instruction(std::mt19937_64& draw) {
  std::vector<std::uint64_t> free;
  for (std::uint64_t id = 0; id < static_cast<unsigned>(p_.instructions); ++id)
    if (!scoreboard_.busy(id)) free.push_back(id);
  if (free.empty()) return {};
  LaneInstruction i{.id = free[draw() % free.size()]};
  const bool atomics = p_.l1d.protocol == hw::MemoryProtocol::native;
  if (draw() % 16 < stores_)
    i.kind = RequestKind::store;
  else if (draw() % 12 == 0)
    i.kind = RequestKind::non_l1;
  else if (atomics && draw() % 24 == 0)
    i.kind = RequestKind::atomic;
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - p_.lanes);
  const std::uint64_t one = std::uint64_t{1} << draw() % static_cast<unsigned>(p_.lanes),
                      other = std::uint64_t{1} << draw() % static_cast<unsigned>(p_.lanes);
  i.mask = std::array{all, all, draw() & all, one, one | other}[draw() % 5];
  if (i.mask == 0) i.mask = all;
  i.size =
      static_cast<int>(draw() % static_cast<unsigned>(std::bit_width(static_cast<unsigned>(p_.lane_bytes))));
  places(i, draw);
  for (int lane = 0; lane < p_.lanes; ++lane)
    for (std::uint8_t& byte : i.data[static_cast<std::size_t>(lane)])
      byte = static_cast<std::uint8_t>(draw());
  const bool own_order = p_.l1d.store_on_pending == hw::StoreOnPending::merge;
  i.sideband.pc = static_cast<std::uint32_t>(draw() % 6);
  i.sideband.warp = static_cast<std::uint16_t>(own_order ? warp_ : draw());
  i.sideband = hw::take_sideband(hw::sideband_bits(p_.l1d), i.sideband);
  return i;
}

}  // namespace verif
