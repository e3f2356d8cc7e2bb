// The switch of words: switch.*
#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/switch.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";
const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

// Names the streams of a switch for its bench; a field without bits is a variable that nobody reads.
std::string switch_ports(const hw::SwitchParams& p) {
  std::string inputs, outputs;
  const auto field = [](bool there, const std::string& port) {
    return there ? "d." + port : std::string("absent");
  };
  for (int i = 0; i < p.inputs; ++i)
    inputs += fmt::format("    visit({0}, d.in{0}_valid, d.in{0}_ready, {1}, d.in{0}_data);\n", i,
                          field(p.outputs > 1, fmt::format("in{}_destination", i)));
  for (int j = 0; j < p.outputs; ++j)
    outputs += fmt::format("    visit({0}, d.out{0}_valid, d.out{0}_ready, {1}, d.out{0}_data);\n", j,
                           field(p.inputs > 1, fmt::format("out{}_source", j)));
  const char* const member =
      "  template <class Visit>\n  static void each_{}(Vdut& d, const Visit& visit) {{\n"
      "    [[maybe_unused]] unsigned char absent = 0;\n{}  }}\n";
  return fmt::format("struct Ports {{\n{}{}}};\n", fmt::format(fmt::runtime(member), "input", inputs),
                     fmt::format(fmt::runtime(member), "output", outputs));
}

// Public parts of the same function and size.
std::vector<PublishedFigure> published_of(const hw::SwitchParams& p) {
  if (p == hw::SwitchParams{.inputs = 8, .outputs = 4, .flit_bytes = 32, .buffers = 0})
    return {{"BaseJump", 11'929, 1.83},
            {"Becker's parts", 15'029, 2.3},
            {"PULP", 17'082, 1.8},
            {"verilog-axis", 17'296, 2.0},
            {"Vortex", 17'577, 2.4}};
  if (p == hw::SwitchParams{.inputs = 10, .outputs = 8, .flit_bytes = 32, .buffers = 0})
    return {{"BaseJump", 32'898, 2.3}, {"PULP", 44'030, 2.2}};
  if (p == hw::SwitchParams{.inputs = 8, .outputs = 4, .flit_bytes = 32, .buffers = 2})
    return {{"BaseJump", 45'038, 2.3},
            {"Becker's parts", 47'379, 2.8},
            {"Vortex", 48'420, 3.0},
            {"verilog-axis", 48'517, 2.2},
            {"PULP", 57'000, 2.6}};
  return {};
}

Unit elaborated(const hw::SwitchParams& p, const std::string& top) {
  return {.top = hw::word_switch(p, top),
          .latency = p.buffers ? 1 : 0,
          .published = published_of(p),
          .facts = {{"fairness",
                     fmt::format("a word in front is passed over by at most {} others", p.inputs - 1)}}};
}

CosimMain cosim(const hw::SwitchParams& p) {
  return cycle_bench("noc/switch_cosim.h", "SwitchBench", "SwitchParams", p, 200'000, switch_ports(p));
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::SwitchParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& family() {
  using hw::SwitchParams;
  static const Family family{
      .name = "switch",
      .doc = "moves words from inputs to outputs, one a cycle and output",
      .defaults = SwitchParams{},
      .unit = kind,
      .keys = {
          field<SwitchParams>({.key = "switch.inputs",
                               .range = hw::SwitchRanges::inputs,
                               .unit = "inputs",
                               .meaning = "Number I of inputs.",
                               .source = thesis,
                               .suffix = "i"},
                              &SwitchParams::inputs),
          field<SwitchParams>({.key = "switch.outputs",
                               .range = hw::SwitchRanges::outputs,
                               .unit = "outputs",
                               .meaning = "Number J of outputs.",
                               .source = thesis,
                               .suffix = "o"},
                              &SwitchParams::outputs),
          field<SwitchParams>({.key = "switch.flit_bytes",
                               .range = hw::SwitchRanges::flit_bytes,
                               .unit = "bytes",
                               .meaning = "Size of a word.",
                               .source = thesis,
                               .suffix = "f"},
                              &SwitchParams::flit_bytes),
          field<SwitchParams>(
              {.key = "switch.buffers",
               .range = hw::SwitchRanges::buffers,
               .unit = "words",
               .meaning = "Entries of the queue at each input; 0 is no queue, 2 are enough for full rate.",
               .source = thesis,
               .suffix = "b"},
              &SwitchParams::buffers)}};
  return family;
}

}  // namespace

std::vector<Preset> switch_unit() {
  return {{.place = 290,
           .name = "switch",
           .family = &family(),
           .doc = "words go to the output that they name, inputs are served in turn",
           .source = "DC-L1 thesis, chapter 5",
           .module = "word_switch"}};
}

}  // namespace gen
