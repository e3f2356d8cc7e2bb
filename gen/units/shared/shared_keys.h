// What several families of units of shared L1s say about the same keys (DC-L1 thesis, chapter 4).
#pragma once
#include "gen/config/family.h"

namespace gen {

KeyInfo home_key();
KeyInfo min_home_l2_key();
KeyInfo remote_wait_limit_key();
KeyInfo filter_bits_key();
KeyInfo mesh_width_key();
KeyInfo mesh_height_key();
KeyInfo memory_nodes_key();
KeyInfo mesh_vcs_key();
KeyInfo mesh_vc_flits_key();
KeyInfo mesh_link_stages_key();
KeyInfo butterfly_radix_key();
KeyInfo butterfly_stages_key();

const Family& dyneb_family();

}  // namespace gen
