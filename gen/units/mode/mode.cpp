#include "gen/units/mode/mode.h"

#include <fmt/format.h>

#include "gen/units/l1d/l1d.h"
#include "gen/units/l1d/l1d_accounts.h"
#include "hw/mode/mode_selector.h"

namespace gen {

Unit elaborate(const hw::ModeSelectorParams& p, const std::string& top) {
  const hw::Samplers samplers = hw::samplers_of(p);
  const rtl::Module unit = hw::mode_selector(p, top);
  nlohmann::ordered_json facts{
      {"fine_sets", std::vector<int>(samplers.fine.begin(), samplers.fine.end())},
      {"coarse_sets", std::vector<int>(samplers.coarse.begin(), samplers.coarse.end())},
      {"cycles_to_the_new_mode", hw::mode_delay}};
  return {.top = unit, .latency = hw::mode_delay, .accounts = {selector_account()}, .facts = facts};
}

std::string replay_refusal(const hw::ModeSelectorParams&) {
  return "is a monitor: recorded cache traffic needs a cache; use --random";
}

std::string cosim_main(const hw::ModeSelectorParams& p, const std::string& probes) {
  return fmt::format(
      "#include \"Vdut.h\"\n#include \"verif/lockstep/units/mode_selector_cosim.h\"\n\nnamespace "
      "{{\nconstexpr "
      "hw::ModeSelectorParams params{};\n"
      "void add_probes([[maybe_unused]] Vdut& dut, [[maybe_unused]] verif::Waves& waves) {{\n{}}}\n"
      "int run(const verif::CosimOptions& o) {{ return verif::conclude(o, verif::ModeSelectorCosim<Vdut, "
      "params>(o, add_probes).run()); }}\n"
      "}}  // namespace\n\nint main(int argc, char** argv) {{ return verif::guarded(argc, argv, run); }}\n",
      cpp_params(p), probes);
}

std::vector<AreaRequest> plain_forms(const hw::ModeSelectorParams&, const std::string&, std::uint32_t) {
  return {};
}

std::string cpp_params(const hw::ModeSelectorParams& p) {
  return fmt::format(
      "{{.address_bits = {}, .line_bytes = {}, .chunk_bytes = {}, .sets = {}, .fine_sets = {}, .coarse_sets "
      "= {}, "
      ".threshold = {}}}",
      p.address_bits, p.line_bytes, p.chunk_bytes, p.sets, cpp_sets(p.fine_sets), cpp_sets(p.coarse_sets),
      p.threshold);
}

}  // namespace gen
