// Whether the full tests run: `./forge test --full`.
#pragma once
#include <cstdlib>

namespace verif {

inline bool full_tier() { return std::getenv("FORGE_FULL") != nullptr; }

}  // namespace verif
