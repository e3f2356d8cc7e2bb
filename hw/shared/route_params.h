// Parameters of homes and routes of shared L1s (DC-L1 thesis, chapter 4), shared by the hardware and its
// reference model. Rules: docs/contracts/shared-l1.md.
#pragma once
#include "hw/prim/number_list_params.h"

namespace hw {

enum class HomeKind { core_bits, tag_mod };

// Nodes of slices, by the slice.
using MemoryNodes = NumberList<128>;

struct RouteParams {
  int address_bits = 32;                                                               // N
  int line_bytes = 128;                                                                // 2^B
  int sets = 32;                                                                       // 2^S, of a core's L1
  int cores = 28;                                                                      // X
  int slices = 8;                                                                      // L
  int width = 6;                                                                       // of the mesh
  int height = 6;                                                                      // 1: ports in a row
  MemoryNodes memory_nodes = {.count = 8, .numbers = {3, 7, 10, 12, 23, 25, 28, 32}};  // cores take the rest
  HomeKind home = HomeKind::core_bits;
  bool min_home_l2 = true;  // to the slice, where it is nearer than the home

  bool operator==(const RouteParams&) const = default;
};

}  // namespace hw
