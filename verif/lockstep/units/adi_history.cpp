#include "verif/lockstep/units/adi_history.h"

#include <fmt/format.h>

namespace verif {

std::vector<std::string> lines_of(std::span<const golden::AdiChange> history) {
  constexpr std::size_t most = 32;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history.size() > most && i == most / 2) {
      lines.push_back(fmt::format("  ... {} more, all of them with --json", history.size() - most));
      i = history.size() - most / 2;
    }
    std::string bits;
    for (const int bit : history[i].sel) bits += fmt::format(" {}", bit);
    lines.push_back(fmt::format("  sel from load {:>8}:{}", history[i].loads, bits));
  }
  return lines;
}

}  // namespace verif
