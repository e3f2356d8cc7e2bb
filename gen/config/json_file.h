// JSON files that a user hands in: what is wrong with one is a line with its name and position.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "gen/config/error.h"
#include "gen/files.h"
#include "golden/trace/io/json_text.h"

namespace gen {

template <class Json>
Json json_from(const std::string& text, const std::string& path) {
  try {
    return golden::json_of<Json>(text);
  } catch (const golden::JsonTooDeep& error) {
    throw ConfigError(path, error.what());
  } catch (const typename Json::parse_error& error) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw ConfigError(fmt::format("{}:{}", path, std::count(text.begin(), end, '\n') + 1),
                      error.byte >= text.size() ? "ends here: the file is cut short" : "is no JSON");
  }
}

// For what a program reads back: a name that came out changed would be another file's.
template <class Json>
void check_names(const Json& json) {
  if (json.is_structured())
    for (const Json& item : json) check_names(item);
  if (!json.is_string()) return;
  try {
    json.dump();
  } catch (const typename Json::type_error&) {
    throw FileError(fmt::format("{}: is not UTF-8, as names of folders and files must be here; rename it",
                                json.template get<std::string>()));
  }
}

}  // namespace gen
