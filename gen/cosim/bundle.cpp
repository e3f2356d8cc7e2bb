#include "gen/cosim/bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gen/unit/cosim_main.h"
#include "hw/index/index_unit.h"

namespace gen {

ProgramSource index_bundle(const std::string& name, const std::vector<BundleUnit>& units, int address_bits) {
  ProgramSource source{.name = name, .top = name};
  const int width = address_bits - 5;
  std::vector<std::string> ports{"input wire clk", fmt::format("input wire [{}:0] block_address", width - 1)};
  std::string instances, members;
  for (const BundleUnit& u : units) {
    const int block = hw::block_address_bits(u.params), set = hw::index_bits(u.params);
    const int tag = hw::index_unit(u.params, u.name).facts.tag_bits;
    source.verilog[u.name + ".v"] = u.verilog;
    ports.push_back(fmt::format("output wire [{}:0] {}_set_index", set - 1, u.name));
    ports.push_back(fmt::format("output wire [{}:0] {}_tag", tag - 1, u.name));
    instances += fmt::format(
        "  {0} {0}_unit ({1}.block_address(block_address[{2}:0]), .set_index({0}_set_index), "
        ".tag({0}_tag));\n",
        u.name, u.params.latency ? ".clk(clk), " : "", block - 1);
    members += fmt::format(
        "  members.push_back(std::make_unique<verif::BundledUnit<Vdut, {0}>>(\"{1}\", "
        "[](const Vdut& d) {{\n"
        "    return verif::BundleOut{{d.{1}_set_index, d.{1}_tag}};\n  }}));\n",
        cpp_params("IndexParams", u.params), u.name);
  }
  source.verilog[name + ".v"] = fmt::format(
      "module {} (\n  {}\n);\n\n{}  wire unused_inputs = &{{1'b0, clk, block_address}};\n\nendmodule\n", name,
      fmt::join(ports, ",\n  "), instances);
  source.main = fmt::format(
      "#include \"Vdut.h\"\n#include \"cosim/units/index_bundle.h\"\n\nnamespace {{\nint run(const "
      "verif::CosimOptions& o) {{\n"
      "  std::vector<std::unique_ptr<verif::BundleMember<Vdut>>> members;\n{}"
      "  return verif::conclude(o, verif::run_bundle(o, members, {}));\n}}\n}}  // namespace\n\n"
      "int main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      members, address_bits);
  return source;
}

}  // namespace gen
