// What lines were, store by store: for caches whose loads may see a line from before a store of another warp
// (tags.store_on_pending = "merge"). Knows requests and the memory side alone.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <set>
#include <unordered_map>
#include <vector>

#include "golden/cache/l1d_types.h"
#include "hw/l1d/l1d_params.h"

namespace verif {

class LineHistory {
 public:
  // A state of a line: after so many writes.
  struct State {
    std::uint64_t number = 0;
    golden::LineData bytes;
  };

  // A write is accepted: of a warp; or of all, which binds each of them.
  void write(std::uint64_t address, const golden::LineData& before, const golden::LineData& after) {
    Line& line = lines_[address];
    if (line.states.empty()) line.states.push_back({0, before});
    line.states.push_back({line.states.back().number + 1, after});
  }
  void bind(std::uint64_t address, std::uint32_t warp) {
    Line& line = lines_[address];
    line.bound[warp] = line.now();
  }
  void bind_all(std::uint64_t address) {
    Line& line = lines_[address];
    line.bound.fill(line.now());
  }

  // On the memory side: a write, or a fetch, which has what the writes before it left; and its answer.
  void sent(std::uint64_t address) { ++lines_[address].sent; }
  void fetched(std::uint64_t id, std::uint64_t address) {
    Line& line = lines_[address];
    line.fetched.insert(line.sent);
    line.on_their_way.insert(line.sent);
    fetches_[id] = {address, line.sent};
  }
  void filled(std::uint64_t id) {
    const auto fetch = fetches_.find(id);
    if (fetch == fetches_.end()) return;
    auto& numbers = lines_[fetch->second.address].on_their_way;
    numbers.erase(numbers.find(fetch->second.number));
    fetches_.erase(fetch);
  }

  // States before the present one that a load of this warp may see if it is accepted now.
  std::vector<State> older(std::uint64_t address, std::uint32_t warp) {
    Line& line = lines_[address];
    if (line.states.empty()) return {};
    const std::uint64_t oldest =
        line.on_their_way.empty() ? line.sent : std::min(line.sent, *line.on_their_way.begin());
    while (line.states.front().number < oldest) line.states.pop_front();
    std::vector<State> states;
    for (const State& state : line.states)
      if (state.number >= line.bound[warp] && state.number < line.now()) states.push_back(state);
    return states;
  }
  std::uint64_t now(std::uint64_t address) { return lines_[address].now(); }
  // Some fetch has had that state.
  bool was_fetched(std::uint64_t address, std::uint64_t number) {
    return lines_[address].fetched.contains(number);
  }
  // A load of the warp was answered with that state: its later loads see nothing older.
  void seen(std::uint64_t address, std::uint32_t warp, std::uint64_t number) {
    std::uint64_t& bound = lines_[address].bound[warp];
    bound = std::max(bound, number);
  }

  void clear() {
    lines_.clear();
    fetches_.clear();
  }

 private:
  struct Line {
    std::deque<State> states;  // the last is the present one; empty before the first write
    std::uint64_t sent = 0;    // writes
    std::set<std::uint64_t> fetched;
    std::multiset<std::uint64_t> on_their_way;
    std::array<std::uint64_t, 1 << hw::most_warp_bits> bound{};  // oldest state that each warp may see

    std::uint64_t now() const { return states.empty() ? 0 : states.back().number; }
  };
  struct Fetch {
    std::uint64_t address, number;
  };

  std::unordered_map<std::uint64_t, Line> lines_;
  std::unordered_map<std::uint64_t, Fetch> fetches_;
};

}  // namespace verif
