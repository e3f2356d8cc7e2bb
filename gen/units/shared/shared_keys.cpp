#include "gen/units/shared/shared_keys.h"

#include "hw/shared/route_params.h"

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
          .max = 1023,
          .unit = "cycles",
          .meaning =
              "After so many cycles a request that an L1 serves for another core goes before those of "
              "its own; 0: never.",
          .source = source,
          .suffix = "wait"};
}

KeyInfo mesh_width_key() {
  return {.key = "mesh.width",
          .min = 2,
          .max = 16,
          .depends = true,
          .unit = "routers",
          .meaning = "Routers in a row; node n stands in column n mod width.",
          .source = source,
          .suffix = "width"};
}

KeyInfo mesh_height_key() {
  return {.key = "mesh.height",
          .min = 2,
          .max = 16,
          .depends = true,
          .unit = "routers",
          .meaning = "Rows of routers; node n stands in row n div width.",
          .source = source,
          .suffix = "height"};
}

KeyInfo memory_nodes_key() {
  return {.key = "mesh.memory_nodes",
          .type = KeyType::integers,
          .max = 255,
          .max_items = hw::MemoryNodes::most,
          .depends = true,
          .unit = "nodes",
          .meaning = "Nodes of the slices, by the slice; cores take the others, ascending.",
          .source = "this generator's choice",
          .suffix = "memory_nodes"};
}

}  // namespace gen
