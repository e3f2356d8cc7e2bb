// Which member of the model's inputs and outputs is which port of the cache, so that nobody lists them again.
#pragma once
#include <cstddef>
#include <string_view>
#include <tuple>

#include "golden/cache/l1d_types.h"

namespace golden {

struct Always {};

// A field counts while `valid` does, which is a member too; or always.
template <class Member, class Valid = Always>
struct PortMember {
  std::string_view name;
  Member member;
  Valid valid = {};
};

inline constexpr std::tuple l1d_inputs{
    PortMember{"rst", &L1dIn::rst},
    PortMember{"core_request_valid", &L1dIn::core_request_valid},
    PortMember{"core_request_id", &L1dIn::core_request_id},
    PortMember{"core_request_kind", &L1dIn::core_request_kind},
    PortMember{"core_request_address", &L1dIn::core_request_address},
    PortMember{"core_request_mask", &L1dIn::core_request_mask},
    PortMember{"core_request_byte_enable", &L1dIn::core_request_byte_enable},
    PortMember{"core_request_data", &L1dIn::core_request_data},
    PortMember{"core_response_ready", &L1dIn::core_response_ready},
    PortMember{"memory_request_ready", &L1dIn::memory_request_ready},
    PortMember{"memory_response_valid", &L1dIn::memory_response_valid},
    PortMember{"memory_response_id", &L1dIn::memory_response_id},
    PortMember{"memory_response_mask", &L1dIn::memory_response_mask},
    PortMember{"memory_response_data", &L1dIn::memory_response_data},
    PortMember{"flush_valid", &L1dIn::flush_valid}};

// In front of the name of a field of the sideband (hw/sideband_params.h).
inline constexpr std::string_view sideband_prefix = "core_request_";

constexpr std::size_t sideband_place(std::string_view port) {
  return port.starts_with(sideband_prefix) ? hw::sideband_place(port.substr(sideband_prefix.size()))
                                           : hw::sideband_count;
}

// `Out` is the model's, or what a cache in Verilog shows.
template <class Out>
inline constexpr std::tuple l1d_outputs{
    PortMember{"core_request_ready", &Out::core_request_ready},
    PortMember{"core_response_valid", &Out::core_response_valid},
    PortMember{"core_response_id", &Out::core_response_id, &Out::core_response_valid},
    PortMember{"core_response_mask", &Out::core_response_mask, &Out::core_response_valid},
    PortMember{"core_response_data", &Out::core_response_data, &Out::core_response_valid},
    PortMember{"memory_request_valid", &Out::memory_request_valid},
    PortMember{"memory_request_id", &Out::memory_request_id, &Out::memory_request_valid},
    PortMember{"memory_request_kind", &Out::memory_request_kind, &Out::memory_request_valid},
    PortMember{"memory_request_address", &Out::memory_request_address, &Out::memory_request_valid},
    PortMember{"memory_request_mask", &Out::memory_request_mask, &Out::memory_request_valid},
    PortMember{"memory_request_byte_enable", &Out::memory_request_byte_enable, &Out::memory_request_valid},
    PortMember{"memory_request_data", &Out::memory_request_data, &Out::memory_request_valid},
    PortMember{"memory_response_ready", &Out::memory_response_ready},
    PortMember{"flush_ready", &Out::flush_ready}};

// Those of a cache with probe ports.
template <class Out>
inline constexpr std::tuple l1d_probe_outputs{
    PortMember{"probe_valid", &Out::probe_valid},
    PortMember{"probe_block_address", &Out::probe_block_address, &Out::probe_valid},
    PortMember{"probe_set", &Out::probe_set, &Out::probe_valid},
    PortMember{"probe_miss", &Out::probe_miss, &Out::probe_valid},
    PortMember{"probe_result", &Out::probe_result, &Out::probe_valid},
    PortMember{"probe_chunks", &Out::probe_chunks, &Out::probe_valid}};

// That of a cache whose requests carry numbers of instructions.
template <class Out>
inline constexpr std::tuple l1d_pc_outputs{
    PortMember{"memory_request_pc", &Out::memory_request_pc, &Out::memory_request_valid}};

// Those of a cache that checks what memory answers.
template <class Out>
inline constexpr std::tuple l1d_check_outputs{PortMember{"protocol_error", &Out::protocol_error},
                                              PortMember{"protocol_error_code", &Out::protocol_error_code}};

// Those of a cache with protected RAMs.
template <class Out>
inline constexpr std::tuple l1d_ecc_outputs{
    PortMember{"ecc_corrected", &Out::ecc_corrected}, PortMember{"ecc_refetched", &Out::ecc_refetched},
    PortMember{"ecc_uncorrectable", &Out::ecc_uncorrectable},
    PortMember{"ecc_uncorrectable_id", &Out::ecc_uncorrectable_id, &Out::ecc_uncorrectable}};

template <class Out>
inline constexpr auto all_l1d_outputs = std::tuple_cat(l1d_outputs<Out>, l1d_probe_outputs<Out>,
                                                       l1d_pc_outputs<Out>, l1d_check_outputs<Out>,
                                                       l1d_ecc_outputs<Out>);

// Index of a port in such a list; the list's size if it has none of that name.
template <class... Port>
constexpr std::size_t place_of(std::string_view name, const std::tuple<Port...>& ports) {
  std::size_t place = 0;
  const auto is_there = [&](const auto& port) { return port.name == name || (++place, false); };
  std::apply([&](const auto&... port) { (is_there(port) || ...); }, ports);
  return place;
}

}  // namespace golden
