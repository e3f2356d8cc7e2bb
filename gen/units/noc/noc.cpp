#include "gen/units/noc/noc.h"

#include <fmt/format.h>

#include "hw/noc/allocator_islip.h"
#include "hw/noc/arbiter_round_robin.h"
#include "hw/noc/switch.h"
#include "hw/noc/vc_crossbar.h"

namespace gen {
namespace {

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

// Public parts of the same function and size; only fair arbiters.
std::vector<PublishedFigure> published_of(const hw::ArbiterParams& p) {
  if (p.inputs == 8) return {{"PULP tree", 123, 1.3}, {"BaseJump", 123, 1.1}};
  if (p.inputs == 32) return {{"PULP tree", 569, 2.2}, {"BaseJump", 704, 1.5}};
  if (p.inputs == 80) return {{"PULP tree", 1'371, 2.8}, {"BaseJump", 1'937, 2.0}};
  return {};
}

std::vector<PublishedFigure> published_of(const hw::AllocatorParams& p) {
  if (p != hw::AllocatorParams{}) return {};
  return {{"Becker, grant and accept", 1'986, 2.0}, {"BaseJump", 2'246, 2.4}};
}

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

std::vector<PublishedFigure> published_of(const hw::CrossbarParams& p) {
  if (p != hw::CrossbarParams{}) return {};
  return {{"FlooNoC, without VC allocation", 370'926, 4.6}};
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

Unit elaborated(const hw::AllocatorParams& p, const std::string& top) {
  const std::string bound = fmt::format(
      "where requests stand until they are granted, each is within {} cycles", hw::longest_wait(p));
  return {.top = hw::allocator_islip(p, top), .published = published_of(p), .facts = {{"fairness", bound}}};
}

CosimMain cosim(const hw::AllocatorParams& p) {
  return cycle_bench("noc/allocator_cosim.h", "AllocatorBench", "AllocatorParams", p, 200'000);
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

namespace {

CosimMain cosim(const hw::CrossbarParams& p) {
  return cycle_bench("noc/vc_cosim.h", "VcBench", "CrossbarParams", p, 200'000, crossbar_ports(p), true);
}

}  // namespace

const UnitKind& arbiter_unit() {
  static const UnitKind kind = unit_kind<hw::ArbiterParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& allocator_unit() {
  static const UnitKind kind = unit_kind<hw::AllocatorParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& switch_unit() {
  static const UnitKind kind = unit_kind<hw::SwitchParams>(elaborated, cosim, no_cache);
  return kind;
}

const UnitKind& crossbar_unit() {
  static const UnitKind kind = unit_kind<hw::CrossbarParams>(elaborated, cosim, no_cache);
  return kind;
}

}  // namespace gen
