#include "gen/units/axi4.h"

#include <fmt/format.h>

#include "hw/axi4/axi4_bridge.h"

namespace gen {
namespace {

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

Unit elaborate(const hw::Axi4BridgeParams& p, const std::string& top) {
  return {.top = hw::axi4_bridge(p, top),
          .latency = 1,
          .facts = {{"axi_data_bits", 8 * hw::beat_bytes(p)},
                    {"axi_id_bits", hw::axi_id_bits(p)},
                    {"order", "requests of one line take effect in the order in which they were accepted"}}};
}

std::string replay_refusal(const hw::Axi4BridgeParams&) {
  return "stands below a cache: recorded traffic enters above one; use --random";
}

std::string cosim_main(const hw::Axi4BridgeParams& p, const std::string& probes) {
  return bench_main("axi4_cosim.h", "Axi4Bench", "Axi4BridgeParams", cpp_params(p), 300'000, probes);
}

std::string axi4_l1d_main(const std::string& params, const std::string& probes) {
  return bench_main("axi4_l1d_cosim.h", "Axi4L1dBench", "L1dParams", params, 300'000, probes);
}

std::vector<AreaRequest> plain_forms(const hw::Axi4BridgeParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::Axi4BridgeParams& p) {
  return fmt::format(
      "{{.address_bits = {}, .line_bytes = {}, .chunk_bytes = {}, .id_bits = {}, .requests = {}}}",
      p.address_bits, p.line_bytes, p.chunk_bytes, p.id_bits, p.requests);
}

}  // namespace gen
