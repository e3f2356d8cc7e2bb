// Parameters of shared L1s (DC-L1 thesis, chapter 4), shared by the hardware and its reference model.
#pragma once
#include "hw/shared/dyneb_params.h"
#include "hw/shared/route_params.h"

namespace hw {

// Lines are cached by each core for itself, by their homes for all, or as each core's controller finds.
enum class Organisation { own_lines, shared_lines, dyneb };
// What joins cores: meshes, which slices stand in too, or butterflies beside crossbars to the slices.
enum class SharedFabric { mesh, butterfly };

struct SharedParams {
  Organisation organisation = Organisation::shared_lines;
  SharedFabric fabric = SharedFabric::mesh;
  HomeKind home = HomeKind::core_bits;
  bool chunk = true;           // replies carry the requested bytes of a load; else all of its line
  bool min_home_l2 = true;     // to the slice, where it is nearer than the home
  int queue_entries = 4;       // of each of a core's six queues
  int remote_wait_limit = 64;  // 0 (strictly local first) to 1,023
  // With a controller, a core's loads see that core's stores on either way.
  bool own_store_guard = true;
  int filter_bits = 13;  // log2 of the bits of its written filter
  // With a controller, lines of shared sets that have another home are the first victims.
  bool prefer_leftover_victims = false;
  DynebParams dyneb = {};  // of the controllers

  bool operator==(const SharedParams&) const = default;
};

}  // namespace hw
