// JSON from files of anybody and into reports: values that nest no deeper than the library can walk, and text
// that is UTF-8 with any names in it.
#pragma once
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace golden {

constexpr int most_json_depth = 64;  // no file of ours nests by more than ten

// The text is JSON, but its values nest too deeply: the library copies and writes them by recursion.
struct JsonTooDeep : std::runtime_error {
  JsonTooDeep()
      : std::runtime_error(fmt::format("its values nest by more than {} levels", most_json_depth)) {}
};

// Throws JsonTooDeep, and Json::parse_error where the text is no JSON.
template <class Json>
Json json_of(const std::string& text) {
  return Json::parse(text, [](int depth, typename Json::parse_event_t, const Json&) {
    if (depth > most_json_depth) throw JsonTooDeep();
    return true;
  });
}

// Bytes of names that are no UTF-8 become U+FFFD, as no JSON can hold them.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// The text with U+FFFD in the place of what is no UTF-8.
inline std::string utf8(const std::string& text) {
  return nlohmann::json::parse(json_text(nlohmann::json(text))).get<std::string>();
}

}  // namespace golden
