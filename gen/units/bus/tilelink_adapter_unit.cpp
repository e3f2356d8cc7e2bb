// The adapter between a TileLink bus of a core and an L1 data cache.
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/cosim/port_list.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "hw/bus/tilelink_adapter.h"
#include "hw/bus/tilelink_adapter_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

using hw::TilelinkAdapterParams;
using Bounds = hw::TilelinkAdapterRanges;

constexpr const char* tilelink_source = "SiFive TileLink Specification 1.8, TL-UL and TL-UH";

std::vector<StorageAccount> tilelink_accounts(const TilelinkAdapterParams& p) {
  std::vector<StorageAccount> accounts{
      {"requests of the core",
       p.requests,
       {{"taken", 1},
        {"kind", 1},
        {"size", p.size_bits},
        {"source", p.source_bits},
        {"place", hw::bits_to_number(hw::words_of_line(p))}}},
      {"refused message",
       1,
       {{"valid", 1}, {"opcode", 2}, {"size", p.size_bits}, {"source", p.source_bits}}}};
  const int beats = hw::most_beats(p);
  if (beats == 1) return accounts;
  accounts.push_back({"earlier beats of a write",
                      beats - 1,
                      {{"kept", 1}, {"mask", p.data_bytes}, {"data", 8 * p.data_bytes}}});
  const int number = hw::bits_to_number(beats);
  accounts.push_back({"messages on A and D", 1, {{"a_beat", number}, {"corrupt", 1}, {"d_beat", number}}});
  return accounts;
}

Unit elaborated_tilelink(const TilelinkAdapterParams& p, const std::string& top) {
  return {.top = hw::tilelink_adapter(p, top),
          .latency = 0,
          .accounts = tilelink_accounts(p),
          .facts = {{"words_of_line", hw::words_of_line(p)}}};
}

CosimMain tilelink_cosim(const TilelinkAdapterParams& p) {
  return cycle_bench("bus/tilelink_adapter_cosim.h", "TilelinkAdapterBench", "TilelinkAdapterParams", p,
                     300'000, port_list(hw::tilelink_adapter(p, "unit")));
}

const UnitKind& tilelink_kind() {
  static const UnitKind table = unit_kind<TilelinkAdapterParams>(
      elaborated_tilelink, tilelink_cosim,
      "is one side of a cache: recorded traffic needs a cache; use --random");
  return table;
}

struct TilelinkNumber {
  const char* key;
  hw::Range range;
  const char *unit, *meaning, *suffix;
  int TilelinkAdapterParams::*member;
  std::optional<std::string> zero = {};
};

const TilelinkNumber tilelink_numbers[] = {
    {"tilelink.data_bytes", Bounds::data_bytes, "bytes", "Bytes of the bus, a line at most.", "d",
     &TilelinkAdapterParams::data_bytes},
    {"tilelink.burst_bytes", Bounds::burst_bytes, "bytes",
     "Bytes of the largest message, from those of the bus to a line. More than those of the bus make it "
     "TL-UH, with bursts.",
     "burst", &TilelinkAdapterParams::burst_bytes, "the bytes of the bus"},
    {"tilelink.source_bits", Bounds::source_bits, "bits", "Width of a request's source.", "s",
     &TilelinkAdapterParams::source_bits},
    {"tilelink.size_bits", Bounds::size_bits, "bits", "Width of the logarithm of a request's bytes.", "z",
     &TilelinkAdapterParams::size_bits},
    {"tilelink.requests", Bounds::requests, "requests", "Requests that the cache may have without an answer.",
     "r", &TilelinkAdapterParams::requests},
    {"tilelink.device_bit", Bounds::device_bit, "bit", "The bit of an address that marks devices.", "bit",
     &TilelinkAdapterParams::device_bit},
    {"core.id_bits", Bounds::core_id_bits, "bits",
     "Width of a core request's number, which its answer carries.", "i",
     &TilelinkAdapterParams::core_id_bits},
};

std::vector<Key> make_tilelink_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, int TilelinkAdapterParams::*member) {
    keys.push_back(field<TilelinkAdapterParams>(std::move(info), member));
  };
  KeyInfo address_bits = address_bits_key();
  address_bits.range = Bounds::address_bits;
  add(std::move(address_bits), &TilelinkAdapterParams::address_bits);
  add(line_bytes_key(), &TilelinkAdapterParams::line_bytes);
  add(chunk_bytes_key(), &TilelinkAdapterParams::chunk_bytes);
  keys.push_back(field<TilelinkAdapterParams>(
      {.key = "tilelink.devices",
       .type = KeyType::choice,
       .choices = {"none", "low", "high"},
       .meaning = "Addresses of devices, which no cache holds: none, or those whose device bit is 0, or 1.",
       .source = tilelink_source,
       .suffix = "devices_"},
      &TilelinkAdapterParams::devices));
  for (const TilelinkNumber& n : tilelink_numbers) {
    KeyInfo info{.key = n.key,
                 .range = n.range,
                 .zero = n.zero,
                 .depends = true,
                 .unit = n.unit,
                 .meaning = n.meaning,
                 .source = tilelink_source,
                 .suffix = n.suffix};
    if (n.member == &TilelinkAdapterParams::device_bit)
      info.only_with = {"tilelink.devices", {"low", "high"}};
    add(std::move(info), n.member);
  }
  return keys;
}

const Family& tilelink_family() {
  static const Family family{.name = "TileLink adapter",
                             .doc = "stands between a TileLink bus of a core and a cache",
                             .defaults = TilelinkAdapterParams{},
                             .unit = tilelink_kind,
                             .keys = make_tilelink_keys()};
  return family;
}

}  // namespace

std::vector<Preset> tilelink_adapter_unit() {
  return {{.place = 515,
           .name = "tilelink_adapter",
           .family = &tilelink_family(),
           .doc = "a TileLink bus of a core in front of a cache",
           .source = tilelink_source}};
}

}  // namespace gen
