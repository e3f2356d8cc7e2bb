// The generator's version, which manifests and FuseSoC cores carry: a number, so that the same version writes
// the same files.
#pragma once
#include <string_view>

namespace gen {

inline constexpr std::string_view version = "0.1.0";

}  // namespace gen
