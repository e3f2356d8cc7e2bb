#include "gen/units/noc.h"

#include <fmt/format.h>

#include "hw/noc/allocator_islip.h"
#include "hw/noc/arbiter_round_robin.h"
#include "hw/noc/switch.h"

namespace gen {
namespace {

const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

// The main of a program around a bench of verif/cosim.
std::string bench_main(const std::string& header, const std::string& bench, const std::string& params_type,
                       const std::string& params, std::int64_t default_cycles, const std::string& probes,
                       const std::string& ports = "") {
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/cosim/{}\"\n\nnamespace {{\nconstexpr hw::{} params{};\n{}"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  return verif::conclude(o, verif::CycleCosim<Vdut, verif::{}<Vdut, params{}>>(o, {}, "
      "add_probes).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      header, params_type, params, ports, probes, bench, ports.empty() ? "" : ", Ports", default_cycles);
}

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

}  // namespace

Unit elaborate(const hw::ArbiterParams& p, const std::string& top) {
  return {.top = hw::arbiter_round_robin(p, top),
          .facts = {{"fairness", fmt::format("an input that asks is passed over by at most {} used grants",
                                             p.inputs - 1)}}};
}

std::string replay_refusal(const hw::ArbiterParams&) { return no_cache; }

std::string cosim_main(const hw::ArbiterParams& p, const std::string& probes) {
  return bench_main("arbiter_cosim.h", "ArbiterBench", "ArbiterParams", cpp_params(p), 1'000'000, probes);
}

std::vector<AreaRequest> plain_forms(const hw::ArbiterParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::ArbiterParams& p) { return fmt::format("{{.inputs = {}}}", p.inputs); }

Unit elaborate(const hw::AllocatorParams& p, const std::string& top) {
  const std::string bound =
      fmt::format("requests that stand are each granted within {} cycles", p.inputs * p.outputs);
  return {.top = hw::allocator_islip(p, top), .facts = {{"fairness", bound}}};
}

std::string replay_refusal(const hw::AllocatorParams&) { return no_cache; }

std::string cosim_main(const hw::AllocatorParams& p, const std::string& probes) {
  return bench_main("allocator_cosim.h", "AllocatorBench", "AllocatorParams", cpp_params(p), 200'000, probes);
}

std::vector<AreaRequest> plain_forms(const hw::AllocatorParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::AllocatorParams& p) {
  return fmt::format("{{.inputs = {}, .outputs = {}, .iterations = {}}}", p.inputs, p.outputs, p.iterations);
}

Unit elaborate(const hw::SwitchParams& p, const std::string& top) {
  return {.top = hw::word_switch(p, top),
          .latency = p.buffers ? 1 : 0,
          .facts = {{"fairness",
                     fmt::format("a word in front is passed over by at most {} others", p.inputs - 1)}}};
}

std::string replay_refusal(const hw::SwitchParams&) { return no_cache; }

std::string cosim_main(const hw::SwitchParams& p, const std::string& probes) {
  return bench_main("switch_cosim.h", "SwitchBench", "SwitchParams", cpp_params(p), 200'000, probes,
                    switch_ports(p));
}

std::vector<AreaRequest> plain_forms(const hw::SwitchParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::SwitchParams& p) {
  return fmt::format("{{.inputs = {}, .outputs = {}, .flit_bytes = {}, .buffers = {}}}", p.inputs, p.outputs,
                     p.flit_bytes, p.buffers);
}

}  // namespace gen
