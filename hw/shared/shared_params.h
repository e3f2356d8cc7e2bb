// Parameters of shared L1s (DC-L1 thesis, chapter 4), shared by the hardware and its golden twin.
#pragma once
#include "hw/shared/route_params.h"

namespace hw {

enum class Organisation { own_lines, shared_lines };
// What joins cores: meshes, which slices stand in too, or butterflies beside crossbars to the slices.
enum class SharedFabric { mesh, butterfly };

struct SharedParams {
  Organisation organisation = Organisation::shared_lines;
  SharedFabric fabric = SharedFabric::mesh;
  HomeKind home = HomeKind::core_bits;
  bool chunk = true;           // replies carry what a load asked for; else all of its line
  bool min_home_l2 = true;     // to the slice, where it is nearer than the home
  int queue_entries = 4;       // of each of a core's six queues: 2 to 16
  int remote_wait_limit = 64;  // 0 (strictly local first) to 1,023

  bool operator==(const SharedParams&) const = default;
};

}  // namespace hw
