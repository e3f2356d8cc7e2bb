// Pages that need no other file: charts, tables, and how the page was made.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "gen/charts/chart.h"
#include "gen/charts/comparison.h"
#include "gen/reports.h"

namespace gen {

struct HtmlTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::size_t words;             // columns from the left that hold no numbers
  bool has_whole_words = false;  // on a wide screen: columns are as wide as their longest word
};

// Rows whose first column is "configuration" are linked with the charts.
std::string html(const HtmlTable& table);
// The same in a box of its own scroll bar, for tables that are longer than the screen.
std::string html_boxed(const HtmlTable& table);
std::string escaped(const std::string& text);
// With a capital first letter.
std::string capital(std::string text);
// As it may stand in <script type="application/json">.
std::string script_text(const nlohmann::ordered_json& data);
std::string html_comparison(const ComparisonChart& comparison);
// Beside each other, as far as the screen is wide.
std::string html_charts(const std::vector<Chart>& charts);
// `body` is HTML. The page holds the scripts that it needs.
std::string html_page(const std::string& title, const std::string& body, const Origin& origin);

// The page with a link to vega.js, relative to it, in the place of that library's text.
std::string with_linked_library(std::string page, const std::string& file);

}  // namespace gen
