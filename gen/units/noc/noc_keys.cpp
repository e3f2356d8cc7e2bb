#include "gen/units/noc/noc_keys.h"

#include "gen/units/l1d/check_keys.h"
#include "gen/units/noc/noc.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";

}  // namespace

const Family& arbiter_family() {
  using hw::ArbiterParams;
  static const Family family{.name = "round-robin arbiter",
                             .doc = "serves one of those who ask, in turn",
                             .defaults = ArbiterParams{},
                             .unit = arbiter_unit,
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
      .unit = allocator_unit,
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
      .unit = switch_unit,
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

const Family& crossbar_family() {
  using hw::CrossbarParams;
  const auto key = [](const char* name, std::int64_t min, std::int64_t max, const char* unit,
                      const char* meaning, const char* suffix, int CrossbarParams::*member) {
    return field<CrossbarParams>({.key = std::string("crossbar.") + name,
                                  .min = min,
                                  .max = max,
                                  .unit = unit,
                                  .meaning = meaning,
                                  .source = thesis,
                                  .suffix = suffix},
                                 member);
  };
  static const Family family{
      .name = "crossbar with virtual channels",
      .doc = "moves packets of flits from inputs to outputs, by credits",
      .defaults = CrossbarParams{},
      .unit = crossbar_unit,
      .keys = {key("inputs", 1, 128, "inputs", "Number I of inputs.", "i", &CrossbarParams::inputs),
               key("outputs", 1, 128, "outputs", "Number J of outputs.", "o", &CrossbarParams::outputs),
               key("flit_bytes", 1, 256, "bytes", "Data of a flit.", "f", &CrossbarParams::flit_bytes),
               key("side_bits", 0, 512, "bits", "Control that travels beside the data of a flit.", "s",
                   &CrossbarParams::side_bits),
               key("vcs", 1, 8, "channels", "Virtual channels of each input and of each output.", "v",
                   &CrossbarParams::vcs),
               key("vc_depth", 1, 16, "flits",
                   "Flits of an input VC and of a receiver's; 4 keep one at full rate.", "d",
                   &CrossbarParams::vc_depth),
               key("iterations", 1, 4, "iterations",
                   "Rounds of offer and acceptance in a cycle; only the first moves pointers.", "t",
                   &CrossbarParams::iterations),
               field<CrossbarParams>(check_ports_key(), &CrossbarParams::checks)}};
  return family;
}

}  // namespace gen
