// The sideband of a core's request: what single mechanisms read of it, beside id, kind, address, mask and
// data. A field stands here alone; ports, packets, models, traces and benches go through this list.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace hw {

inline constexpr int degree_bits = 6;  // of a load's number of requests, and of thresholds of it

// The values of one request; at first those of a request that is its load's only one.
struct Sideband {
  std::uint32_t pc = 0;
  std::uint16_t warp = 0;
  std::uint8_t degree = 1;
  bool first = true;

  bool operator==(const Sideband&) const = default;
};
// All of them 0, as in flits that are not heads.
inline constexpr Sideband no_sideband{.pc = 0, .warp = 0, .degree = 0, .first = false};

template <class Value, class Bits>
struct SidebandField {
  std::string_view name;  // of the port, behind core_request_
  Value Sideband::*value;
  Bits bits;    // of the port of a cache with given L1dParams; 0: there is none
  bool packed;  // packets carry it to a cache behind a network
  std::string_view doc;
};

namespace sideband {
inline constexpr SidebandField warp{
    "warp", &Sideband::warp, [](const auto& cache) { return warp_bits_of(cache); }, false, "warp that asks"};
inline constexpr SidebandField pc{"pc", &Sideband::pc, [](const auto& cache) { return cache.pc_bits; }, false,
                                  "number of its instruction in its kernel"};
inline constexpr SidebandField degree{
    "degree", &Sideband::degree,
    [](const auto& cache) { return reads_degrees(cache.bypass) ? degree_bits : 0; }, true,
    "requests that its load was split into"};
inline constexpr SidebandField first{"first", &Sideband::first,
                                     [](const auto& cache) { return reads_degrees(cache.bypass) ? 1 : 0; },
                                     true, "the first of them"};
}  // namespace sideband

// In the order of ports, and of a packet's bits from the top.
inline constexpr std::tuple sideband_fields{sideband::warp, sideband::pc, sideband::degree, sideband::first};
inline constexpr std::size_t sideband_count = std::tuple_size_v<decltype(sideband_fields)>;

constexpr std::size_t sideband_place(std::string_view name) {
  return std::apply(
      [&](const auto&... field) {
        std::size_t place = 0;
        (void)((field.name == name || (++place, false)) || ...);
        return place;
      },
      sideband_fields);
}

// Bits of each field; 0: there is none.
using SidebandBits = std::array<int, sideband_count>;

template <class L1dParams>
constexpr SidebandBits sideband_bits(const L1dParams& cache) {
  return std::apply([&](const auto&... field) { return SidebandBits{field.bits(cache)...}; },
                    sideband_fields);
}
// Of the fields that packets carry.
template <class L1dParams>
constexpr SidebandBits packed_sideband_bits(const L1dParams& cache) {
  return std::apply(
      [&](const auto&... field) { return SidebandBits{(field.packed ? field.bits(cache) : 0)...}; },
      sideband_fields);
}

// visit(field, bits), in order, for each field that has bits.
template <class Visit>
constexpr void each_sideband_field(const SidebandBits& bits, const Visit& visit) {
  std::apply(
      [&](const auto&... field) {
        std::size_t at = 0;
        const auto one = [&](const auto& f) {
          if (const int width = bits[at++]) visit(f, width);
        };
        (one(field), ...);
      },
      sideband_fields);
}
constexpr int sum_of_bits(const SidebandBits& bits) {
  int sum = 0;
  for (const int of_field : bits) sum += of_field;
  return sum;
}

// `to` with those fields of `from` that have bits, cut to them.
constexpr Sideband take_sideband(const SidebandBits& bits, const Sideband& from, Sideband to = {}) {
  each_sideband_field(bits, [&](const auto& field, int width) {
    using Value = std::remove_cvref_t<decltype(to.*field.value)>;
    to.*field.value = static_cast<Value>(from.*field.value & ((std::uint64_t{1} << width) - 1));
  });
  return to;
}

}  // namespace hw
