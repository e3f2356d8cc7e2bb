// A switch of a network of many: a crossbar whose packets keep their virtual channel, the route of each head
// in front of it, links behind (DC-L1 thesis, chapter 4). Routers of meshes and switches of butterflies.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "hw/noc/vc_crossbar_params.h"
#include "hw/rtl/module.h"

namespace hw {

struct RoutedSwitch {
  // What stands at a port, in words, and whether links carry its credits and its flits away.
  struct Port {
    std::string where = {};
    bool links_credits = false, links_flits = false;
  };

  CrossbarParams crossbar = {};  // as many inputs as outputs; the destination and the rest are its side bits
  std::string crossbar_name = {};
  int destination_bits = 0, side_bits = 0;
  int link_stages = 0;
  std::vector<Port> ports = {};
  // Output `port` of a head, by its `destination` and what `constants` join; where a packet goes, in words.
  rtl::Module route;
  std::vector<std::pair<std::string, rtl::Expr>> constants = {};
  std::string destination = {};
  std::string links = {};  // a title for them
};

// Adds the ports of the switch to `m`, those of the crossbar (hw/noc/vc_crossbar.h) but with a
// `_destination` of so many bits on either side and no `_source`, and all that stands between them.
void add_routed_switch(rtl::Module& m, const RoutedSwitch& s);

}  // namespace hw
