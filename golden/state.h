// The state of a model under names, for the comparison with the hardware beside it: each name is one that the
// unit declares with rtl::Module::observe(), and the two are compared by name.
#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace golden {

// What the equal parts of a value stand for, as in {"way", 4}.
struct StateIndex {
  std::string name;
  unsigned count = 1;
  bool operator==(const StateIndex&) const = default;
};

// Bits as the model has them, and which of them count: those of a free entry do not.
struct StateWord {
  std::uint64_t value = 0, counts = 0;
};

// What a function of a value that does not always count returns.
using MayCount = std::optional<std::uint64_t>;

// Rows of which few are compared in a cycle: those touched last, and the others one after the other.
struct StateRows {
  StateIndex index;
  std::function<std::optional<unsigned>()> touched;  // by the edge before
  std::function<bool(unsigned)> counts = {};         // whether a row does; empty: each of them
};

// The bits of word n that count where `parts` of one bit each fill words.
inline std::uint64_t bits_of_word(unsigned parts, unsigned n) {
  return parts - 64 * n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (parts - 64 * n)) - 1;
}

// Bits that distinguish n values.
inline int state_bits(unsigned n) { return std::bit_width(n - 1); }

struct StateValue {
  std::string name;
  int width = 0;                         // bits of a part
  std::string row = {};                  // name of the rows, if it has some
  std::vector<StateIndex> indices = {};  // the rows, then the parts
  int word_bits = 0;                     // bits of the parts that a word holds
  unsigned words = 1;                    // of a row
  std::function<void(unsigned row, StateWord* words)> read = {};
};

// Where a value stands: in which rows, and which parts it has there. Both may be absent.
struct StatePlace {
  std::string row = {};
  std::vector<StateIndex> parts = {};  // the outermost first
};

// What a model publishes. Values that are 0 bits wide are none.
class StateList {
 public:
  void rows(std::string name, unsigned count, std::function<std::optional<unsigned>()> touched,
            std::function<bool(unsigned)> counts = {}) {
    rows_.push_back({{std::move(name), count}, std::move(touched), std::move(counts)});
  }

  // `of(row, part)` is an integer, or a MayCount.
  template <class Of>
  void value(const std::string& name, int width, const StatePlace& place, Of of) {
    const unsigned parts = parts_of(place);
    words(name, width, place, width, [of, parts](unsigned row, StateWord* words) {
      for (unsigned part = 0; part < parts; ++part) words[part] = word(of(row, part));
    });
  }

  // All words of a row at once, `word_bits` of the parts in each; `fill` writes every one of them.
  template <class Fill>
  void words(const std::string& name, int width, const StatePlace& place, int word_bits, Fill fill) {
    if (width == 0) return;
    StateValue value{.name = name, .width = width, .row = place.row};
    for (const StateRows& rows : rows_)
      if (rows.index.name == place.row) value.indices.push_back(rows.index);
    value.indices.insert(value.indices.end(), place.parts.begin(), place.parts.end());
    value.word_bits = word_bits;
    const unsigned bits = parts_of(place) * static_cast<unsigned>(width);
    value.words = (bits + static_cast<unsigned>(word_bits) - 1) / static_cast<unsigned>(word_bits);
    value.read = std::move(fill);
    add(std::move(value));
  }

  // Parts of one bit, 64 to a word: `of(row, n)` is StateWord n.
  template <class Of>
  void bits(const std::string& name, const StatePlace& place, Of of) {
    const unsigned number = (parts_of(place) + 63) / 64;
    words(name, 1, place, 64, [of, number](unsigned row, StateWord* words) {
      for (unsigned n = 0; n < number; ++n) words[n] = of(row, n);
    });
  }

  void add(StateValue value) { values_.push_back(std::move(value)); }

  const std::vector<StateRows>& all_rows() const { return rows_; }
  const std::vector<StateValue>& values() const { return values_; }

 private:
  static StateWord word(std::uint64_t value) { return {value, ~std::uint64_t{0}}; }
  static StateWord word(const MayCount& value) { return value ? word(*value) : StateWord{}; }

  static unsigned parts_of(const StatePlace& place) {
    unsigned number = 1;
    for (const StateIndex& part : place.parts) number *= part.count;
    return number;
  }

  std::vector<StateRows> rows_;
  std::vector<StateValue> values_;
};

}  // namespace golden
