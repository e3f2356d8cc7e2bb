#include "gen/units/dueling/filter_dueling.h"

#include <fmt/format.h>

#include "hw/dueling/filter_dueling.h"

namespace gen {

Unit elaborate(const hw::FilterDuelingParams& p, const std::string& top) {
  const hw::FilterDueling unit = hw::filter_dueling(p, top);
  const hw::FilterDuelingFacts& f = unit.facts;
  return {.top = unit.module,
          .latency = 32,  // from the last cycle of an interval to its decision
          .facts = {{"storage_in_flops",
                     {{"counter_bits", f.counter_bits},
                      {"decision_bits", f.decision_bits},
                      {"control_bits", f.control_bits},
                      {"all_bits", f.counter_bits + f.decision_bits + f.control_bits}}}}};
}

std::string replay_refusal(const hw::FilterDuelingParams&) {
  return "is a monitor: recorded cache traffic needs a cache; use --trace or --random";
}

std::string cosim_main(const hw::FilterDuelingParams& p, const std::string& probes) {
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/lockstep/units/filter_dueling_cosim.h\"\n\nnamespace "
      "{{\nconstexpr "
      "hw::FilterDuelingParams params{};\n"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{ return verif::conclude(o, verif::FilterDuelingCosim<Vdut, "
      "params>(o, add_probes).run()); }}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params(p), probes);
}

std::vector<AreaRequest> plain_forms(const hw::FilterDuelingParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::FilterDuelingParams& p) {
  return fmt::format("{{.address_bits = {}, .line_bytes = {}, .interval = {}, .margin_percent = {}}}",
                     p.address_bits, p.line_bytes, p.interval, p.margin_percent);
}

}  // namespace gen
