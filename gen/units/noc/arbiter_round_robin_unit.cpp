// The round-robin arbiter: arbiter.*
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/noc/arbiter_round_robin.h"
#include "hw/noc/noc_ranges.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";
const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

// Public parts of the same function and size; only fair arbiters.
std::vector<PublishedFigure> published_of(const hw::ArbiterParams& p) {
  if (p.inputs == 8) return {{"PULP tree", 123, 1.3}, {"BaseJump", 123, 1.1}};
  if (p.inputs == 32) return {{"PULP tree", 569, 2.2}, {"BaseJump", 704, 1.5}};
  if (p.inputs == 80) return {{"PULP tree", 1'371, 2.8}, {"BaseJump", 1'937, 2.0}};
  return {};
}

Unit elaborated(const hw::ArbiterParams& p, const std::string& top) {
  return {.top = hw::arbiter_round_robin(p, top),
          .published = published_of(p),
          .facts = {{"fairness", fmt::format("an input that asks is passed over by at most {} used grants",
                                             p.inputs - 1)}}};
}

CosimMain cosim(const hw::ArbiterParams& p) {
  return cycle_bench("noc/arbiter_cosim.h", "ArbiterBench", "ArbiterParams", p, 1'000'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::ArbiterParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& family() {
  using hw::ArbiterParams;
  static const Family family{.name = "round-robin arbiter",
                             .doc = "grants one of the requesting inputs, round-robin",
                             .defaults = ArbiterParams{},
                             .unit = kind,
                             .keys = {field<ArbiterParams>({.key = "arbiter.inputs",
                                                            .range = hw::ArbiterRanges::inputs,
                                                            .unit = "request lines",
                                                            .meaning = "Number of inputs.",
                                                            .source = thesis,
                                                            .suffix = "i"},
                                                           &ArbiterParams::inputs)}};
  return family;
}

}  // namespace

std::vector<Preset> arbiter_round_robin_unit() {
  return {{.place = 270,
           .name = "arbiter_round_robin",
           .family = &family(),
           .doc = "fair arbiter: the first request at or after a pointer that moves past each grant",
           .source = "DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
