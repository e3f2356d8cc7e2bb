#include "gen/units/noc/vc_crossbar_unit.h"

#include <fmt/format.h>

#include "gen/config/catalogue.h"
#include "gen/unit/unit_kind.h"
#include "gen/units/keys/common_keys.h"
#include "hw/noc/noc_ranges.h"
#include "hw/noc/vc_crossbar.h"

namespace gen {
namespace {

const char* const thesis = "DC-L1 thesis, chapter 5";
const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

// Public parts of the same function and size.
std::vector<PublishedFigure> published_of(const hw::CrossbarParams& p) {
  if (p != hw::CrossbarParams{}) return {};
  return {{"FlooNoC, without VC allocation", 370'926, 4.6}};
}

Unit elaborated(const hw::CrossbarParams& p, const std::string& top) {
  const int flits = (p.inputs + 1) * p.vcs;
  return {
      .top = hw::vc_crossbar(p, top),
      .latency = 2,
      .published = published_of(p),
      .facts = {{"fairness",
                 p.iterations > 1
                     ? std::string("none is guaranteed with more than one iteration")
                     : fmt::format("a head in front sees fewer than {} flits leave its output first, times "
                                   "the flits of the longest packet",
                                   flits)},
                {"credit_loop", 3}}};
}

CosimMain cosim(const hw::CrossbarParams& p) {
  return cycle_bench("noc/vc_cosim.h", "VcBench", "CrossbarParams", p, 200'000, crossbar_ports(p), true);
}

const UnitKind& kind() {
  static const UnitKind table = unit_kind<hw::CrossbarParams>(elaborated, cosim, no_cache);
  return table;
}

const Family& family() {
  using hw::CrossbarParams;
  const auto key = [](const char* name, const hw::Range& range, const char* unit, const char* meaning,
                      const char* suffix, int CrossbarParams::*member) {
    return field<CrossbarParams>({.key = std::string("crossbar.") + name,
                                  .range = range,
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
      .unit = kind,
      .keys = {key("inputs", hw::CrossbarRanges::inputs, "inputs", "Number I of inputs.", "i",
                   &CrossbarParams::inputs),
               key("outputs", hw::CrossbarRanges::outputs, "outputs", "Number J of outputs.", "o",
                   &CrossbarParams::outputs),
               key("flit_bytes", hw::CrossbarRanges::flit_bytes, "bytes", "Data of a flit.", "f",
                   &CrossbarParams::flit_bytes),
               key("side_bits", hw::CrossbarRanges::side_bits, "bits",
                   "Control that travels beside the data of a flit.", "s", &CrossbarParams::side_bits),
               key("vcs", hw::CrossbarRanges::vcs, "channels",
                   "Virtual channels of each input and of each output.", "v", &CrossbarParams::vcs),
               key("vc_depth", hw::CrossbarRanges::vc_depth, "flits",
                   "Flits of an input VC and of a receiver's; 4 keep one at full rate.", "d",
                   &CrossbarParams::vc_depth),
               key("iterations", hw::CrossbarRanges::iterations, "iterations",
                   "Rounds of offer and acceptance in a cycle; only the first moves pointers.", "t",
                   &CrossbarParams::iterations),
               field<CrossbarParams>(check_ports_key(), &CrossbarParams::checks)}};
  return family;
}

}  // namespace

std::string crossbar_ports(const hw::CrossbarParams& p) {
  const auto field = [](bool there, const std::string& port) {
    return there ? "d." + port : std::string("absent");
  };
  std::string inputs, outputs;
  for (int i = 0; i < p.inputs; ++i) {
    const std::string in = fmt::format("in{}_", i);
    inputs += fmt::format(
        "    visit({}, d.{}valid, {}, d.{}head, d.{}tail, {}, {}, d.{}data, d.{}credit_valid, {});\n", i, in,
        field(p.vcs > 1, in + "vc"), in, in, field(p.outputs > 1, in + "destination"),
        field(p.side_bits > 0, in + "side"), in, in, field(p.vcs > 1, in + "credit_vc"));
  }
  for (int j = 0; j < p.outputs; ++j) {
    const std::string out = fmt::format("out{}_", j);
    outputs += fmt::format(
        "    visit({}, d.{}valid, {}, d.{}head, d.{}tail, {}, {}, d.{}data, d.{}credit_valid, {});\n", j, out,
        field(p.vcs > 1, out + "vc"), out, out, field(p.inputs > 1, out + "source"),
        field(p.side_bits > 0, out + "side"), out, out, field(p.vcs > 1, out + "credit_vc"));
  }
  const char* const member =
      "  template <class D, class Visit>\n  static void each_{}(D& d, const Visit& visit) {{\n"
      "    [[maybe_unused]] unsigned char absent = 0;\n{}  }}\n";
  return fmt::format("struct Ports {{\n{}{}}};\n", fmt::format(fmt::runtime(member), "input", inputs),
                     fmt::format(fmt::runtime(member), "output", outputs));
}

std::vector<Preset> vc_crossbar_unit() {
  return {{.place = 300,
           .name = "vc_crossbar",
           .family = &family(),
           .doc = "packets on virtual channels with credits, matched by iSLIP",
           .source = "DC-L1 thesis, chapter 5"}};
}

}  // namespace gen
