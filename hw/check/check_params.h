// Parameters of the checks of a unit's neighbours, and the codes of `protocol_error_code`, shared by the
// hardware and its golden model (docs/contracts/protocol-checks.md).
#pragma once
#include <cstdint>

namespace hw {

struct CheckParams {
  bool ports = false;  // outputs protocol_error and protocol_error_code
  int timeout = 0;     // cycles that a watched request may be without a response; 0 = no limit

  bool operator==(const CheckParams&) const = default;
};

inline constexpr int most_timeout = 1'000'000;
inline constexpr int most_checked_id_bits = 12;  // of a core: there is a flop for each id

// Numbers are those of the port.
enum class ProtocolError : std::uint8_t {
  none,
  answer_unasked,  // a response to no request in flight
  answer_mask,     // a response with another mask than its request asks for
  answer_late,     // a request without a response for too long
  write_unasked,   // a B of an ID without a write in flight
  read_unasked,    // an R of an ID without a read in flight
  read_last,       // rlast with another beat than the last
  credit_excess,   // a credit for no flit
  queue_full,      // a flit without a credit
  packet_broken    // a flit that breaks its packet
};
inline constexpr int protocol_code_bits = 4;

constexpr std::uint64_t code_of(ProtocolError error) { return static_cast<std::uint64_t>(error); }

}  // namespace hw
