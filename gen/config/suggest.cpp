#include "gen/config/suggest.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace gen {
namespace {

struct Split {
  std::string_view table, last;
};

Split split(std::string_view key) {
  const auto dot = key.rfind('.');
  if (dot == std::string_view::npos) return {"", key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

// How many slips in a word of this length still leave its meaning clear.
int tolerance(std::string_view word) { return std::max(2, static_cast<int>(word.size()) / 3); }

template <class Score>
std::string best(const std::vector<std::string>& known, int limit, Score score) {
  std::string found;
  for (const std::string& candidate : known) {
    const int distance = score(candidate);
    if (distance > limit || (distance == limit && !found.empty())) continue;
    found = candidate;
    limit = distance;
  }
  return found;
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int change = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  if (word.size() > 100) return "";
  const int limit = std::min(tolerance(word), static_cast<int>(word.size()) - 1);
  return best(known, limit, [&](std::string_view candidate) {
    if (word.size() >= 3 && candidate.ends_with(word)) return 1;
    return edit_distance(word, candidate);
  });
}

std::string nearest_key(std::string_view key, const std::vector<std::string>& known) {
  if (key.size() > 100) return "";
  const Split mine = split(key);
  const bool known_table =
      std::ranges::any_of(known, [&](const auto& k) { return split(k).table == mine.table; });
  return best(known, tolerance(mine.last), [&](std::string_view candidate) {
    const Split other = split(candidate);
    const int last = edit_distance(mine.last, other.last);
    const int whole = last + edit_distance(mine.table, other.table);
    return known_table ? std::min(whole, last + 1) : whole;
  });
}

}  // namespace gen
