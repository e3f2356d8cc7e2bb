// Ranges of the parameters of arbiters, crossbars, routers and their queues.
#pragma once
#include "hw/range.h"

namespace hw {

struct ArbiterRanges {
  static constexpr Range inputs{1, 128};
};

struct AllocatorRanges {
  static constexpr Range inputs{1, 128};
  static constexpr Range outputs{1, 128};
  static constexpr Range iterations{1, 4};
};

struct SwitchRanges {
  static constexpr Range inputs{1, 128};
  static constexpr Range outputs{1, 128};
  static constexpr Range flit_bytes{1, 256};
  static constexpr Range buffers{0, 16};
};

struct CrossingRanges {
  static constexpr Range entries{1, 16};
  static constexpr Range width{1, 4096};
};

struct CrossbarRanges {
  static constexpr Range clock_ratio{1, 4};
  static constexpr Range inputs{1, 128};
  static constexpr Range outputs{1, 128};
  static constexpr Range flit_bytes{1, 256};
  static constexpr Range side_bits{0, 512};
  static constexpr Range vcs{1, 8};
  static constexpr Range vc_depth{1, 16};
  static constexpr Range iterations{1, 4};
};

// Meshes and butterflies; a mesh of one class of messages may have one VC.
struct MeshRanges {
  static constexpr Range router_vcs{1, 8};
  static constexpr Range vcs{2, 8};  // two classes of messages
  static constexpr Range vc_flits{1, 16};
  static constexpr Range link_stages{0, 3};
  static constexpr Range clock_ratio{1, 4};
  static constexpr Range flit_bytes{1, 256};
  static constexpr Range side_bits{0, 504};
};

struct ButterflyRanges {
  static constexpr Range radix{2, 15};
  static constexpr Range stages{1, 8};
};

}  // namespace hw
