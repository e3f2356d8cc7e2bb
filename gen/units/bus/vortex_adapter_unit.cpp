// The adapter between a GPU core's bus and an L1 data cache.
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "hw/bus/vortex_adapter.h"
#include "hw/bus/vortex_adapter_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

int counters(const hw::VortexAdapterParams& p) {
  if (p.counts == hw::ClientCounts::lookups) return 3;
  return p.ports == 1 ? 7 : 8;
}

std::vector<StorageAccount> accounts_of(const hw::VortexAdapterParams& p) {
  return {{"requests of the core",
           hw::core_requests(p),
           {{"taken", 1},
            {"port", hw::bits_to_number(p.ports)},
            {"tag", p.tag_bits},
            {"place", hw::bits_to_number(hw::words_of_line(p))}}},
          {"loads at memory",
           hw::memory_loads(p),
           {{"taken", 1}, {"id", p.memory_id_bits}, {"mask", hw::chunks_of_line(p)}}},
          {"stores to acknowledge", hw::acknowledgements, {{"valid", 1}, {"id", p.memory_id_bits}}},
          {"counts", counters(p), {{"count", p.count_bits}}}};
}

Unit elaborated(const hw::VortexAdapterParams& p, const std::string& top) {
  return {.top = hw::vortex_adapter(p, top),
          .latency = 0,
          .accounts = accounts_of(p),
          .facts = {{"word_bytes", hw::word_bytes(p)},
                    {"core_requests", hw::core_requests(p)},
                    {"words_of_line", hw::words_of_line(p)},
                    {"memory_loads", hw::memory_loads(p)}}};
}

CosimMain cosim(const hw::VortexAdapterParams& p) {
  return cycle_bench("bus/vortex_adapter_cosim.h", "VortexAdapterBench", "VortexAdapterParams", p, 300'000,
                     port_list(hw::vortex_adapter(p, "unit")));
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::VortexAdapterParams>(
      elaborated, cosim, "is one side of a cache: recorded traffic needs a cache; use --random");
  return table;
}

using hw::VortexAdapterParams;
using Ranges = hw::VortexAdapterRanges;

constexpr const char* client_source = "the memory bus of the open GPU Vortex";

struct Number {
  const char* key;
  hw::Range range;
  const char *unit, *meaning, *suffix;
  int VortexAdapterParams::*member;
  std::optional<std::string> zero = {};
};

const Number numbers[] = {
    {"client.lanes", Ranges::lanes, "lanes",
     "Lanes of the core's load/store unit: a request is for a word of one value of each, or a line if that "
     "is shorter.",
     "lanes", &VortexAdapterParams::lanes},
    {"client.lane_bytes", Ranges::lane_bytes, "bytes", "Bytes of a lane's value.", "lane_bytes",
     &VortexAdapterParams::lane_bytes},
    {"client.ports", Ranges::ports, "ports", "Request ports of the core, which are served in turn.", "ports",
     &VortexAdapterParams::ports},
    {"client.tag_bits", Ranges::tag_bits, "bits", "Width of a request's tag, which its answer carries.", "t",
     &VortexAdapterParams::tag_bits},
    {"client.requests", Ranges::requests, "requests", "Requests that the cache may have without an answer.",
     "r", &VortexAdapterParams::requests, "two a lane"},
    {"client.memory_id_bits", Ranges::memory_id_bits, "bits",
     "Width of memory_request_id of the cache: the manifest of the cache states it.", "mi",
     &VortexAdapterParams::memory_id_bits},
    {"client.memory_tag_bits", Ranges::memory_tag_bits, "bits",
     "Width of the tag of a request to memory; as many loads are in flight as it distinguishes, at most 64.",
     "mt", &VortexAdapterParams::memory_tag_bits},
    {"client.count_bits", Ranges::count_bits, "bits", "Width of each count.", "counts",
     &VortexAdapterParams::count_bits},
};

std::vector<Key> make_adapter_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int VortexAdapterParams::*member) {
    keys.push_back(field<VortexAdapterParams>(std::move(info), member));
  };
  add(address_bits_key(), &VortexAdapterParams::address_bits);
  KeyInfo line = line_bytes_key();
  line.range = Ranges::line_bytes;
  add(std::move(line), &VortexAdapterParams::line_bytes);
  add(chunk_bytes_key(), &VortexAdapterParams::chunk_bytes);
  for (const Number& n : numbers)
    add({.key = n.key,
         .range = n.range,
         .zero = n.zero,
         .unit = n.unit,
         .meaning = n.meaning,
         .source = client_source,
         .suffix = n.suffix},
        n.member);
  keys.push_back(field<VortexAdapterParams>(
      {.key = "client.counts",
       .type = KeyType::choice,
       .choices = {"lookups", "vortex"},
       .meaning = "What is counted: hits and misses of loads, and cycles in which a request waits; or what "
                  "Vortex counts of its data cache, by events of the cache (counters.enable).",
       .source = client_source,
       .suffix = "counts_"},
      &VortexAdapterParams::counts));
  add({.key = "core.id_bits",
       .range = Ranges::core_id_bits,
       .depends = true,
       .unit = "bits",
       .meaning = "Width of a core request's number, which its answer carries.",
       .source = client_source,
       .suffix = "i"},
      &VortexAdapterParams::core_id_bits);
  return keys;
}

const Family& family() {
  static const Family family{.name = "bus adapter of a GPU core",
                             .doc = "stands between the word-wide memory bus of a GPU core and a cache",
                             .defaults = VortexAdapterParams{},
                             .unit = kind,
                             .keys = make_adapter_keys()};
  return family;
}

}  // namespace

std::vector<Preset> vortex_adapter_unit() {
  return {
      {.place = 510,
       .name = "vortex_adapter",
       .family = &family(),
       .doc =
           "the word-wide memory bus of a GPU core in front of a cache, and a bus of whole lines behind it",
       .source = "the memory bus of the open GPU Vortex"}};
}

}  // namespace gen
