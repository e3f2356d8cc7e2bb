// Names of ports as template arguments: what a port means is looked up as the program is compiled.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace verif {

template <std::size_t n>
struct PortName {
  char text[n] = {};

  consteval PortName(const char (&name)[n]) { std::copy_n(name, n, text); }  // NOLINT: a text is a name
  constexpr std::string_view view() const { return {text, n - 1}; }
};

}  // namespace verif
