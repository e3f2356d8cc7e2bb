// The inputs of a cache's monitors (IACM, BUCL) out of what the simulator has notified, and the warp limit
// back.
#pragma once
#include <vector>

#include "l1forge_model.h"

namespace l1forge_sim {

class Monitors {
 public:
  Monitors(Model& model, unsigned sm);

  // Drives the inputs of a cycle, before its clock edge.
  void drive(unsigned long long cycle);
  // Takes the limit of this cycle over.
  void limit();

 private:
  Model& model_;
  const unsigned sm_;
  int32_t kernel_start_, total_, issued_, limit_;
  std::vector<int32_t> occupancy_, issued_of_;  // by sub-partition, by SM
};

}  // namespace l1forge_sim
