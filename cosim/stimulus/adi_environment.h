// Block addresses in sequences that lead an adaptive index to each of its decisions: bits that stand still,
// that are equal, or that move alone. A sequence may also decide a round: its victim, or its winner.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace verif {

class AdiEnvironment {
 public:
  // `most_moving`: so many bits of the addresses move at most, so that lines come again.
  AdiEnvironment(int block_bits, int offset, int most_moving = 64)
      : block_bits_(block_bits), offset_(offset), most_moving_(most_moving) {}

  // `sel` are the address bits in use, which sequences aim at.
  template <class Draw>
  void open(Draw& draw, std::span<const int> sel) {
    const std::uint64_t mask = all_bits();
    const auto chance = [&](unsigned sixteenths) { return draw() % 16 < sixteenths; };
    const auto any_bit = [&] { return std::uint64_t{1} << draw() % static_cast<unsigned>(block_bits_); };
    const auto index_bit = [&] { return std::uint64_t{1} << (sel[draw() % sel.size()] - offset_); };
    kind_ = static_cast<Kind>(draw() % 8);
    base_ = chance(4) ? mask : chance(4) ? 0 : draw() & mask;
    steps_ = 0;
    stride_ = any_bit();
    moving_ = mask;
    switch (kind_) {
      case Kind::few_bits:
        moving_ = any_bit() | any_bit() | any_bit();
        break;
      case Kind::constant_bit:
        moving_ &= ~index_bit();
        break;
      case Kind::equal_bits:
        from_ = index_bit(), to_ = chance(4) ? any_bit() : index_bit();
        inverted_ = chance(8);
        break;
      case Kind::index_bits_alone:
        moving_ = 0;
        for (const int a : sel) moving_ |= std::uint64_t{1} << (a - offset_);
        break;
      case Kind::few_sources:
        sources_.assign(2 + draw() % 4, 0);
        for (int k = 0; k < block_bits_; ++k) sources_[draw() % sources_.size()] |= std::uint64_t{1} << k;
        break;
      case Kind::still:
        moving_ = 0;
        break;
      default:
        break;
    }
    while (std::popcount(moving_) > most_moving_) moving_ &= ~any_bit();
  }

  // All index bits but this one move, so that it is the victim.
  template <class Draw>
  void hold(Draw& draw, std::span<const int> sel, int victim) {
    kind_ = Kind::uniform;
    base_ = draw() & all_bits();
    moving_ = 0;
    for (const int a : sel) moving_ |= std::uint64_t{1} << (a - offset_);
    const std::uint64_t held = std::uint64_t{1} << (sel[static_cast<std::size_t>(victim)] - offset_);
    for (int tries = 0; tries < 64 && std::popcount(moving_ & ~held) < most_moving_; ++tries)
      moving_ |= std::uint64_t{1} << draw() % static_cast<unsigned>(block_bits_);
    moving_ &= ~held;
  }

  // This address bit changes with each block, and the others seldom, so that it wins.
  template <class Draw>
  void alternate(Draw& draw, int winner) {
    kind_ = Kind::alternating;
    base_ = draw() & all_bits();
    stride_ = std::uint64_t{1} << (winner - offset_);
    steps_ = 0;
  }

  template <class Draw>
  std::uint64_t block(Draw& draw) {
    if (kind_ == Kind::alternating) {
      if (++steps_ % 32 == 0) base_ = draw() & all_bits();
      return steps_ & 1 ? base_ ^ stride_ : base_;
    }
    if (kind_ == Kind::stride) {
      if (++steps_ >> std::min(most_moving_, 63)) steps_ = 0;
      return (base_ + steps_ * stride_) & all_bits();
    }
    const std::uint64_t drawn = draw();
    std::uint64_t block = base_;
    if (kind_ == Kind::few_sources) {
      for (std::size_t k = 0; k < sources_.size(); ++k)
        if (drawn >> k & 1) block ^= sources_[k];
      return block;
    }
    block ^= drawn & moving_;
    if (kind_ == Kind::equal_bits) block = ((block & from_) != 0) != inverted_ ? block | to_ : block & ~to_;
    return block;
  }

 private:
  enum class Kind {
    uniform,
    few_bits,
    stride,
    constant_bit,
    equal_bits,
    index_bits_alone,
    few_sources,
    still,
    alternating
  };

  std::uint64_t all_bits() const { return ~std::uint64_t{0} >> (64 - block_bits_); }

  int block_bits_, offset_, most_moving_;
  Kind kind_ = Kind::uniform;
  std::uint64_t base_ = 0, moving_ = 0, stride_ = 1, steps_ = 0;
  std::vector<std::uint64_t> sources_;  // few_sources: bits that are equal
  std::uint64_t from_ = 0, to_ = 0;     // equal_bits: bit `to` copies bit `from`
  bool inverted_ = false;
};

}  // namespace verif
