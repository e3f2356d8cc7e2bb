#include "cosim/harness/state_compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "cosim/harness/port_field.h"

namespace verif {
namespace {

using golden::StateIndex, golden::StateList, golden::StateRows, golden::StateValue, golden::StateWord;

std::string shape(int width, const std::vector<StateIndex>& indices) {
  std::string text = fmt::format("{} bit{}", width, width == 1 ? "" : "s");
  for (const StateIndex& i : indices) text += fmt::format(" x {} {}", i.count, i.name);
  return text;
}

// What the two sides do not agree in, a line each.
std::vector<std::string> disagreements(const SeenState& seen, const std::vector<StateValue>& published) {
  std::vector<std::string> all;
  for (const StateValue& v : published) {
    const auto s = std::ranges::find(seen.values(), v.name, &SeenValue::name);
    if (s == seen.values().end())
      all.push_back(fmt::format("the model publishes '{}', which the Verilog does not show", v.name));
    else if (s->width != v.width || s->indices != v.indices)
      all.push_back(fmt::format("'{}' is {} in the Verilog, and {} in the model", v.name,
                                shape(s->width, s->indices), shape(v.width, v.indices)));
    if (std::ranges::count(published, v.name, &StateValue::name) > 1)
      all.push_back(fmt::format("the model publishes '{}' more than once", v.name));
  }
  for (const SeenValue& s : seen.values()) {
    if (!std::ranges::count(published, s.name, &StateValue::name))
      all.push_back(fmt::format("the Verilog shows '{}', which the model does not publish", s.name));
    if (std::ranges::count(seen.values(), s.name, &SeenValue::name) > 1)
      all.push_back(fmt::format("the Verilog shows '{}' more than once", s.name));
  }
  return all;
}

unsigned bits_of_row(const StateValue& v) {
  auto bits = static_cast<unsigned>(v.width);
  for (std::size_t i = v.row.empty() ? 0 : 1; i < v.indices.size(); ++i) bits *= v.indices[i].count;
  return bits;
}

}  // namespace

StateCompare::StateCompare(const SeenState& seen, const StateList& published) : values_(published.values()) {
  if (!seen.complete())
    std::erase_if(values_, [&](const StateValue& v) {
      return !std::ranges::count(seen.values(), v.name, &SeenValue::name);
    });
  if (const auto wrong = disagreements(seen, values_); !wrong.empty())
    throw std::runtime_error(fmt::format("the state cannot be compared: {}", fmt::join(wrong, "; ")));
  std::size_t words = 0;
  for (const StateValue& v : values_) {
    words = std::max<std::size_t>(words, v.words);
    const auto s = std::ranges::find(seen.values(), v.name, &SeenValue::name);
    Group& group = group_of(v.row, seen, published);
    group.checks.push_back({&v, s->bytes, group.look_at ? 0 : bits_of_row(v)});
  }
  words_.resize(words);
  choose_rows();
}

StateCompare::Group& StateCompare::group_of(const std::string& row, const SeenState& seen,
                                            const StateList& published) {
  for (Group& g : groups_)
    if (g.rows.index.name == row) return g;
  Group& group = groups_.emplace_back();
  for (const StateRows& rows : published.all_rows())
    if (rows.index.name == row) group.rows = rows;
  for (const SeenRows& rows : seen.rows())
    if (rows.index.name == row) group.look_at = rows.look_at;
  return group;
}

void StateCompare::choose_rows() {
  for (Group& g : groups_) {
    if (g.rows.index.name.empty()) continue;
    const unsigned count = g.rows.index.count;
    const std::optional<unsigned> touched = g.rows.touched();
    g.chosen.clear();
    if (touched) g.chosen.push_back(*touched);
    const unsigned sweeps = !g.look_at ? (count > 64 ? 2 : 1) : touched ? 0 : 1;
    for (unsigned i = 0; i < sweeps; ++i) {
      g.swept = g.swept + 1 < count ? g.swept + 1 : 0;
      g.chosen.push_back(g.swept);
    }
    if (g.look_at) g.look_at(g.chosen[0]);
    if (g.rows.counts) std::erase_if(g.chosen, [&](unsigned row) { return !g.rows.counts(row); });
  }
}

bool StateCompare::same() {
  for (const Group& g : groups_)
    for (const unsigned row : g.chosen)
      for (const Check& c : g.checks)
        if (!same(c, row)) return false;
  return true;
}

bool StateCompare::same(const Check& check, unsigned row) {
  const StateValue& v = *check.value;
  v.read(row, words_.data());
  unsigned low = row * check.row_bits;
  const unsigned bits = static_cast<unsigned>(v.word_bits);
  for (unsigned n = 0; n < v.words; ++n, low += bits) {
    const std::uint64_t dut = field(check.bytes, low, v.word_bits);
    if (const std::uint64_t differs = (dut ^ words_[n].value) & words_[n].counts)
      return differ(check, row, n * bits + static_cast<unsigned>(std::countr_zero(differs)), dut,
                    words_[n].value);
  }
  return true;
}

bool StateCompare::differ(const Check& check, unsigned row, unsigned bit, std::uint64_t dut,
                          std::uint64_t golden) {
  const StateValue& v = *check.value;
  found_ = {.port = v.name, .dut = dut, .golden = golden};
  unsigned part = bit / static_cast<unsigned>(v.width);
  const std::size_t rows = v.row.empty() ? 0 : 1;
  for (std::size_t i = v.indices.size(); i-- > rows; part /= v.indices[i].count)
    found_.port += fmt::format(" of {} {}", v.indices[i].name, part % v.indices[i].count);
  if (rows) found_.port += fmt::format(" {} {} {}", v.indices.size() > 1 ? "in" : "of", v.row, row);
  if (v.word_bits != v.width) {  // many parts to a word: the one that differs
    found_.dut = dut >> bit % 64 & 1;
    found_.golden = golden >> bit % 64 & 1;
  }
  return false;
}

}  // namespace verif
