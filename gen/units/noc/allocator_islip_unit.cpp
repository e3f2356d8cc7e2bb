// The separable allocator: allocator.*
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/noc/allocator_islip.h"
#include "hw/noc/noc_ranges.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";
const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

// Public parts of the same function and size.
std::vector<PublishedFigure> published_of(const hw::AllocatorParams& p) {
  if (p != hw::AllocatorParams{}) return {};
  return {{"Becker, grant and accept", 1'986, 2.0}, {"BaseJump", 2'246, 2.4}};
}

Unit elaborated(const hw::AllocatorParams& p, const std::string& top) {
  const std::string bound = fmt::format(
      "where requests stand until they are granted, each is within {} cycles", hw::longest_wait(p));
  return {.top = hw::allocator_islip(p, top), .published = published_of(p), .facts = {{"fairness", bound}}};
}

CosimMain cosim(const hw::AllocatorParams& p) {
  return cycle_bench("noc/allocator_cosim.h", "AllocatorBench", "AllocatorParams", p, 200'000);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::AllocatorParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& family() {
  using hw::AllocatorParams;
  static const Family family{
      .name = "separable allocator",
      .doc = "matches inputs to outputs, each with one partner at most",
      .defaults = AllocatorParams{},
      .unit = kind,
      .keys = {field<AllocatorParams>({.key = "allocator.inputs",
                                       .range = hw::AllocatorRanges::inputs,
                                       .unit = "inputs",
                                       .meaning = "Number I of inputs.",
                                       .source = thesis,
                                       .suffix = "i"},
                                      &AllocatorParams::inputs),
               field<AllocatorParams>({.key = "allocator.outputs",
                                       .range = hw::AllocatorRanges::outputs,
                                       .unit = "outputs",
                                       .meaning = "Number J of outputs.",
                                       .source = thesis,
                                       .suffix = "o"},
                                      &AllocatorParams::outputs),
               field<AllocatorParams>(
                   {.key = "allocator.iterations",
                    .range = hw::AllocatorRanges::iterations,
                    .unit = "iterations",
                    .meaning = "Rounds of offer and acceptance in a cycle; only the first moves pointers.",
                    .source = "McKeown, The iSLIP Scheduling Algorithm for Input-Queued Switches",
                    .suffix = "t"},
                   &AllocatorParams::iterations)}};
  return family;
}

}  // namespace

std::vector<Preset> allocator_islip_unit() {
  return {{.place = 280,
           .name = "allocator_islip",
           .family = &family(),
           .doc = "iSLIP: outputs offer, inputs accept, both in turn",
           .source = "McKeown, iSLIP; DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
