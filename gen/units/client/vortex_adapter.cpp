#include "gen/units/client/vortex_adapter.h"

#include <fmt/format.h>

#include "gen/cosim/port_list.h"
#include "hw/client/vortex_adapter.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

std::vector<StorageAccount> accounts_of(const hw::VortexAdapterParams& p) {
  return {{"requests of the core",
           p.requests,
           {{"taken", 1},
            {"port", hw::bits_to_number(p.ports)},
            {"tag", p.tag_bits},
            {"place", hw::bits_to_number(hw::words_of_line(p))}}},
          {"loads at memory",
           hw::memory_loads(p),
           {{"taken", 1}, {"id", p.memory_id_bits}, {"mask", hw::chunks_of_line(p)}}},
          {"stores to acknowledge", hw::acknowledgements, {{"valid", 1}, {"id", p.memory_id_bits}}},
          {"counts", 3, {{"count", p.count_bits}}}};
}

Unit elaborated(const hw::VortexAdapterParams& p, const std::string& top) {
  return {.top = hw::vortex_adapter(p, top),
          .latency = 0,
          .accounts = accounts_of(p),
          .facts = {{"word_bytes", hw::word_bytes(p)},
                    {"words_of_line", hw::words_of_line(p)},
                    {"memory_loads", hw::memory_loads(p)}}};
}

CosimMain cosim(const hw::VortexAdapterParams& p) {
  return cycle_bench("client/vortex_adapter_cosim.h", "VortexAdapterBench", "VortexAdapterParams", p, 300'000,
                     port_list(hw::vortex_adapter(p, "unit")));
}

}  // namespace

const UnitKind& vortex_adapter_unit() {
  static const UnitKind kind = unit_kind<hw::VortexAdapterParams>(
      elaborated, cosim, "is one side of a cache: recorded traffic needs a cache; use --random");
  return kind;
}

}  // namespace gen
