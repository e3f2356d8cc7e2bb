#include "hw/index/residue_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

namespace hw {

Powers signed_powers(std::int64_t value) {
  Powers powers;
  const bool negative = value < 0;
  std::int64_t rest = negative ? -value : value;
  for (int column = 0; rest != 0; ++column, rest >>= 1) {
    if (!(rest & 1)) continue;
    const int digit = 2 - static_cast<int>(rest & 3);
    powers.push_back({column, (digit < 0) != negative});
    rest -= digit;
  }
  return powers;
}

Powers binary_powers(std::uint64_t value) {
  Powers powers;
  for (int column = 0; column < static_cast<int>(std::bit_width(value)); ++column)
    if (value >> column & 1) powers.push_back({column, false});
  return powers;
}

Powers fewest_powers(std::int64_t residue, std::int64_t p, int columns) {
  const std::int64_t limit = std::int64_t{1} << columns;
  const auto rank = [](const Powers& a) {
    return std::tuple(a.size(), std::ranges::count_if(a, &Power::subtracted), a.back().column,
                      a.front().column);
  };
  Powers best;
  const auto offer = [&](const Powers& a) {
    if (a.back().column < columns && (best.empty() || rank(a) < rank(best))) best = a;
  };
  for (std::int64_t value = residue - (residue + limit - 1) / p * p; value < limit; value += p) {
    offer(signed_powers(value));
    if (value > 0) offer(binary_powers(static_cast<std::uint64_t>(value)));
  }
  return best;
}

std::string weights_text(const std::vector<Powers>& weights) {
  const auto follows = [&](std::size_t j) {
    return j < weights.size() &&
           std::ranges::equal(weights[j], weights[j - 1], [](const Power& a, const Power& b) {
             return a.column == b.column + 1 && a.subtracted == b.subtracted;
           });
  };
  std::string text;
  for (std::size_t first = 0, last = 0; first < weights.size(); first = ++last) {
    while (follows(last + 1)) ++last;
    text += fmt::format("{}{}", first == 0 ? "bits " : "; ", first);
    if (last != first) text += fmt::format(" to {}", last);
    text += ":";
    for (auto power = weights[first].rbegin(); power != weights[first].rend(); ++power) {
      const int moved = power->column - static_cast<int>(first);
      const bool leads = power == weights[first].rbegin();
      text += power->subtracted ? (leads ? " -" : " - ") : (leads ? " " : " + ");
      text += first == last ? fmt::format("2^{}", power->column)
              : moved == 0  ? std::string("2^j")
                            : fmt::format("2^(j{:+})", moved);
    }
  }
  return text;
}

}  // namespace hw
