#include "gen/unit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hw/index/index_unit.h"

namespace gen {
namespace {

Unit elaborate_index(const hw::IndexParams& p, const std::string& top) {
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
    for (const auto& taps : f.taps) facts["index_bits"].push_back(fmt::format("A{}", fmt::join(taps, " ^ A")));
  }
  return {.top = unit.module, .latency = p.latency, .tag_bits = f.tag_bits, .facts = facts};
}

}  // namespace

Unit elaborate(const Config& config) {
  return with_places(config, [&] { return elaborate_index(config.get<hw::IndexParams>(), config.top); });
}

}  // namespace gen
