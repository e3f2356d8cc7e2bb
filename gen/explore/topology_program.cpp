#include "gen/explore/topology_program.h"

#include <fmt/format.h>

#include "gen/unit/cosim_main.h"

namespace gen {

std::string golden_main(const hw::TopologyParams& p) {
  return fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"cosim/noc/dc_l1_environment.h\"\n\n"
      "namespace {{\nconstexpr hw::TopologyParams params =\n    {};\n"
      "int run(const verif::CosimOptions& o) {{\n"
      "  std::vector<verif::DcL1Result> results;\n"
      "  for (const auto& trace : o.traces)\n"
      "    results.push_back(verif::golden_kernel(params, *golden::make_topology<params>(), trace, o));\n"
      "  verif::write_results(results, o);\n  return 0;\n}}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params("TopologyParams", p));
}

std::string system_main(const hw::TopologyParams& p) {
  return fmt::format(
      "#include <array>\n#include <bit>\n\n#include \"cosim/noc/topology_in_system.h\"\n\n"
      "namespace {{\nconstexpr hw::TopologyParams params =\n    {};\n}}  // namespace\n\n"
      "int main(int argc, char** argv) {{\n"
      "  return verif::topology_in_system(argc, argv, params, verif::make_topology_at<params>);\n}}\n",
      cpp_params("TopologyParams", p));
}

}  // namespace gen
