#include "hw/topology/protection.h"

#include <fmt/format.h>

#include <utility>

#include "hw/require.h"

namespace hw {

void refuse_protected_lines(const EccParams& ecc, const std::string& reason, const std::string& remedy) {
  for (const auto& [key, protection] : {std::pair{"ecc.data", ecc.data}, {"ecc.tags", ecc.tags}})
    require(protection == Protection::none, key, protection == Protection::parity ? "parity" : "secded",
            reason, fmt::format("{}, or {} = \"none\"", remedy, key));
}

}  // namespace hw
