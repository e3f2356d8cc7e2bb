#include "hw/rtl/error.h"

#include <fmt/format.h>

#include <array>

namespace rtl {

std::string_view text(Fault fault) {
  static constexpr std::array<std::string_view, 9> words{"name", "width", "range",  "driver", "latch",
                                                         "loop", "scope", "unused", "clock"};
  return words[static_cast<std::size_t>(fault)];
}

std::string short_path(const Loc& loc) {
  const std::string path = std::string("/") + loc.file_name();
  for (const char* top : {"/hw/", "/gen/", "/verif/"})
    if (const auto at = path.rfind(top); at != std::string::npos) return path.substr(at + 1);
  return loc.file_name();
}

ElabError::ElabError(Fault fault, const Loc& loc, std::string_view module, std::string_view what)
    : std::runtime_error(
          fmt::format("{}:{}: [{}] module '{}': {}", short_path(loc), loc.line(), text(fault), module, what)),
      fault(fault) {}

}  // namespace rtl
