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

const Family& switch_family() {
  using hw::SwitchParams;
  static const Family family{
      .name = "switch",
      .doc = "moves words from inputs to outputs, one a cycle and output",
      .defaults = SwitchParams{},
      .keys = {
          field<SwitchParams>({.key = "switch.inputs",
                               .min = 1,
                               .max = 128,
                               .unit = "inputs",
                               .meaning = "Number I of inputs.",
                               .source = thesis,
                               .suffix = "i"},
                              &SwitchParams::inputs),
          field<SwitchParams>({.key = "switch.outputs",
                               .min = 1,
                               .max = 128,
                               .unit = "outputs",
                               .meaning = "Number J of outputs.",
                               .source = thesis,
                               .suffix = "o"},
                              &SwitchParams::outputs),
          field<SwitchParams>({.key = "switch.flit_bytes",
                               .min = 1,
                               .max = 256,
                               .unit = "bytes",
                               .meaning = "Size of a word.",
                               .source = thesis,
                               .suffix = "f"},
                              &SwitchParams::flit_bytes),
          field<SwitchParams>(
              {.key = "switch.buffers",
               .min = 0,
               .max = 16,
               .unit = "words",
               .meaning = "Entries of the queue at each input; 0 is no queue, 2 are enough for full rate.",
               .source = thesis,
               .suffix = "b"},
              &SwitchParams::buffers)}};
  return family;
}

}  // namespace gen
