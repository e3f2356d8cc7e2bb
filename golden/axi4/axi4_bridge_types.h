// Port values of the golden AXI4 bridge.
#pragma once
#include <cstdint>

#include "golden/l1d/l1d_types.h"

namespace golden {

// What is driven into the bridge in a cycle. Lines and beats are pointed to and must stay until the edge.
struct Axi4In {
  bool rst = false;
  bool request_valid = false;
  std::uint64_t request_id = 0;
  RequestKind request_kind = RequestKind::load;
  std::uint64_t request_address = 0;
  std::uint32_t request_mask = 0;
  const ByteMask* request_byte_enable = nullptr;  // null = all 0
  const LineData* request_data = nullptr;
  bool response_ready = false;
  bool aw_ready = false, w_ready = false, ar_ready = false;
  bool b_valid = false;
  std::uint32_t b_id = 0, b_resp = 0;
  bool r_valid = false, r_last = false;
  std::uint32_t r_id = 0, r_resp = 0;
  const LineData* r_data = nullptr;  // the beat's bytes, from byte 0 on
};

// AW and AR without what never changes.
struct Axi4Address {
  bool valid = false;
  std::uint32_t id = 0;
  std::uint64_t address = 0;
  std::uint32_t length = 0, size = 0, cache = 0;
  bool operator==(const Axi4Address&) const = default;
};

// What the bridge drives, given its inputs. Fields count while valid, data under the strobes or the mask.
struct Axi4Out {
  bool request_ready = false;
  bool response_valid = false;
  std::uint64_t response_id = 0;
  std::uint32_t response_mask = 0;
  const LineData* response_data = nullptr;
  Axi4Address aw, ar;
  bool w_valid = false, w_last = false;
  ByteMask w_strobe{};                    // of the beat, from byte 0 on
  const std::uint64_t* w_data = nullptr;  // its words
  bool b_ready = false, r_ready = false;
  bool error = false;
};

}  // namespace golden
