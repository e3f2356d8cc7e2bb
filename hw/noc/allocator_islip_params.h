// Parameters of an iSLIP allocator, shared by the hardware and its reference model (McKeown, "The iSLIP
// Scheduling Algorithm for Input-Queued Switches"; DC-L1 thesis, chapter 5).
#pragma once

namespace hw {

struct AllocatorParams {
  int inputs = 8;   // I
  int outputs = 8;  // J
  int iterations = 1;

  bool operator==(const AllocatorParams&) const = default;
};

}  // namespace hw
