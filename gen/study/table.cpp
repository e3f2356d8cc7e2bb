#include "gen/study/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "gen/config/text.h"
#include "gen/reports.h"
#include "gen/study/expression.h"
#include "gen/study/pareto.h"
#include "gen/study/study_checks.h"
#include "gen/study/study_file.h"
#include "gen/with_commas.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const Setting& s, const Written& value, const char* what) {
  throw ConfigError(value.place, fmt::format("{} = {}: must be {}", s.key, s.value.source, what));
}

// "NAME", ["NAME", "LABEL"] or ["NAME", "LABEL", "CELL"].
TableLine line_of(const Setting& s, const Written& item) {
  const auto text = [&](const Written& w) {
    if (w.type != Written::Type::text) refuse(s, w, "names, or lists of a name, a label and a cell");
    return w.text;
  };
  if (item.type != Written::Type::list) return {text(item), text(item), item.place, {}, true};
  if (item.items.size() < 2 || item.items.size() > 3)
    refuse(s, item, "names, or lists of a name, a label and a cell");
  TableLine line{text(item.items[0]), text(item.items[1]), item.place};
  if (item.items.size() == 3) line.cell = text(item.items[2]);
  return line;
}

std::vector<TableLine> lines_of(const Setting& s) {
  if (s.value.type == Written::Type::text) return {line_of(s, s.value)};
  if (s.value.type != Written::Type::list || s.value.items.empty()) refuse(s, s.value, "a list");
  std::vector<TableLine> lines;
  for (const Written& item : s.value.items) lines.push_back(line_of(s, item));
  return lines;
}

// "inputs", "configurations" and a grid's name alone are all of them, in their order.
std::vector<TableLine> all_lines(const Study& study, const std::vector<TableLine>& lines) {
  std::vector<TableLine> out;
  for (const TableLine& line : lines) {
    const std::size_t before = out.size();
    if (line.name == "inputs")
      for (const std::string& input : study.input_names())
        out.push_back({input, input, line.place, line.cell});
    for (const StudyPoint& point : study.points)
      if (line.name == "configurations" || (line.name == point.grid && line.word))
        out.push_back({point.label(), point.printed, line.place, line.cell});
    if (out.size() == before) out.push_back(line);
  }
  const std::vector<std::string> inputs = study.input_names();
  for (TableLine& line : out)
    line.one = std::ranges::find(inputs, line.name) != inputs.end() ||
               std::ranges::find(study.points, line.name, &StudyPoint::label) != study.points.end();
  return out;
}

// The plot whose front "front.PLOT" alone is.
std::optional<std::string> plot_of(const TableLine& line) {
  constexpr std::string_view before = "front.";
  if (!line.word || !line.name.starts_with(before)) return std::nullopt;
  return line.name.substr(before.size());
}

void check_fronts(const Study& study, const StudyTable& table, const std::vector<TableLine>& lines) {
  for (const TableLine& line : lines)
    if (const auto plot = plot_of(line))
      if (std::ranges::find(study.plots, *plot, &ParetoPlot::name) == study.plots.end())
        throw ConfigError(
            line.place, fmt::format("[table.{}]: {}: there is no [pareto.{}]", table.name, line.name, *plot));
}

// With the configurations on the front of a mean, by their cost, in the place of "front.PLOT".
std::vector<TableLine> lines_with_fronts(const Study& study, const std::vector<TableLine>& lines,
                                         const std::vector<StudyRow>& rows) {
  std::vector<TableLine> out;
  for (const TableLine& line : lines) {
    const auto plot = plot_of(line);
    if (!plot) {
      out.push_back(line);
      continue;
    }
    for (const StudyPoint* point :
         front_of_mean(*std::ranges::find(study.plots, *plot, &ParetoPlot::name), rows))
      out.push_back({point->label(), point->printed, line.place, line.cell, false, true});
  }
  return out;
}

// The lines that $row and $column stand for.
using Lines = std::map<std::string, const TableLine*>;

// With what its $words stand for, which may hold others; the name of one input or configuration is as it is.
std::string with_words(const std::string& text, const Study& study, const Lines& lines = {}, int depth = 0) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '$') {
      out += text[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    const std::string name = text.substr(at + 1, end - at - 1);
    at = end;
    const auto line = lines.find(name);
    if (line != lines.end() && line->second->one) {
      out += row_name(line->second->name);
      continue;
    }
    const auto word = std::ranges::find(study.words, name, &std::pair<std::string, std::string>::first);
    if ((line == lines.end() && word == study.words.end()) || depth > 8)
      throw ExpressionError(fmt::format("${}: there is no such word in [let]", name));
    out += with_words(line != lines.end() ? line->second->name : word->second, study, lines, depth + 1);
  }
  return out;
}

// How a number is written: "+" with its sign, "," with commas, ".2" digits, "s" digits below ten alone,
// "?" not at all where there is no such figure.
struct Style {
  bool sign = false, commas = false, only_small = false, optional = false;
  int digits = -1;  // as many as it needs
};

std::optional<Style> style_of(const std::string& text) {
  Style style;
  std::size_t at = 0;
  const auto takes = [&](char c) { return at < text.size() && text[at] == c && ++at; };
  style.sign = takes('+');
  style.commas = takes(',');
  if (takes('.')) {
    if (at == text.size() || !std::isdigit(static_cast<unsigned char>(text[at]))) return std::nullopt;
    style.digits = text[at++] - '0';
  }
  style.only_small = takes('s');
  style.optional = takes('?');
  return at == text.size() ? std::optional(style) : std::nullopt;
}

