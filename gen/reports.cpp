#include "gen/reports.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <vector>

#include "gen/config/error.h"
#include "gen/config/text.h"
#include "gen/files.h"
#include "golden/trace/io/json_text.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::map<std::string, std::string>;

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_cell(value.get_ref<const std::string&>()) : value.dump();
}

void collect(const Json& object, const std::string& prefix, std::vector<std::string>& columns, Cells& cells) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = prefix + key;
    if (value.is_object()) {
      collect(value, name + ".", columns, cells);
    } else if (!value.is_array()) {
      if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
      cells[name] = cell(value);
    }
  }
}

void put(const std::string& path, const std::string& text) {
  if (path == "-")
    std::cout << text;
  else if (!path.empty())
    write_file_atomically(path, text);
}

}  // namespace

std::string csv_cell(const std::string& text) {
  return text.find_first_of(",\"\r\n") == std::string::npos ? text : in_quotes(text);
}

std::string csv_of(const Json& rows) {
  std::vector<std::string> columns;
  std::vector<Cells> lines;
  for (const Json& row : rows) collect(row, "", columns, lines.emplace_back());
  std::string text;
  const auto line = [&](auto value_of) {
    for (std::size_t i = 0; i < columns.size(); ++i) text += (i ? "," : "") + value_of(columns[i]);
    text += "\r\n";
  };
  line([](const std::string& column) { return csv_cell(column); });
  for (Cells& cells : lines) line([&](const std::string& column) { return cells[column]; });
  return text;
}

void Reports::check() const {
  if (json == "-" && csv == "-") throw ConfigError("--csv", "and --json cannot both be standard output");
}

void Reports::write(const Json& whole, const Json& rows) const {
  if (!json.empty()) put(json, golden::json_text(whole, 2) + "\n");
  if (!csv.empty()) put(csv, csv_of(rows));
}

}  // namespace gen
