// Builds a crossbar's Verilog around cosim/noc/vc_load.h and runs it under given loads.
#pragma once
#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gen/cosim/program.h"
#include "gen/print_verilog.h"
#include "gen/process.h"
#include "gen/unit/cosim_main.h"
#include "gen/units/noc/vc_crossbar_unit.h"
#include "hw/noc/vc_crossbar.h"

namespace verif {

struct LoadCase {
  std::string name;  // one word
  bool by_destination = true, queue_per_vc = false;
  double rate = 1;
};

struct LoadFigure {
  double throughput = 0, latency = 0;
};

// By the names of the cases.
inline std::map<std::string, LoadFigure> measure(const hw::CrossbarParams& p,
                                                 const std::vector<LoadCase>& cases) {
  const std::string top =
      fmt::format("load_i{}_o{}_v{}_d{}_t{}", p.inputs, p.outputs, p.vcs, p.vc_depth, p.iterations);
  gen::ProgramSource source{.name = top, .top = top, .large = true};
  for (const rtl::Module& m : rtl::modules_of(hw::vc_crossbar(p, top)))
    source.verilog[m.name() + ".v"] = gen::verilog(m);
  std::string runs;
  for (const LoadCase& c : cases)
    runs += fmt::format("  verif::print_load<Vdut, params, Ports>(\"{}\", {{{}, {}, {}}});\n", c.name,
                        c.by_destination, c.queue_per_vc, c.rate);
  source.main = fmt::format(
      "#include \"Vdut.h\"\n#include \"cosim/noc/vc_load.h\"\n\nnamespace {{\nconstexpr "
      "hw::CrossbarParams "
      "params = {};\n{}}}  // namespace\n\nint main() {{\n{}}}\n",
      gen::cpp_params("CrossbarParams", p), gen::crossbar_ports(p), runs);
  const gen::Finished done = gen::run({.argv = {gen::build_program(source).string()}});
  if (!done.ok()) throw std::runtime_error(done.output);
  std::map<std::string, LoadFigure> figures;
  std::istringstream lines(done.output);
  std::string name;
  for (LoadFigure f; lines >> name >> f.throughput >> f.latency;) figures[name] = f;
  return figures;
}

}  // namespace verif
