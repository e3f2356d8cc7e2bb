#include "gen/config/noc_keys.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";

}  // namespace

const Family& arbiter_family() {
  using hw::ArbiterParams;
  static const Family family{.name = "round-robin arbiter",
                             .doc = "serves one of those who ask, in turn",
                             .defaults = ArbiterParams{},
                             .keys = {field<ArbiterParams>({.key = "arbiter.inputs",
                                                            .min = 1,
                                                            .max = 128,
                                                            .unit = "request lines",
                                                            .meaning = "Number of those who may ask.",
                                                            .source = thesis,
                                                            .suffix = "i"},
                                                           &ArbiterParams::inputs)}};
  return family;
}

const Family& allocator_family() {
  using hw::AllocatorParams;
  static const Family family{
      .name = "separable allocator",
      .doc = "matches inputs to outputs, each with one partner at most",
      .defaults = AllocatorParams{},
      .keys = {field<AllocatorParams>({.key = "allocator.inputs",
                                       .min = 1,
                                       .max = 128,
                                       .unit = "inputs",
                                       .meaning = "Number I of inputs.",
                                       .source = thesis,
                                       .suffix = "i"},
                                      &AllocatorParams::inputs),
               field<AllocatorParams>({.key = "allocator.outputs",
                                       .min = 1,
                                       .max = 128,
                                       .unit = "outputs",
                                       .meaning = "Number J of outputs.",
                                       .source = thesis,
                                       .suffix = "o"},
                                      &AllocatorParams::outputs),
               field<AllocatorParams>(
                   {.key = "allocator.iterations",
                    .min = 1,
                    .max = 4,
                    .unit = "iterations",
                    .meaning = "Rounds of offer and acceptance in a cycle; only the first moves pointers.",
                    .source = "McKeown, The iSLIP Scheduling Algorithm for Input-Queued Switches",
                    .suffix = "t"},
                   &AllocatorParams::iterations)}};
  return family;
}

}  // namespace gen
