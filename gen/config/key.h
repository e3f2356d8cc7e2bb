// A configuration key: what it means, what it may be, and where its value lives in the parameter struct.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gen/config/params.h"
#include "gen/config/value.h"
#include "hw/range.h"

namespace gen {

enum class KeyType { integer, boolean, text, choice, bit_lists, integers, real };

// Everything that errors, `describe` and the JSON Schema say about a key is derived from this.
struct KeyInfo {
  std::string key = {};
  KeyType type = KeyType::integer;
  hw::Range range = {};                   // of a number, and of each entry of a list
  std::optional<std::string> zero = {};   // 0 is allowed below the range and means this
  std::vector<std::string> choices = {};  // of a choice, in the order of its enum
  int max_lists = 0;                      // of bit lists
  int max_items = 0;                      // of a list of integers
  bool depends = false;  // what is legal depends on other keys too, so that no error can name a legal value
  std::string unit = {}, meaning = {}, source = {};
  // Marks a changed value in the module name; a key without one changes no hardware.
  std::optional<std::string> suffix = {};
  // Another key, and its values with which this key counts.
  std::pair<std::string, std::vector<std::string>> only_with = {};
  // Another key, and its values with which this key changes hardware; empty: whenever it counts.
  std::pair<std::string, std::vector<std::string>> named_with = {};
};

struct Key : KeyInfo {
  std::function<Value(const Params&)> get = {};
  std::function<void(Params&, const Value&)> set = {};
};

// A key kept in an int, a double, a bool or an enum of struct P; `access` is a member pointer or a generic
// lambda.
template <class P, class Access>
Key field(KeyInfo info, Access access) {
  using Field = std::remove_cvref_t<std::invoke_result_t<Access, P&>>;
  Key key{std::move(info)};
  key.get = [access, choices = key.choices](const Params& params) -> Value {
    const Field& f = std::invoke(access, params.get<P>());
    if constexpr (std::is_enum_v<Field>)
      return choices.at(static_cast<std::size_t>(f));
    else if constexpr (std::is_same_v<Field, bool> || std::is_same_v<Field, double>)
      return f;
    else
      return static_cast<std::int64_t>(f);
  };
  key.set = [access, choices = key.choices](Params& params, const Value& value) {
    Field& f = std::invoke(access, params.get<P>());
    if constexpr (std::is_enum_v<Field>) {
      for (std::size_t i = 0; i < choices.size(); ++i)
        if (choices[i] == std::get<std::string>(value)) f = static_cast<Field>(i);
    } else if constexpr (std::is_same_v<Field, bool> || std::is_same_v<Field, double>) {
      f = std::get<Field>(value);
    } else {
      f = static_cast<Field>(std::get<std::int64_t>(value));
    }
  };
  return key;
}

// A key kept as one mask of bits per list; a bit named twice cancels. Read back, lists are ascending and end
// with the last one that is not empty.
template <class P, class Access>
Key masks(KeyInfo info, Access access) {
  Key key{std::move(info)};
  key.get = [access](const Params& params) -> Value {
    BitLists lists;
    const auto& all = std::invoke(access, params.get<P>());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == 0) continue;
      lists.resize(i + 1);
      for (int bit = 0; bit < 64; ++bit)
        if (all[i] >> bit & 1) lists[i].push_back(bit);
    }
    return lists;
  };
  key.set = [access](Params& params, const Value& value) {
    auto& all = std::invoke(access, params.get<P>());
    all = {};
    const auto& lists = std::get<BitLists>(value);
    for (std::size_t i = 0; i < lists.size(); ++i)
      for (const int bit : lists[i]) all[i] ^= std::uint64_t{1} << bit;
  };
  return key;
}

// A key kept in a list of integers with a `count`.
template <class P, class Access>
Key integers(KeyInfo info, Access access) {
  Key key{std::move(info)};
  key.get = [access](const Params& params) -> Value {
    const auto& list = std::invoke(access, params.get<P>());
    return Integers(list.begin(), list.end());
  };
  key.set = [access](Params& params, const Value& value) {
    auto& list = std::invoke(access, params.get<P>());
    list = {};
    for (const int number : std::get<Integers>(value))
      list.numbers[static_cast<std::size_t>(list.count++)] = number;
  };
  return key;
}

// "a power of two from 2 to 65536", "0, or from 2 to 131071", "one of cvi, bxi": what a legal value is.
std::string range_text(const KeyInfo& info);

bool in_range(const KeyInfo& info, std::int64_t value);

// "the nearest is 4" or "the nearest are 8 and 16".
std::string nearest_text(const KeyInfo& info, std::int64_t value);

// The value that a key takes from the user's text. Throws ConfigError with its position.
Value accepted(const KeyInfo& info, const Written& written);

}  // namespace gen
