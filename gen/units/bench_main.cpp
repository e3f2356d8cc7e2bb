#include "gen/units/bench_main.h"

#include <fmt/format.h>

namespace gen {

std::string bench_main(const std::string& header, const std::string& bench, const std::string& params_type,
                       const std::string& params, std::int64_t default_cycles, const std::string& probes,
                       const std::string& ports) {
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/lockstep/{}\"\n\nnamespace {{\nconstexpr hw::{} params{};\n{}"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  return verif::conclude(o, verif::CycleCosim<Vdut, verif::{}<Vdut, params{}>>(o, {}, "
      "add_probes).run());\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      header, params_type, params, ports, probes, bench, ports.empty() ? "" : ", Ports", default_cycles);
}

}  // namespace gen
