// Keys of meshes and butterflies, each defined beside its unit, and what their benches have in common (DC-L1
// thesis, chapter 4).
#pragma once
#include <string>
#include <vector>

#include "gen/config/key.h"
#include "hw/noc/noc_ranges.h"

namespace gen {

KeyInfo mesh_width_key();
KeyInfo mesh_height_key();
KeyInfo mesh_vcs_key();
KeyInfo mesh_vc_flits_key();
KeyInfo mesh_link_stages_key();
KeyInfo butterfly_radix_key();
KeyInfo butterfly_stages_key();

// What flits are made of, and what queues and links there are for them; `P` holds it as its own.
template <class P>
void add_flits(std::vector<Key>& keys) {
  const auto add = [&](const char* name, const hw::Range& range, const char* unit, const char* meaning,
                       const char* suffix, int P::*member) {
    keys.push_back(field<P>({.key = name,
                             .range = range,
                             .unit = unit,
                             .meaning = meaning,
                             .source = "DC-L1 thesis, chapter 4",
                             .suffix = suffix},
                            member));
  };
  keys.push_back(field<P>(mesh_vcs_key(), &P::vcs));
  keys.push_back(field<P>(mesh_vc_flits_key(), &P::vc_flits));
  keys.push_back(field<P>(mesh_link_stages_key(), &P::link_stages));
  add("crossbar.flit_bytes", hw::MeshRanges::flit_bytes, "bytes", "Data of a flit.", "f", &P::flit_bytes);
  add("crossbar.side_bits", hw::MeshRanges::side_bits, "bits",
      "Control that travels beside the data of a flit.", "s", &P::side_bits);
}

// The ports for a bench: a struct Ports of inputs and outputs 0 to `ports` - 1; without `sides` nothing is
// carried beside the data.
std::string flit_wires(int ports, bool sides);

}  // namespace gen
