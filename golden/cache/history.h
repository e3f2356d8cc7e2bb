// The decisions of a monitor, and their times: published by name, so that a report needs to know no monitor.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace golden {

struct History {
  struct Change {
    std::uint64_t loads = 0;  // that the cache had served before
    std::vector<int> value;

    bool operator==(const Change&) const = default;
  };

  std::string name, key;   // of the list in JSON, and of a value in it
  std::string title = "";  // over its picture
  std::vector<std::string> words =
      {};                            // what a value's number is called; without any it is a list of numbers
  bool of_all = false;               // one cache decides for all
  std::vector<Change> changes = {};  // beginning with the first value
  // Of values that are one number: cycles with each, by its number, as far as they are counted.
  std::vector<std::uint64_t> held = {};

  // A value that is no other is not a change.
  void note(std::uint64_t loads, std::span<const int> value) {
    if (changes.empty() || !std::ranges::equal(changes.back().value, value))
      changes.push_back({loads, {value.begin(), value.end()}});
  }
  void note(std::uint64_t loads, int value) { note(loads, std::span(&value, 1)); }
  void hold(int value) {
    const auto at = static_cast<std::size_t>(value);
    if (at >= held.size()) held.resize(at + 1);
    ++held[at];
  }
  // A value's numbers as people read them.
  std::string label(int number) const {
    return words.empty() ? std::to_string(number) : words[static_cast<std::size_t>(number)];
  }
};

}  // namespace golden
