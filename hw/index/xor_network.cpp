#include "hw/index/xor_network.h"

#include <algorithm>
#include <bit>
#include <map>

namespace hw {
namespace {

using Row = std::vector<int>;  // ascending term numbers

struct Factoring {
  XorNetwork net;
  std::vector<Row> rows;
  std::vector<std::uint64_t>
      slack;  // 2^depth allowed minus the sum of 2^level: what merging unequal levels may cost

  std::uint64_t weight(int term) const { return std::uint64_t{1} << net.terms[term].level; }
  // A tree of depth d holds terms as long as the sum of 2^level is at most 2^d; a merge adds this cost to the
  // sum.
  std::uint64_t cost(int a, int b) const {
    return std::max(weight(a), weight(b)) - std::min(weight(a), weight(b));
  }

  int add(int a, int b) {
    const auto &l = net.terms[a], &r = net.terms[b];
    net.terms.push_back({l.taps ^ r.taps, std::max(l.level, r.level) + 1, a, b});
    return static_cast<int>(net.terms.size()) - 1;
  }

  bool has_slack(std::size_t row, int a, int b) const { return cost(a, b) <= slack[row]; }

  void merge(std::size_t row, int a, int b, int sum) {
    slack[row] -= cost(a, b);
    std::erase_if(rows[row], [&](int t) { return t == a || t == b; });
    rows[row].push_back(sum);
  }

  // The pair that most rows can share; of those the shallowest, then the first.
  bool share_once() {
    std::map<std::pair<int, int>, int> count;
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::size_t i = 0; i < rows[r].size(); ++i)
        for (std::size_t j = i + 1; j < rows[r].size(); ++j)
          if (has_slack(r, rows[r][i], rows[r][j])) ++count[std::minmax(rows[r][i], rows[r][j])];
    const std::pair<const std::pair<int, int>, int>* best = nullptr;
    const auto level = [&](const auto& c) {
      return std::max(net.terms[c.first.first].level, net.terms[c.first.second].level);
    };
    for (const auto& c : count)
      if (c.second >= 2 &&
          (!best || c.second > best->second || (c.second == best->second && level(c) < level(*best))))
        best = &c;
    if (!best) return false;
    const auto [a, b] = best->first;
    const int sum = add(a, b);
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (std::ranges::count(rows[r], a) && std::ranges::count(rows[r], b) && has_slack(r, a, b))
        merge(r, a, b, sum);
    return true;
  }

  // What is left of a row is its own: the two shallowest terms first, as in a Huffman tree.
  int finish(std::size_t r) {
    Row& row = rows[r];
    const auto shallow = [&](int x, int y) {
      return std::pair(net.terms[x].level, x) < std::pair(net.terms[y].level, y);
    };
    while (row.size() > 1) {
      std::ranges::sort(row, shallow);
      const int a = row[0], b = row[1];
      merge(r, a, b, add(a, b));
    }
    return row[0];
  }
};

}  // namespace

int XorNetwork::gates() const {
  return static_cast<int>(std::ranges::count_if(terms, [](const XorTerm& t) { return t.left >= 0; }));
}

int XorNetwork::depth() const {
  int most = 0;
  for (const int o : outputs) most = std::max(most, terms[o].level);
  return most;
}

XorNetwork factor(const std::vector<std::uint64_t>& rows) {
  Factoring f;
  std::uint64_t all = 0;
  for (const auto row : rows) all |= row;
  std::map<int, int> input;
  for (int k = 0; k < 64; ++k)
    if (all >> k & 1) {
      input[k] = static_cast<int>(f.net.terms.size());
      f.net.terms.push_back({.taps = std::uint64_t{1} << k});
    }
  for (const auto mask : rows) {
    Row row;
    for (const auto& [k, term] : input)
      if (mask >> k & 1) row.push_back(term);
    f.slack.push_back(std::bit_ceil(row.size()) - row.size());
    f.rows.push_back(std::move(row));
  }
  while (f.share_once()) {
  }
  for (std::size_t r = 0; r < rows.size(); ++r) f.net.outputs.push_back(f.finish(r));
  for (std::size_t t = 0; t < f.net.terms.size(); ++t)
    for (const int operand : {f.net.terms[t].left, f.net.terms[t].right})
      if (operand >= 0) ++f.net.terms[operand].uses;
  for (const int o : f.net.outputs) ++f.net.terms[o].uses;
  return f.net;
}

}  // namespace hw
