#include "gen/unit.h"

#include "gen/units/units.h"

namespace gen {

Unit elaborate(const Config& config) {
  return with_places(config, [&] {
    return std::visit([&](const auto& p) { return elaborate(p, config.top); }, config.params);
  });
}

}  // namespace gen
