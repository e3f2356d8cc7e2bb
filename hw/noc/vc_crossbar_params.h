// Parameters of a crossbar with virtual channels, shared by the hardware and its reference model (DC-L1
// thesis, chapter 5; docs/contracts/vc-crossbar.md).
#pragma once

namespace hw {

struct CrossbarParams {
  int inputs = 8;       // I: 1 to 128
  int outputs = 4;      // J: 1 to 128
  int flit_bytes = 32;  // data of a flit, 1 to 256
  int side_bits = 0;    // carried beside the data, 0 to 512
  int vcs = 4;          // V: virtual channels of an input and of an output, 1 to 8
  int vc_depth = 4;     // D: flits of an input VC, and of a receiver's, 1 to 16
  int iterations = 1;   // of the allocator in a cycle, 1 to 4
  bool checks = false;  // outputs protocol_error and protocol_error_code

  bool operator==(const CrossbarParams&) const = default;
};

}  // namespace hw
