#include "gen/units/shared/shared_keys.h"

#include "hw/noc/noc_ranges.h"
#include "hw/shared/route_params.h"
#include "hw/shared/shared_ranges.h"

namespace gen {
namespace {

const char* const source = "DC-L1 thesis, chapter 4";

}  // namespace

KeyInfo home_key() {
  return {.key = "shared.home",
          .type = KeyType::choice,
          .choices = {"core_bits", "tag_mod"},
          .meaning =
              "What a line's home is chosen by: the lowest bits of its tag, numbers of no core folded to "
              "the first ones; or the whole tag modulo the cores.",
          .source = source,
          .suffix = ""};
}

KeyInfo min_home_l2_key() {
  return {.key = "shared.min_home_l2",
          .type = KeyType::boolean,
          .meaning = "A request goes to the slice, past all L1s, where that is nearer than the line's home.",
          .source = source,
          .suffix = "min"};
}

KeyInfo remote_wait_limit_key() {
  return {.key = "shared.remote_wait_limit",
          .range = hw::SharedRanges::remote_wait_limit,
          .unit = "cycles",
          .meaning =
              "After so many cycles a request that an L1 serves for another core goes before those of "
              "its own; 0: never.",
          .source = source,
          .suffix = "wait"};
}

KeyInfo filter_bits_key() {
  return {.key = "shared.filter_bits",
          .range = hw::SharedRanges::filter_bits,
          .depends = true,
          .unit = "bits",
          .meaning =
              "Log2 of the bits of the filter over lines that were stored to past their homes; at most "
              "the bits of a block address.",
          .source = "private-store rule beside DC-L1 thesis, chapter 4",
          .suffix = "filter"};
}

KeyInfo mesh_width_key() {
  return {.key = "mesh.width",
          .range = hw::MeshSizeRanges::width,
          .depends = true,
          .unit = "routers",
          .meaning = "Routers in a row; node n stands in column n mod width.",
          .source = source,
          .suffix = "width"};
}

KeyInfo mesh_height_key() {
  return {.key = "mesh.height",
          .range = hw::MeshSizeRanges::height,
          .depends = true,
          .unit = "routers",
          .meaning = "Rows of routers; node n stands in row n div width.",
          .source = source,
          .suffix = "height"};
}

KeyInfo memory_nodes_key() {
  return {.key = "mesh.memory_nodes",
          .type = KeyType::integers,
          .range = hw::SharedRanges::memory_node,
          .max_items = hw::MemoryNodes::most,
          .depends = true,
          .unit = "nodes",
          .meaning = "Nodes of the slices, by the slice; cores take the others, ascending.",
          .source = "this generator's choice",
          .suffix = "memory_nodes"};
}

KeyInfo mesh_vcs_key() {
  return {.key = "mesh.vcs",
          .range = hw::MeshRanges::vcs,
          .depends = true,
          .unit = "channels",
          .meaning =
              "Virtual channels of each port, an even number: in a mesh half of them for either class of "
              "messages.",
          .source = source,
          .suffix = "v"};
}

KeyInfo mesh_vc_flits_key() {
  return {.key = "mesh.vc_flits",
          .range = hw::MeshRanges::vc_flits,
          .unit = "flits",
          .meaning = "Flits of an input VC.",
          .source = source,
          .suffix = "d"};
}

KeyInfo mesh_link_stages_key() {
  return {
      .key = "mesh.link_stages",
      .range = hw::MeshRanges::link_stages,
      .unit = "registers",
      .meaning =
          "Registers of a link between routers, or between stages of switches, for flits and for credits.",
      .source = source,
      .suffix = "link"};
}

KeyInfo butterfly_radix_key() {
  return {.key = "butterfly.radix",
          .range = hw::ButterflyRanges::radix,
          .depends = true,
          .unit = "ports",
          .meaning = "Inputs, and outputs, of a switch.",
          .source = source,
          .suffix = "radix"};
}

KeyInfo butterfly_stages_key() {
  return {.key = "butterfly.stages",
          .range = hw::ButterflyRanges::stages,
          .depends = true,
          .unit = "stages",
          .meaning = "Switches on the way of a packet; radix to the power of stages are the ports.",
          .source = source,
          .suffix = "stages"};
}

}  // namespace gen
