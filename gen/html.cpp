#include "gen/html.h"

#include <fmt/format.h>

namespace gen {
namespace {

// Cells of a narrow screen stand below each other, each with its heading.
constexpr const char* style = R"(
:root { color-scheme: light dark; }
body { font-family: sans-serif; line-height: 1.4; margin: 1rem; }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
p, code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.charts { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.charts svg { width: 100%; max-width: 40rem; height: auto; }
table { border-collapse: collapse; font-size: 0.85rem; margin-bottom: 1rem; }
th, td { padding: 0.25rem 0.5rem; text-align: right; vertical-align: top; border-bottom: 1px solid #8886; }
th { text-align: left; font-weight: normal; }
th, td.word { text-align: left; overflow-wrap: anywhere; }
thead th { font-weight: bold; }
@media (max-width: 64rem) {
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  tr { border-bottom: 2px solid #888; padding: 0.3rem 0; }
  th, td, td.word { border: 0; padding: 0.1rem 0; text-align: left; }
  tbody th { font-weight: bold; }
  td::before { content: attr(data-label) ": "; opacity: 0.75; }
}
)";

}  // namespace

std::string html(const HtmlTable& table) {
  std::string out = "<table>\n<thead><tr>";
  for (const std::string& heading : table.headings) out += "<th scope=\"col\">" + escaped(heading) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr><th scope=\"row\">" + escaped(row[0]) + "</th>";
    for (std::size_t i = 1; i < row.size(); ++i)
      out += fmt::format("<td{} data-label=\"{}\">{}</td>", i < table.words ? " class=\"word\"" : "",
                         escaped(table.headings[i]), escaped(row[i]));
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string html_charts(const std::vector<Chart>& charts) {
  std::string out = "<div class=\"charts\">\n";
  for (const Chart& chart : charts) out += picture_of(chart);
  return out + "</div>\n";
}

std::string html_page(const std::string& title, const std::string& body, const Origin& origin) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>L1Forge: {}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n{}"
      "<h2>How this page was made</h2>\n<pre><code>{}</code></pre>\n<p>{}</p>\n</body>\n</html>\n",
      escaped(title), style, escaped(title), body, escaped(origin.command), escaped(origin.version));
}

}  // namespace gen
