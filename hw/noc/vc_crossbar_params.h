// Parameters of a crossbar with virtual channels, shared by the hardware and its reference model (DC-L1
// thesis, chapter 5; docs/contracts/vc-crossbar.md).
#pragma once

namespace hw {

struct CrossbarParams {
  int inputs = 8;       // I
  int outputs = 4;      // J
  int flit_bytes = 32;  // data of a flit
  int side_bits = 0;    // carried beside the data
  int vcs = 4;          // V: virtual channels of an input and of an output
  int vc_depth = 4;     // D: flits of an input VC, and of a receiver's
  int iterations = 1;   // of the allocator in a cycle
  bool checks = false;  // outputs protocol_error and protocol_error_code

  bool operator==(const CrossbarParams&) const = default;
};

}  // namespace hw
