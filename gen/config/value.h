// Values of configuration keys: as written by the user (with their position), and as accepted by a key.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace gen {

using BitLists = std::vector<std::vector<int>>;
using Integers = std::vector<int>;
using Value = std::variant<std::int64_t, bool, std::string, BitLists, Integers, double>;

nlohmann::ordered_json to_json(const Value& value);

// A value as TOML found it, before any key has judged it.
struct Written {
  enum class Type { integer, real, boolean, text, list, other };
  Type type = Type::other;
  std::int64_t integer = 0;
  bool boolean = false;
  double real = 0;
  std::string text;            // of a string
  std::vector<Written> items;  // of a list
  std::string source;          // as the user wrote it, on one line, shortened
  std::string place;           // "my.toml:4:8", or the flag
};

// One key=value of a file or of a flag.
struct Setting {
  std::string key = {};        // dotted: "index.sets"
  std::string key_place = {};  // where the key itself stands
  Written value = {};
  bool is_table = false;  // a table where no key was given: "[index.sets]" or an empty "[tags]"
};

}  // namespace gen
