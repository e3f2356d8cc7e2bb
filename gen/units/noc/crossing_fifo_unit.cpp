// The FIFO between two clocks: crossing.*
#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/noc/crossing_fifo.h"
#include "hw/noc/noc_ranges.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";
const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

Unit elaborated(const hw::CrossingParams& p, const std::string& top) {
  return {.top = hw::crossing_fifo(p, top), .latency = 1, .facts = {{"clock_ratio", hw::noc1_ratio}}};
}

CosimMain cosim(const hw::CrossingParams& p) {
  return cycle_bench("noc/crossing_fifo_cosim.h", "CrossingBench", "CrossingParams", p, 200'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::CrossingParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& family() {
  using hw::CrossingParams;
  static const Family family{
      .name = "clock-crossing FIFO",
      .doc = "carries words between two edge-aligned clocks, one twice as fast",
      .defaults = CrossingParams{},
      .unit = kind,
      .keys = {
          field<CrossingParams>({.key = "crossing.entries",
                                 .range = hw::CrossingRanges::entries,
                                 .unit = "words",
                                 .meaning = "Entries of the queue.",
                                 .source = thesis,
                                 .suffix = "n"},
                                &CrossingParams::entries),
          field<CrossingParams>({.key = "crossing.width",
                                 .range = hw::CrossingRanges::width,
                                 .unit = "bits",
                                 .meaning = "Width of a word.",
                                 .source = thesis,
                                 .suffix = "w"},
                                &CrossingParams::width),
          field<CrossingParams>({.key = "crossing.to_fast",
                                 .type = KeyType::boolean,
                                 .meaning = "Words enter on clk and leave on clk_noc1; else the other way.",
                                 .source = thesis,
                                 .suffix = "to_fast"},
                                &CrossingParams::to_fast)}};
  return family;
}

}  // namespace

std::vector<Preset> crossing_fifo_unit() {
  return {{.place = 340,
           .name = "crossing_fifo",
           .family = &family(),
           .doc = "words between a clock and one twice as fast, edge-aligned",
           .source = "DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
