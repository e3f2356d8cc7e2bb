// Bandwidth- and latency-aware page placement (ACI thesis, section 5).
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/monitors/blpp.h"
#include "hw/monitors/blpp_ranges.h"
#include "hw/prim/one_hot.h"

namespace gen {
namespace {

// Flops of the evaluation as they are; the counters and what a page is placed by are the mechanism.
std::vector<StorageAccount> accounts_of(const hw::BlppParams& p) {
  const StorageAccount place{"placement", 1, {{"draw", 16}}, true};
  if (p.mode == hw::BlppMode::fixed) return {place};
  return {{"counters", 5, {{"events", hw::blpp_sum_bits}}, true},
          {"period", 1, {{"cycle", hw::bits_to_number(p.period)}}, true},
          {"decision", 1, {{"p", 17}}, true},
          place};
}

Unit elaborated(const hw::BlppParams& p, const std::string& top) {
  return {.top = hw::blpp(p, top), .latency = 0, .accounts = accounts_of(p)};
}

CosimMain cosim(const hw::BlppParams& p) {
  return cycle_bench("units/blpp_cosim.h", "BlppBench", "BlppParams", p, 2'000'000, {}, true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::BlppParams>(
      elaborated, cosim, "places pages: recorded cache traffic needs a cache; use --random");
  return table;
}

using hw::BlppParams;

std::vector<Key> make_keys() {
  std::vector<Key> keys;
  const auto add = [&](KeyInfo info, auto member) {
    info.key = "blpp." + info.key;
    if (info.source.empty()) info.source = "ACI thesis, section 5.2";
    keys.push_back(field<BlppParams>(std::move(info), member));
  };
  const auto number = [&](const char* key, const hw::Range& range, const char* unit, const char* meaning,
                          const char* suffix, auto member) {
    add({.key = key, .range = range, .unit = unit, .meaning = meaning, .suffix = suffix}, member);
  };
  add({.key = "mode",
       .type = KeyType::choice,
       .choices = {"dynamic", "static"},
       .meaning = "Whether counters decide how many pages go to the GPU node, or `ratio` does.",
       .suffix = ""},
      &BlppParams::mode);
  add({.key = "ratio",
       .type = KeyType::real,
       .range = hw::BlppRanges::ratio,
       .meaning = "Part of the pages that goes to the GPU node.",
       .suffix = "ratio",
       .only_with = {"blpp.mode", {"static"}}},
      &BlppParams::ratio);
  number("period", hw::BlppRanges::period, "cycles", "For how long events are counted before a decision.",
         "period", &BlppParams::period);
  number("gpu_bandwidth", hw::BlppRanges::bandwidth, "GB/s", "Of the GPU's memory.", "gpubw",
         &BlppParams::gpu_bandwidth);
  number("cpu_bandwidth", hw::BlppRanges::bandwidth, "GB/s",
         "Of the CPU's memory, or of the link if that is less.", "cpubw", &BlppParams::cpu_bandwidth);
  number(
      "ratio_tenths", hw::BlppRanges::ratio_tenths, "tenths",
      "Pages are shared where the latency with both nodes, over that with the GPU node alone, is below this.",
      "theta", &BlppParams::ratio_tenths);
  number("bytes_per_cycle", hw::BlppRanges::bytes_per_cycle, "bytes a cycle",
         "Pages are shared where the traffic is above this.", "bytes", &BlppParams::bytes_per_cycle);
  number("l1_latency", hw::BlppRanges::latency, "core cycles", "Of an L1.", "l1", &BlppParams::l1_latency);
  number("l2_latency", hw::BlppRanges::latency, "core cycles", "Of an L2 bank, behind the L1.", "l2",
         &BlppParams::l2_latency);
  number("gpu_memory_latency", hw::BlppRanges::latency, "core cycles", "Of the GPU's memory, behind the L2.",
         "gpulat", &BlppParams::gpu_memory_latency);
  number("cpu_memory_latency", hw::BlppRanges::latency, "core cycles",
         "Of the CPU's memory, behind the link.", "cpulat", &BlppParams::cpu_memory_latency);
  number("link_latency", hw::BlppRanges::latency, "core cycles", "Of the link to the CPU node.", "link",
         &BlppParams::link_latency);
  add({.key = "page_bytes",
       .range = hw::BlppRanges::page_bytes,
       .unit = "bytes",
       .meaning = "Of the page table, which is software: no part of the unit."},
      &BlppParams::page_bytes);
  add({.key = "gpu_pages",
       .range = hw::BlppRanges::pages,
       .unit = "pages",
       .meaning = "Capacity of the GPU node in the page table."},
      &BlppParams::gpu_pages);
  add({.key = "cpu_pages",
       .range = hw::BlppRanges::pages,
       .unit = "pages",
       .meaning = "Capacity of the CPU node in the page table."},
      &BlppParams::cpu_pages);
  return keys;
}

const Family& family() {
  static const Family family{.name = "page placement",
                             .doc = "draws the memory node of a new page by what latency and traffic allow",
                             .defaults = BlppParams{},
                             .unit = kind,
                             .keys = make_keys()};
  return family;
}

}  // namespace

std::vector<Preset> blpp_unit() {
  return {{.place = 260,
           .name = "blpp",
           .family = &family(),
           .doc = "page placement: which of two memory nodes a new page goes to, by latency and traffic",
           .source = "ACI thesis, section 5"}};
}

}  // namespace gen