std::string styled(double number, const Style& style, bool plain) {
  const double size = std::abs(number);
  int digits = style.digits;
  if (style.only_small && std::round(size * 10) >= 100) digits = 0;
  std::string text = digits < 0 && size != std::floor(size)
                         ? fmt::format("{:.4g}", size)
                         : fmt::format("{:.{}f}", size, std::max(digits, 0));
  const bool zero = text.find_first_not_of("0.") == std::string::npos;
  if (style.commas && !plain) text = with_commas(text);
  return (number < 0 && !zero ? "-" : style.sign ? "+" : "") + text;
}

// The text with the value of each {EXPRESSION:STYLE} in it; without `results` the expressions are only read.
std::string with_figures(const std::string& text, const Json* results, bool plain) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = std::min(text.find('{', at), text.size());
    out += text.substr(at, open - at);
    if (open == text.size()) break;
    std::size_t close = open + 1, colon = std::string::npos;
    while (close < text.size() && text[close] != '}') {
      if (text[close] == ':') colon = close;
      if (text[close] != '"' || !unquoted(text, close)) ++close;
    }
    if (close >= text.size()) throw ExpressionError("has a { without its }");
    const std::string expression = text.substr(open + 1, std::min(colon, close) - open - 1);
    std::optional<Style> style = Style{};
    if (colon != std::string::npos) {
      style = style_of(text.substr(colon + 1, close - colon - 1));
      if (!style) throw ExpressionError(fmt::format("{}: no such style", text.substr(colon, close - colon)));
    }
    results_in(expression);
    if (results) try {
        out += styled(evaluate(expression, *results), *style, plain);
      } catch (const ExpressionError&) {
        if (!style->optional) throw;
      }
    at = close + 1;
  }
  return out;
}

// Where the name is not that of one row of the figures, a file has what is printed.
std::string csv_name(const TableLine& line) {
  return csv_cell(line.one || line.name.find_first_of("$,") == std::string::npos ? line.name : line.label);
}

// What stands before the first column's cells.
std::string heading_of(const Study& study, const StudyTable& table, const Json* results, bool plain) {
  try {
    return with_figures(with_words(table.heading, study), results, plain);
  } catch (const ExpressionError& error) {
    throw ConfigError(table.place, fmt::format("[table.{}]: heading: {}", table.name, error.what()));
  }
}

// What stands where a row and a column cross.
std::string cell_of(const Study& study, const StudyTable& table, const TableLine& row,
                    const TableLine& column, const Json* results, bool plain) {
  const std::string& text = column.cell ? *column.cell : row.cell ? *row.cell : table.cell;
  try {
    const Lines lines{{"row", &row}, {"column", &column}};
    return with_figures(with_words(text, study, lines), results, plain);
  } catch (const ExpressionError& error) {
    throw ConfigError(table.place, fmt::format("[table.{}]: {}, {}: {}", table.name, row.label, column.label,
                                               error.what()));
  }
}

}  // namespace

const std::vector<std::string>& table_keys() {
  static const std::vector<std::string> keys{"heading", "rows", "columns", "cell", "file"};
  return keys;
}

bool read_table_key(StudyTable& table, const Setting& s, const std::string& key) {
  if (key == "rows" || key == "columns") {
    (key == "rows" ? table.rows : table.columns) = lines_of(s);
    return true;
  }
  std::string* text = key == "heading" ? &table.heading
                      : key == "cell"  ? &table.cell
                      : key == "file"  ? &table.file
                                       : nullptr;
  if (!text) return false;
  if (s.value.type != Written::Type::text) refuse(s, s.value, "a string");
  *text = s.value.text;
  return true;
}

void complete_tables(Study& study) {
  for (StudyTable& table : study.tables) {
    if (table.rows.empty() || table.columns.empty())
      throw ConfigError(table.place, fmt::format("[table.{}]: needs rows and columns", table.name));
    table.rows = all_lines(study, table.rows);
    table.columns = all_lines(study, table.columns);
    check_fronts(study, table, table.rows);
    check_fronts(study, table, table.columns);
    heading_of(study, table, nullptr, false);
    for (const TableLine& row : table.rows)
      for (const TableLine& column : table.columns) cell_of(study, table, row, column, nullptr, false);
  }
}

std::vector<WorkedTable> worked_tables(const Study& study, const std::vector<StudyRow>& rows) {
  const Json results = results_by_name(study, rows);
  std::vector<WorkedTable> tables;
  for (const StudyTable& table : study.tables) {
    const std::vector<TableLine> columns = lines_with_fronts(study, table.columns, rows);
    WorkedTable& worked =
        tables.emplace_back(WorkedTable{&table,
                                        {{heading_of(study, table, &results, false)}, {}, 1},
                                        csv_cell(heading_of(study, table, &results, true))});
    for (const TableLine& column : columns) {
      worked.shown.headings.push_back(column.label);
      worked.csv += "," + csv_name(column);
    }
    worked.csv += "\n";
    for (const TableLine& row : lines_with_fronts(study, table.rows, rows)) {
      auto& cells = worked.shown.rows.emplace_back(std::vector{row.label});
      worked.csv += csv_name(row);
      for (const TableLine& column : columns) {
        cells.push_back(cell_of(study, table, row, column, &results, false));
        worked.csv += "," + csv_cell(cell_of(study, table, row, column, &results, true));
      }
      worked.csv += "\n";
    }
  }
  return tables;
}

}  // namespace gen
