// What upsets of a protected array come to, as `verify --upsets` counts them (docs/verification.md).
#pragma once
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cosim/l1d/l1d_draw.h"
#include "golden/ecc/secded.h"

namespace verif {

enum class UpsetKind { one, two_adjacent, two_anywhere };
inline constexpr unsigned upset_kinds = 3;

// All others were masked.
struct UpsetFates {
  std::array<std::int64_t, upset_kinds> upsets{};
  std::int64_t corrected = 0, refetched = 0, detected = 0, silent = 0;
  std::vector<bool> open = {};  // words whose upset has had no effect yet

  std::int64_t of(UpsetKind kind) const { return upsets[static_cast<std::size_t>(kind)]; }
  std::int64_t all() const { return upsets[0] + upsets[1] + upsets[2]; }
  std::int64_t masked() const { return all() - corrected - refetched - detected - silent; }
  std::string kinds() const {
    return fmt::format("{} of one bit, {} of two adjacent, {} of two anywhere", of(UpsetKind::one),
                       of(UpsetKind::two_adjacent), of(UpsetKind::two_anywhere));
  }
  // The beginning of the array's object, as JSON text.
  std::string begin_json(const std::string& array) const {
    return fmt::format(
        "{{\"array\": \"{}\", \"upsets\": {}, \"one\": {}, \"two_adjacent\": {}, \"two_anywhere\": {}", array,
        all(), of(UpsetKind::one), of(UpsetKind::two_adjacent), of(UpsetKind::two_anywhere));
  }
  // Of a cache that checks its RAMs.
  std::string json(const std::string& array, std::int64_t wrong_without_check) const {
    return begin_json(array) +
           fmt::format(
               ", \"masked\": {}, \"corrected\": {}, \"refetched\": {}, \"detected\": {}, "
               "\"silent\": {}, \"wrong_without_check\": {}}}",
               masked(), corrected, refetched, detected, silent, wrong_without_check);
  }
};

// As many bits as the code promises to notice.
inline UpsetKind drawn_kind(hw::Protection of, L1dDraw& draw) {
  return of == hw::Protection::parity ? UpsetKind::one : static_cast<UpsetKind>(draw() % upset_kinds);
}

// Bits of a word of `bits` bits, its data in the low ones.
inline golden::CodeWord drawn_flips(const golden::Secded& code, unsigned bits, UpsetKind kind,
                                    L1dDraw& draw) {
  const auto first = static_cast<unsigned>(draw() % bits);
  golden::CodeWord flipped = code.one_bit(static_cast<int>(first));
  if (kind == UpsetKind::one) return flipped;
  const auto beyond = kind == UpsetKind::two_adjacent ? 1 : static_cast<unsigned>(1 + draw() % (bits - 1));
  return flipped ^ code.one_bit(static_cast<int>((first + beyond) % bits));
}

}  // namespace verif
