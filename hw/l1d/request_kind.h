// Kinds of requests as named constants of a module.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>

#include "hw/l1d/stream_params.h"
#include "hw/rtl/module.h"

namespace hw {

// `KIND_STORE` and the like, as wide as `kind`.
inline rtl::Expr kind_constant(rtl::Module& m, int width, RequestKind which) {
  const auto number = static_cast<std::size_t>(which);
  std::string name = "KIND_" + std::string(kind_names[number]);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::toupper(c)); });
  return m.constant(name, width, number);
}

inline rtl::Expr is_kind(rtl::Module& m, const rtl::Expr& kind, RequestKind which) {
  return kind == kind_constant(m, kind.width(), which);
}

}  // namespace hw
