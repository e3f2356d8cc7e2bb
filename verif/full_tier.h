// Whether the full tests run: `./forge test --full`.
#pragma once
#include <cstdlib>
#include <vector>

namespace verif {

// Why a test skips in the fast tier; any other reason to skip is a tool that is missing (test_main.cpp).
inline constexpr const char* in_full_tier = "in the full tier";

inline bool full_tier() { return std::getenv("FORGE_FULL") != nullptr; }

// All of them in the full tests, the first ones in the others.
template <class T>
std::vector<T> first_of(std::size_t few, std::vector<T> all) {
  if (!full_tier()) all.resize(few);
  return all;
}

}  // namespace verif
