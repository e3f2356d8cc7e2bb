#include "gen/unit/cosim_main.h"

namespace gen {

std::string main_text(const CosimMain& main, const std::string& probes, const std::string& state) {
  const bool reaches_inside = main.compares_state || !main.upsets.empty();
  const std::string add_state = reaches_inside
                                    ? fmt::format(
                                          "void add_state([[maybe_unused]] Vdut& dut, [[maybe_unused]] "
                                          "verif::SeenState& state) {{\n{}}}\n",
                                          state)
                                    : "";
  std::string models;
  for (const auto& [name, module] : main.beside) models += fmt::format("#include \"{}.h\"\n", name);
  return fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"Vdut.h\"\n{}#include \"cosim/{}\"\n\n"
      "namespace {{\nconstexpr hw::{} params =\n    {};\n{}"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n{}"
      "int run(const verif::CosimOptions& o) {{\n  return verif::conclude(o, {});\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      models, main.header, main.params_type, main.params, main.declarations, probes, add_state, main.report);
}

}  // namespace gen
