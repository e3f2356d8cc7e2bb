// The lanes' streams at the ports of a Verilated module.
#pragma once
#include "cosim/harness/cycle_cosim.h"
#include "golden/coalescer/coalescer.h"

namespace verif {

// Bits of equal parts in words, up to 64 bits a part.
template <int parts, int width>
struct PartsInWords {
  static constexpr int bits = parts * width;
  std::array<std::uint64_t, (bits + 63) / 64 + 1> words = {};

  void put(int part, std::uint64_t value) {
    const auto low = static_cast<unsigned>(part * width), shift = low % 64;
    if (width < 64) value &= (std::uint64_t{1} << width % 64) - 1;
    words[low / 64] |= value << shift;
    if (shift + width > 64) words[low / 64 + 1] |= value >> (64 - shift);
  }
  std::uint64_t get(int part) const {
    const auto low = static_cast<unsigned>(part * width), shift = low % 64;
    std::uint64_t value = words[low / 64] >> shift;
    if (shift + width > 64) value |= words[low / 64 + 1] << (64 - shift);
    return width < 64 ? value & ((std::uint64_t{1} << width % 64) - 1) : value;
  }
};

template <hw::CoalescerParams P, class Id, class Mask, class Address, class Size, class Data>
struct LaneRequestPorts {
  std::uint8_t &valid, &ready;
  Id& id;
  std::uint8_t& kind;
  Mask& mask;
  Address& address;
  Size& size;
  Data& data;

  void drive(const std::optional<golden::LaneInstruction>& i) const {
    valid = i.has_value();
    if (!i) return;
    id = static_cast<Id>(i->id), kind = static_cast<std::uint8_t>(i->kind), mask = static_cast<Mask>(i->mask);
    size = static_cast<Size>(i->size);
    PartsInWords<P.lanes, P.address_bits> addresses;
    PartsInWords<P.lanes * P.lane_bytes, 8> bytes;
    for (int lane = 0; lane < P.lanes; ++lane) {
      addresses.put(lane, i->address[static_cast<std::size_t>(lane)]);
      for (int b = 0; b < P.lane_bytes; ++b)
        bytes.put(lane * P.lane_bytes + b,
                  i->data[static_cast<std::size_t>(lane)][static_cast<std::size_t>(b)]);
    }
    put_words(address, addresses.words, addresses.bits);
    put_words(data, bytes.words, bytes.bits);
  }
};

template <hw::CoalescerParams P, class Id, class Mask, class Data>
struct LaneResponsePorts {
  std::uint8_t &valid, &ready;
  Id& id;
  Mask& mask;
  Data& data;

  std::optional<golden::LaneAnswer> shown() const {
    if (!valid) return {};
    golden::LaneAnswer a{.id = id, .mask = mask};
    PartsInWords<P.lanes * P.lane_bytes, 8> bytes;
    words_of(data, bytes.words, bytes.bits);
    for (int lane = 0; lane < P.lanes; ++lane)
      for (int b = 0; b < P.lane_bytes; ++b)
        a.data[static_cast<std::size_t>(lane)][static_cast<std::size_t>(b)] =
            static_cast<std::uint8_t>(bytes.get(lane * P.lane_bytes + b));
    return a;
  }
};

template <hw::CoalescerParams P>
inline constexpr auto as_lane_request = [](std::uint8_t& valid, std::uint8_t& ready, auto& id, auto& kind,
                                           auto& mask, auto& address, auto& size, auto& data) {
  return LaneRequestPorts<P, std::remove_reference_t<decltype(id)>, std::remove_reference_t<decltype(mask)>,
                          std::remove_reference_t<decltype(address)>, std::remove_reference_t<decltype(size)>,
                          std::remove_reference_t<decltype(data)>>{valid, ready,   id,   kind,
                                                                   mask,  address, size, data};
};
template <hw::CoalescerParams P>
inline constexpr auto as_lane_response = [](std::uint8_t& valid, std::uint8_t& ready, auto& id, auto& mask,
                                            auto& data) {
  return LaneResponsePorts<P, std::remove_reference_t<decltype(id)>, std::remove_reference_t<decltype(mask)>,
                           std::remove_reference_t<decltype(data)>>{valid, ready, id, mask, data};
};

// Data counts in active lanes.
inline std::optional<Difference> lane_answer_difference(const std::optional<golden::LaneAnswer>& got,
                                                        const std::optional<golden::LaneAnswer>& want,
                                                        int lanes, int lane_bytes) {
  if (got.has_value() != want.has_value())
    return Difference{"lane_response_valid", got.has_value(), want.has_value()};
  if (!got) return {};
  if (got->id != want->id) return Difference{"lane_response_id", got->id, want->id};
  if (got->mask != want->mask) return Difference{"lane_response_mask", got->mask, want->mask};
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes); ++lane)
    for (std::size_t b = 0; want->mask >> lane & 1 && b < static_cast<std::size_t>(lane_bytes); ++b)
      if (got->data[lane][b] != want->data[lane][b])
        return Difference{fmt::format("lane_response_data, lane {}, byte {}", lane, b), got->data[lane][b],
                          want->data[lane][b]};
  return {};
}

// The ports of an instruction, with what it brings of the sideband.
template <class Request, class Sideband>
struct LaneSideband {
  Request request;
  Sideband sideband;

  void drive(const std::optional<golden::LaneInstruction>& i) const {
    request.drive(i);
    if (!i) return;
    sideband.each(
        [&](const auto& field, auto& port) { put(port, std::bitset<32>(i->sideband.*field.value)); });
  }
};
template <class Request, class Sideband>
LaneSideband(Request, Sideband) -> LaneSideband<Request, Sideband>;

}  // namespace verif
