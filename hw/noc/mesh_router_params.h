// Parameters of a router of a mesh (DC-L1 thesis, chapter 4), shared by the hardware and its reference model.
#pragma once
#include "hw/noc/vc_crossbar_params.h"

namespace hw {

struct MeshRouterParams {
  int width = 6;        // routers in a row
  int height = 6;       // rows
  int vcs = 4;          // V: even, or 1 for one class
  int vc_flits = 4;     // D: flits of an input VC
  int link_stages = 1;  // registers of a link between routers
  int flit_bytes = 32;  // data of a flit
  int side_bits = 0;    // carried beside the data and the destination
  bool checks = false;  // outputs protocol_error and protocol_error_code

  bool operator==(const MeshRouterParams&) const = default;
};

enum MeshPort { mesh_local, mesh_north, mesh_east, mesh_south, mesh_west, mesh_ports };

}  // namespace hw
