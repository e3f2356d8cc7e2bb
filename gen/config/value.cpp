#include "gen/config/value.h"

namespace gen {

nlohmann::ordered_json to_json(const Value& value) {
  return std::visit([](const auto& v) { return nlohmann::ordered_json(v); }, value);
}

}  // namespace gen
