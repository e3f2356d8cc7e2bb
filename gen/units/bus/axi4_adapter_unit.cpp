// The adapter between an AXI4 bus of a core and an L1 data cache.
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "hw/bus/axi4_adapter.h"
#include "hw/bus/axi4_adapter_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

using hw::Axi4AdapterParams;
using Bounds = hw::Axi4AdapterRanges;

constexpr const char* axi4_source = "AMBA AXI4 (ARM IHI 0022)";

std::vector<StorageAccount> axi4_accounts(const Axi4AdapterParams& p) {
  const std::pair<std::string, int> place{"place", hw::bits_to_number(hw::words_of_line(p))};
  return {
      {"beats of reads",
       p.reads,
       {{"answered", 1}, {"refused", 1}, {"last", 1}, {"id", p.id_bits}, place, {"data", 8 * p.data_bytes}}},
      {"beats of writes", p.writes, {{"answered", 1}, {"refused", 1}, {"last", 1}, {"id", p.id_bits}}},
      {"channel R",
       1,
       {{"valid", 1}, {"refused", 1}, {"last", 1}, {"id", p.id_bits}, {"data", 8 * p.data_bytes}}},
      {"channel B", 1, {{"valid", 1}, {"refused", 1}, {"id", p.id_bits}}}};
}

Unit elaborated_axi4(const Axi4AdapterParams& p, const std::string& top) {
  return {.top = hw::axi4_adapter(p, top),
          .latency = 2,
          .accounts = axi4_accounts(p),
          .facts = {{"words_of_line", hw::words_of_line(p)}}};
}

CosimMain axi4_cosim(const Axi4AdapterParams& p) {
  return cycle_bench("bus/axi4_adapter_cosim.h", "Axi4AdapterBench", "Axi4AdapterParams", p, 300'000,
                     port_list(hw::axi4_adapter(p, "unit")));
}

const UnitKind& axi4_kind() {
  static const UnitKind table = unit_kind<Axi4AdapterParams>(
      elaborated_axi4, axi4_cosim, "is one side of a cache: recorded traffic needs a cache; use --random");
  return table;
}

struct Axi4Number {
  const char* key;
  hw::Range range;
  const char *unit, *meaning, *suffix;
  int Axi4AdapterParams::*member;
};

constexpr Axi4Number axi4_numbers[] = {
    {"s_axi.data_bytes", Bounds::data_bytes, "bytes", "Bytes of the data bus, a line at most.", "d",
     &Axi4AdapterParams::data_bytes},
    {"s_axi.id_bits", Bounds::id_bits, "bits", "Width of an ID of the bus.", "id",
     &Axi4AdapterParams::id_bits},
    {"s_axi.reads", Bounds::slots, "beats", "Beats of reads that may be on their way at a time.", "r",
     &Axi4AdapterParams::reads},
    {"s_axi.writes", Bounds::slots, "beats", "Beats of writes that may be on their way at a time.", "w",
     &Axi4AdapterParams::writes},
    {"core.id_bits", Bounds::core_id_bits, "bits",
     "Width of a core request's number, which its answer carries.", "i", &Axi4AdapterParams::core_id_bits},
};

std::vector<Key> make_axi4_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int Axi4AdapterParams::*member) {
    keys.push_back(field<Axi4AdapterParams>(std::move(info), member));
  };
  KeyInfo address_bits = address_bits_key();
  address_bits.range = Bounds::address_bits;
  add(std::move(address_bits), &Axi4AdapterParams::address_bits);
  add(line_bytes_key(), &Axi4AdapterParams::line_bytes);
  add(chunk_bytes_key(), &Axi4AdapterParams::chunk_bytes);
  keys.push_back(field<Axi4AdapterParams>(
      {.key = "s_axi.cacheable",
       .type = KeyType::choice,
       .choices = {"attributes", "all"},
       .meaning = "Accesses that the cache may hold: those with an allocate bit of AxCACHE, or all.",
       .source = axi4_source,
       .suffix = "cache_"},
      &Axi4AdapterParams::cacheable));
  for (const Axi4Number& n : axi4_numbers) {
    KeyInfo info{.key = n.key,
                 .range = n.range,
                 .depends = true,
                 .unit = n.unit,
                 .meaning = n.meaning,
                 .source = axi4_source,
                 .suffix = n.suffix};
    add(std::move(info), n.member);
  }
  return keys;
}

const Family& axi4_family() {
  static const Family family{.name = "AXI4 adapter",
                             .doc = "stands between an AXI4 bus of a core and a cache",
                             .defaults = Axi4AdapterParams{},
                             .unit = axi4_kind,
                             .keys = make_axi4_keys()};
  return family;
}

}  // namespace

std::vector<Preset> axi4_adapter_unit() {
  return {{.place = 517,
           .name = "axi4_adapter",
           .family = &axi4_family(),
           .doc = "an AXI4 bus of a core in front of a cache",
           .source = axi4_source}};
}

}  // namespace gen
