// Pages that need no other file: charts, tables, and how the page was made.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "gen/drawing.h"
#include "gen/reports.h"

namespace gen {

struct HtmlTable {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::size_t words;  // columns from the left that hold no numbers
};

std::string html(const HtmlTable& table);
// Beside each other, as far as the screen is wide.
std::string html_charts(const std::vector<Chart>& charts);
// `body` is HTML.
std::string html_page(const std::string& title, const std::string& body, const Origin& origin);

}  // namespace gen
