// The set-index units by parameters of run time: what the models that need no compiler map blocks with. The
// adaptive index is one of them, whose address bits may be chosen again.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>

#include "golden/index/byte_tables.h"
#include "golden/index/index_pli.h"
#include "golden/index/index_pri.h"

namespace golden {

class RunTimeIndex {
 public:
  explicit RunTimeIndex(const hw::IndexParams& p)
      : kind_(p.kind),
        offset_(std::countr_zero(static_cast<unsigned>(p.line_bytes))),
        block_bits_(p.address_bits - offset_),
        set_bits_(std::countr_zero(static_cast<unsigned>(p.sets))),
        prime_(p.sets > 1 ? largest_prime_up_to(static_cast<unsigned>(p.sets)) : 1),
        tag_shift_(kind_ == hw::IndexKind::pri   ? std::bit_width(prime_) - 1
                   : kind_ == hw::IndexKind::adi ? 0
                                                 : set_bits_) {
    using enum hw::IndexKind;
    if (kind_ != cvi && kind_ != pri && kind_ != adi) tables_ = tables(p);
    chosen_.count = set_bits_;
    for (int i = 0; i < set_bits_; ++i) chosen_.place[i] = static_cast<std::uint8_t>(i);
  }

  // Of the adaptive index: the address bit of each index bit; at first the lowest above the offset.
  void select(std::span<const int> address_bits) {
    for (int i = 0; i < set_bits_; ++i)
      chosen_.place[i] = static_cast<std::uint8_t>(address_bits[static_cast<std::size_t>(i)] - offset_);
  }

  int block_bits() const { return block_bits_; }
  int set_bits() const { return set_bits_; }
  int tag_bits() const { return block_bits_ - tag_shift_; }
  std::uint64_t block_of(std::uint64_t address) const {
    return address >> offset_ & (~std::uint64_t{0} >> (64 - block_bits_));
  }
  std::uint64_t address_of(std::uint64_t block) const { return block << offset_; }
  // The part of the block address that distinguishes the lines of a set.
  std::uint64_t tag_of(std::uint64_t block) const { return block >> tag_shift_; }

  unsigned set_of(std::uint64_t block) const {
    unsigned set = 0;
    with_function([&](auto function) { set = function(block); });
    return set;
  }

  // Calls `use` with the unit's own function from block to set, so that a loop chooses the kind once.
  template <class Use>
  void with_function(Use use) const {
    if (kind_ == hw::IndexKind::cvi)
      use([mask = (1u << set_bits_) - 1](std::uint64_t block) {
        return static_cast<unsigned>(block) & mask;
      });
    else if (kind_ == hw::IndexKind::adi)
      use([&chosen = chosen_](std::uint64_t block) { return chosen.of(block); });
    else if (kind_ == hw::IndexKind::pri && block_bits_ <= 32)
      use([prime = prime_](std::uint64_t block) { return static_cast<std::uint32_t>(block) % prime; });
    else if (kind_ == hw::IndexKind::pri)
      use([prime = prime_](std::uint64_t block) { return static_cast<unsigned>(block % prime); });
    else if (block_bits_ <= 32)
      use([&tables = *tables_](std::uint64_t block) { return tables.operator()<32>(block); });
    else
      use([&tables = *tables_](std::uint64_t block) { return tables.operator()<64>(block); });
  }

 private:
  std::unique_ptr<ByteTables> tables(const hw::IndexParams& p) const {
    const unsigned low = (1u << set_bits_) - 1;
    if (kind_ == hw::IndexKind::bxi)
      return std::make_unique<ByteTables>([=, shift = set_bits_, bits = block_bits_](std::uint64_t block) {
        return block >> bits ? 0 : (block ^ block >> shift) & low;
      });
    if (kind_ == hw::IndexKind::pli) {
      const std::uint32_t divisor = p.poly ? p.poly : default_polynomial(set_bits_);
      return std::make_unique<ByteTables>(
          [=](std::uint64_t block) { return long_division_remainder(block, divisor); });
    }
    std::array<std::uint64_t, hw::max_index_bits> taps = p.taps;
    if (kind_ == hw::IndexKind::rxi) std::ranges::copy(rxi_taps, taps.begin());
    return std::make_unique<ByteTables>([=, sets = set_bits_, offset = offset_](std::uint64_t block) {
      unsigned set = 0;
      for (int i = 0; i < sets; ++i)
        set |= (static_cast<unsigned>(std::popcount(block << offset & taps[i])) & 1u) << i;
      return set;
    });
  }

  // Byte-address bits of the published equations, index bit 0 first.
  static constexpr std::array<std::uint64_t, 5> rxi_taps{
      1u << 13 | 1u << 7, 1u << 14 | 1u << 8, 1u << 15 | 1u << 9, 1u << 17 | 1u << 10, 1u << 19 | 1u << 11};

  struct Chosen {  // bits of a block address, as they are
    int count = 0;
    std::array<std::uint8_t, hw::max_index_bits> place{};
    unsigned of(std::uint64_t block) const {
      unsigned set = 0;
      for (int i = 0; i < count; ++i) set |= static_cast<unsigned>(block >> place[i] & 1) << i;
      return set;
    }
  };

  hw::IndexKind kind_;
  int offset_, block_bits_, set_bits_;
  unsigned prime_;
  int tag_shift_;
  std::unique_ptr<ByteTables> tables_;
  Chosen chosen_;
};

}  // namespace golden
