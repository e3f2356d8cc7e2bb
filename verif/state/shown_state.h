// What a unit shows of its state, as a lock step sees it without any Verilog: names, widths and parts from
// its declarations, and values that a test writes.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "cosim/harness/seen_state.h"
#include "gen/config/config.h"
#include "gen/cosim/probe.h"
#include "gen/unit/unit.h"
#include "golden/state.h"

namespace verif {

class ShownState {
 public:
  explicit ShownState(const std::vector<gen::ShownValue>& shown) {
    for (const gen::ShownValue& v : shown) {
      std::vector<golden::StateIndex> indices;
      if (v.look) indices.push_back({v.look->name, static_cast<unsigned>(v.look->count)});
      for (const rtl::Index& part : v.parts)
        indices.push_back({part.name, static_cast<unsigned>(part.count)});
      seen.shows(v.name, v.width, indices, bits_.emplace_back());
      if (v.look && !std::ranges::count(seen.rows(), v.look->name,
                                        [](const SeenRows& rows) { return rows.index.name; }))
        seen.looks_at(v.look->name, static_cast<unsigned>(v.look->count), row_);
    }
  }

  // The values of a model, in the rows that are looked at and in all others.
  void copy(const golden::StateList& from) {
    for (std::size_t n = 0; n < bits_.size(); ++n) {
      const auto v = std::ranges::find(from.values(), seen.values()[n].name, &golden::StateValue::name);
      const bool looks =
          std::ranges::any_of(seen.rows(), [&](const SeenRows& rows) { return rows.index.name == v->row; });
      const unsigned rows = v->row.empty() || looks ? 1 : v->indices.front().count;
      std::vector<golden::StateWord> words(v->words);
      auto row_bits = static_cast<unsigned>(v->width);
      for (std::size_t i = v->row.empty() ? 0 : 1; i < v->indices.size(); ++i)
        row_bits *= v->indices[i].count;
      for (unsigned row = 0; row < rows; ++row) {
        v->read(looks ? row_ : row, words.data());
        for (unsigned b = 0; b < row_bits; ++b) {
          const unsigned w = b / static_cast<unsigned>(v->word_bits);
          put(n, row * row_bits + b, words[w].value >> (b % static_cast<unsigned>(v->word_bits)) & 1);
        }
      }
    }
  }

  // One bit of a value becomes another.
  void flip(std::size_t value, unsigned bit) {
    bits_[value][bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
  }
  unsigned row() const { return row_; }

  SeenState seen;

 private:
  using Bits = std::array<std::uint8_t, 2048>;

  void put(std::size_t value, unsigned bit, bool to) {
    if (((bits_[value][bit / 8] >> bit % 8 & 1) != 0) != to) flip(value, bit);
  }

  std::deque<Bits> bits_;
  unsigned row_ = 0;
};

}  // namespace verif
