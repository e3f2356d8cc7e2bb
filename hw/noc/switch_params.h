// Parameters of a switch without virtual channels, shared by the hardware and its reference model (DC-L1
// thesis, chapter 5).
#pragma once

namespace hw {

struct SwitchParams {
  int inputs = 8;       // I
  int outputs = 4;      // J
  int flit_bytes = 32;  // of a word
  int buffers = 0;      // entries of the FIFO at each input; 0 = none

  bool operator==(const SwitchParams&) const = default;
};

}  // namespace hw
