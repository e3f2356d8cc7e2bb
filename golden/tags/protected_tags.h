// Flipped bits of stored tags, and what a read of a set finds of them (docs/contracts/l1d-ecc.md, "Tags").
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "golden/cache/tag_store.h"
#include "golden/ecc/secded.h"
#include "hw/ecc/ecc_params.h"

namespace golden {

class ProtectedTags {
 public:
  ProtectedTags(hw::Protection protection, bool checked, int tag_bits, int sets, int ways)
      : code_(protection == hw::Protection::parity ? hw::EccCode::parity : hw::EccCode::secded, tag_bits),
        checked_(checked),
        ways_(static_cast<unsigned>(ways)),
        flipped_(static_cast<std::size_t>(sets) * ways_),
        read_(ways_) {}

  const Secded& code() const { return code_; }
  TagArray array(unsigned rams) const {
    return {
        .name = "tags", .rams = rams, .row_bits = static_cast<unsigned>(code_.data_bits()), .code = &code_};
  }
  // False: bits flip, and nobody looks.
  bool checked() const { return checked_; }
  int stored_bits() const { return checked_ ? code_.bits() : code_.data_bits(); }

  void write(unsigned set, unsigned way) { at(set, way) = {}; }
  void flip(unsigned set, unsigned way, const CodeWord& bits) { at(set, way) = at(set, way) ^ bits; }
  bool is_clean(unsigned set, unsigned way) const { return flipped_[set * ways_ + way] == CodeWord{}; }

  // The tags of a set are read, as the next lookup sees them.
  void read(unsigned set) { std::copy_n(&flipped_[set * ways_], ways_, read_.begin()); }
  // What was read for the way, and what its row holds now, of this tag.
  CodeWord found(unsigned way, std::uint64_t tag) const { return code_.encode(tag) ^ read_[way]; }
  CodeWord stored(unsigned set, unsigned way, std::uint64_t tag) const {
    return code_.encode(tag) ^ flipped_[set * ways_ + way];
  }
  std::uint64_t row(unsigned set, unsigned way, std::uint64_t tag) const {
    const CodeWord word = stored(set, way, tag);
    return checked_ ? std::uint64_t{word.check} << code_.data_bits() | word.data : word.data;
  }
  // A request for the tag finds what was read.
  bool is_of(const CodeWord& word, std::uint64_t tag) const {
    return checked_ ? word == code_.encode(tag) : word.data == tag;
  }
  bool is_wrong(const CodeWord& word) const {
    if (!checked_) return false;
    const Secded::Checked checked = code_.decode(word);
    return checked.corrected || checked.uncorrectable;
  }

 private:
  CodeWord& at(unsigned set, unsigned way) { return flipped_[set * ways_ + way]; }

  const Secded code_;
  const bool checked_;
  const unsigned ways_;
  std::vector<CodeWord> flipped_, read_;  // bits, by set and way; of a set, by way
};

}  // namespace golden
