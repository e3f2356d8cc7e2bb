// Lines that the comparators of an L1 data cache distinguish by one bit: of the tag in the same set, or of
// the set under the same tag.
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "golden/index/run_time_index.h"

namespace verif {

class CloseLines {
 public:
  explicit CloseLines(const hw::IndexParams& p)
      : index_(p),
        tag_bits_(static_cast<unsigned>(index_.tag_bits())),
        set_bits_(p.kind == hw::IndexKind::adi ? 0 : static_cast<unsigned>(index_.set_bits())),
        prime_(p.kind == hw::IndexKind::pri),
        below_tag_(index_.block_bits() - index_.tag_bits()) {
    for (unsigned bit = 0; bit < bits(); ++bit) steps_.push_back(searched(0, bit).value_or(0));
  }

  const golden::RunTimeIndex& index() const { return index_; }
  unsigned tag_bits() const { return tag_bits_; }
  // Those of the tag come first. An index that moves has no others: its tags are whole blocks.
  unsigned bits() const { return tag_bits_ + set_bits_; }

  // The block that differs from this one in that bit alone; none where no address has it.
  std::optional<std::uint64_t> other(std::uint64_t block, unsigned bit) const {
    // Of most indices the step is the same from every block.
    const std::uint64_t stepped = block ^ steps_[bit];
    return differ_in(block, stepped, bit) ? stepped : searched(block, bit);
  }

  // Some block of the set with a tag; none where no address has it.
  std::optional<std::uint64_t> block_of(std::uint64_t tag, unsigned set) const {
    const std::uint64_t first = tag << below_tag_;
    if (set_bits_ == 0) return first;
    for (std::uint64_t low = 0; low < std::uint64_t{1} << below_tag_; ++low)
      if (index_.set_of(first | low) == set) return first | low;
    return {};
  }

  // Of some tries, a block with the tag of this one that has such another.
  std::optional<std::uint64_t> beside(std::uint64_t block, unsigned bit, std::uint64_t from) const {
    const std::uint64_t low_mask = (std::uint64_t{1} << below_tag_) - 1;
    for (std::uint64_t tries = 0; tries < 8; ++tries) {
      const std::uint64_t candidate = (block & ~low_mask) | ((from + tries) & low_mask);
      if (other(candidate, bit)) return candidate;
    }
    return {};
  }

  // A prime index leaves sets without lines.
  std::size_t sets_with_lines() const {
    if (!prime_) return std::size_t{1} << index_.set_bits();
    std::set<unsigned> reached;
    for (std::uint64_t block = 0; block < std::uint64_t{2} << index_.set_bits(); ++block)
      reached.insert(index_.set_of(block));
    return reached.size();
  }

  // The only bit in which they differ, of those above; none where there are more.
  static std::optional<unsigned> only_bit(std::uint64_t tags_differ, std::uint64_t sets_differ,
                                          unsigned tag_bits) {
    if (std::popcount(tags_differ) + std::popcount(sets_differ) != 1) return {};
    return static_cast<unsigned>(tags_differ ? std::countr_zero(tags_differ)
                                             : std::countr_zero(sets_differ) + static_cast<int>(tag_bits));
  }

 private:
  bool differ_in(std::uint64_t block, std::uint64_t other, unsigned bit) const {
    const std::uint64_t sets = set_bits_ ? index_.set_of(block) ^ index_.set_of(other) : 0;
    return only_bit(index_.tag_of(block) ^ index_.tag_of(other), sets, tag_bits_) == bit;
  }
  std::optional<std::uint64_t> searched(std::uint64_t block, unsigned bit) const {
    const bool of_tag = bit < tag_bits_;
    const std::uint64_t tag = index_.tag_of(block) ^ (of_tag ? std::uint64_t{1} << bit : 0);
    const auto found = block_of(tag, index_.set_of(block) ^ (of_tag ? 0 : 1u << (bit - tag_bits_)));
    return found;
  }

  const golden::RunTimeIndex index_;
  const unsigned tag_bits_, set_bits_;
  const bool prime_;
  const int below_tag_;  // bits of a block that its tag lacks
  std::vector<std::uint64_t> steps_;
};

}  // namespace verif
