// Fields of the coalescer's streams, and the widths that its parts share.
#pragma once
#include <vector>

#include "hw/coalescer/coalescer_params.h"
#include "hw/prim/one_hot.h"
#include "hw/rtl/stream.h"

namespace hw {

inline constexpr int lane_kind_bits = 2;

struct CoalescerWidths {
  explicit CoalescerWidths(const CoalescerParams& p);

  int lanes, bytes;  // of a lane
  int data;          // all lanes' bytes, in bits
  int slot;          // number of an instruction in flight
  int lane;          // number of a lane
  int offset, line;  // of an address: inside a line, and above
  int word, low;     // of an offset: number of the word, and inside a word
  int halvings;      // sizes below the largest
  int size;          // of the port
  int count;         // requests of an instruction
  int shape;         // what the answers of an instruction need to know: mask, wide, offsets
};

std::vector<rtl::Field> lane_request_fields(const CoalescerParams& p);
std::vector<rtl::Field> lane_response_fields(const CoalescerParams& p);
std::vector<rtl::Field> coalesced_request_fields(const CoalescerParams& p);
std::vector<rtl::Field> coalesced_response_fields(const CoalescerParams& p);

}  // namespace hw
