#include "gen/units/index/index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "gen/area/references.h"
#include "hw/index/index_unit.h"

namespace gen {
namespace {

Unit elaborated(const hw::IndexParams& p, const std::string& top) {
  const hw::IndexUnit unit = hw::index_unit(p, top);
  const hw::IndexFacts& f = unit.facts;
  nlohmann::ordered_json facts{{"tag", f.tag_reason}};
  if (f.prime) {
    facts["prime"] = f.prime;
    facts["unused_sets"] = f.unused_sets;
    facts["fragmentation_percent"] = 100.0 * f.unused_sets / p.sets;
  } else {
    facts["xor2_count"] = f.xor_count;
    facts["xor2_count_unfactored"] = f.unfactored_xor_count;
    facts["xor2_depth"] = f.xor_depth;
    for (const auto& taps : f.taps)
      facts["index_bits"].push_back(fmt::format("A{}", fmt::join(taps, " ^ A")));
  }
  return {.top = unit.module, .latency = p.latency, .tag_bits = f.tag_bits, .facts = facts};
}

CosimMain cosim(const hw::IndexParams& p) {
  return {.header = "units/index_cosim.h",
          .params_type = "IndexParams",
          .params = cpp_params("IndexParams", p),
          .report = "verif::IndexCosim<Vdut, params>(o, add_probes).run()"};
}

std::vector<AreaRequest> plain_forms(const hw::IndexParams& p, const std::string& top, std::uint32_t order) {
  const hw::IndexFacts facts = hw::index_unit(p, top).facts;
  const bool modulo = facts.prime != 0;
  const ReferenceShape shape{.name = top + (modulo ? "_modulo" : "_unfactored"),
                             .block_address_bits = hw::block_address_bits(p),
                             .index_bits = hw::index_bits(p),
                             .tag_bits = facts.tag_bits,
                             .latency = p.latency};
  std::vector<std::uint64_t> rows;
  for (const auto& taps : facts.taps) {
    rows.push_back(0);
    for (const int tap : taps) rows.back() |= std::uint64_t{1} << (tap - hw::offset_bits(p));
  }
  const std::string text = modulo ? modulo_reference(shape, static_cast<std::uint32_t>(facts.prime), order)
                                  : unfactored_reference(shape, rows, order);
  AreaRequest request{.name = modulo ? fmt::format("block address % {}", facts.prime) : "unfactored XOR",
                      .top = shape.name,
                      .sources = {{shape.name + ".v", text}}};
  if (p.latency) request.clocks.push_back("clk");
  return {request};
}

}  // namespace

const UnitKind& index_unit_kind() {
  static const UnitKind kind = unit_kind<hw::IndexParams>(
      elaborated, cosim, "is an index unit: recorded cache traffic needs a cache; use --trace or --random",
      plain_forms);
  return kind;
}

}  // namespace gen
