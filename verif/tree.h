// Files of the repository and of its build. Tests name no folder of theirs when they are compiled, so that the compiler
// cache serves every clone.
#pragma once
#include <string>

#include "gen/paths.h"

namespace verif {

inline std::string in_source(const std::string& name = {}) {
  return name.empty() ? gen::paths::source().string() : (gen::paths::source() / name).string();
}
inline std::string in_build(const std::string& name = {}) {
  return name.empty() ? gen::paths::build().string() : (gen::paths::build() / name).string();
}

}  // namespace verif
