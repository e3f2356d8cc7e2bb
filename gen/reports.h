// Reports of a command for other programs: JSON with every figure, CSV with a line for each row of its table.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace gen {

// Where they go: a file, "-" for standard output, empty for none.
struct Reports {
  std::string json = {}, csv = {};

  // A table for people would stand in between.
  bool to_stdout() const { return json == "-" || csv == "-"; }
  // Throws ConfigError when both ask for standard output. That files can be written CallPaths sees to.
  void check() const;
  // `rows` are the objects within `whole` that the CSV lists.
  void write(const nlohmann::ordered_json& whole, const nlohmann::ordered_json& rows) const;
};

// Where a report comes from, for its readers.
struct Origin {
  std::string command;  // as it can be pasted into a shell
  std::string version;  // of the generator
};

// Objects as CSV (RFC 4180): a column for each number, word or truth value that one of them has, in the order
// of their first appearance, called after its keys: "traffic.bytes_down". Lists are left out.
std::string csv_of(const nlohmann::ordered_json& rows);

// A text is quoted where a comma, a quote or a line's end would end it; inside, quotes are doubled.
std::string csv_cell(const std::string& text);

}  // namespace gen
