#include "gen/units/noc.h"

#include <fmt/format.h>

#include "hw/noc/allocator_islip.h"
#include "hw/noc/arbiter_round_robin.h"

namespace gen {
namespace {

const char* const no_cache = "is a part of a network: recorded cache traffic needs a cache; use --random";

// The main of a program around a bench of verif/cosim.
std::string bench_main(const std::string& header, const std::string& bench, const std::string& params_type,
                       const std::string& params, std::int64_t default_cycles, const std::string& probes) {
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/cosim/{}\"\n\nnamespace {{\nconstexpr hw::{} params{};\n"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  return verif::conclude(o, verif::CycleCosim<Vdut, verif::{}<Vdut, params>>(o, {}, "
      "add_probes).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      header, params_type, params, probes, bench, default_cycles);
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

std::vector<AreaRequest> plain_forms(const hw::ArbiterParams&, const std::string&, double) { return {}; }

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

std::vector<AreaRequest> plain_forms(const hw::AllocatorParams&, const std::string&, double) { return {}; }

std::string cpp_params(const hw::AllocatorParams& p) {
  return fmt::format("{{.inputs = {}, .outputs = {}, .iterations = {}}}", p.inputs, p.outputs, p.iterations);
}

}  // namespace gen
