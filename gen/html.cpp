#include "gen/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/charts/vega.h"
#include "gen/files.h"
#include "gen/paths.h"
#include "golden/trace/io/json_text.h"

namespace gen {
namespace {

// Cells of a narrow screen stand below each other, each with its heading.
constexpr const char* style = R"(
:root { color-scheme: light dark; }
body { font-family: sans-serif; line-height: 1.4; margin: 1rem; }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 1rem 0 0.5rem; font-size: 1.2rem; }
p, code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.charts { display: grid; gap: 1rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 23rem), 1fr)); }
.chart { margin: 0; min-width: 0; }
.chart.wide { grid-column: 1 / -1; }
figcaption { font-weight: bold; overflow-wrap: anywhere; }
.chart p { margin: 0.2rem 0; font-size: 0.85rem; }
.plot { min-width: 0; width: 100%; }
.plot [role=graphics-symbol] { cursor: pointer; }
.choices { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 0.4rem 0; font-size: 0.85rem; }
.choices label { min-width: 0; max-width: 100%; }
.choices select { font: inherit; max-width: 14rem; }
.count { font-size: 0.85rem; margin: 0.4rem 0; }
.pair { display: grid; gap: 1rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.boxed { max-height: 24rem; overflow-y: auto; margin-bottom: 1rem; }
.boxed thead { position: sticky; top: 0; background: Canvas; }
summary { cursor: pointer; }
table { border-collapse: collapse; font-size: 0.85rem; margin-bottom: 1rem; }
th, td { padding: 0.25rem 0.5rem; text-align: right; vertical-align: top; border-bottom: 1px solid #8886; }
th { text-align: left; font-weight: normal; }
th, td.word { text-align: left; overflow-wrap: anywhere; }
thead th { font-weight: bold; }
thead button { all: unset; cursor: pointer; }
thead button:focus-visible { outline: 2px solid; }
th[aria-sort=ascending] button::after { content: " \25b2"; }
th[aria-sort=descending] button::after { content: " \25bc"; }
tr[data-configuration] { cursor: pointer; }
tr.chosen { background: #e69f0055; }
@media (min-width: 64rem) { .whole th, .whole td.word { overflow-wrap: break-word; } }
@media (max-width: 64rem) {
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  .sortable thead, .sortable thead tr { display: flex; flex-wrap: wrap; gap: 0 0.7rem; }
  .sortable thead tr::before { content: "sort by: "; }
  tr[hidden] { display: none; }
  tr { border-bottom: 2px solid #888; padding: 0.3rem 0; }
  th, td, td.word { border: 0; padding: 0.1rem 0; text-align: left; }
  tbody th { font-weight: bold; }
  td::before { content: attr(data-label) ": "; opacity: 0.75; }
}
@media print {
  .choices, .count { display: none; }
  .boxed { max-height: none; overflow: visible; }
  tr, .chart { break-inside: avoid; }
}
)";

std::string script(const std::string& name) {
  return "<script>\n" + read_file(paths::source() / "gen/charts" / name) + "</script>\n";
}

constexpr const char *library_begins = "<script data-library=\"vega\">", *script_ends = "</script>\n";

bool has_charts(const std::string& body) {
  return body.find("<figure class=\"chart") != std::string::npos ||
         body.find("<div class=\"comparison") != std::string::npos;
}

// What a page needs to draw, link and sort; nothing where it has neither charts nor tables.
std::string scripts_for(const std::string& body) {
  std::string scripts;
  if (has_charts(body)) {
    std::string library = vega_script();
    for (std::size_t at; (at = library.find("</script")) != std::string::npos;) library.insert(at + 1, "\\");
    if (!library.empty()) scripts += library_begins + library + script_ends;
  }
  if (scripts.empty() && body.find("<thead>") == std::string::npos) return "";
  scripts += script("page.js");
  if (body.find("<div class=\"comparison") != std::string::npos) scripts += script("comparison.js");
  return scripts;
}

}  // namespace

std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : golden::utf8(text))
    out += c == '&'                                                         ? "&amp;"
           : c == '<'                                                       ? "&lt;"
           : c == '>'                                                       ? "&gt;"
           : c == '"'                                                       ? "&quot;"
           : static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? "?"  // none of XML
                                                                            : std::string(1, c);
  return out;
}

std::string script_text(const nlohmann::ordered_json& data) {
  std::string out;
  for (const char c : golden::json_text(data, -1)) out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

std::string html(const HtmlTable& table) {
  std::string out = table.has_whole_words ? "<table class=\"whole\">" : "<table>";
  out += "\n<thead><tr>";
  for (const std::string& heading : table.headings) out += "<th scope=\"col\">" + escaped(heading) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  const auto linked = std::ranges::find(table.headings, "configuration") - table.headings.begin();
  for (const auto& row : table.rows) {
    const auto n = static_cast<std::size_t>(linked);
    out += n < row.size() ? "<tr data-configuration=\"" + escaped(row[n]) + "\">" : "<tr>";
    out += "<th scope=\"row\">" + escaped(row[0]) + "</th>";
    for (std::size_t i = 1; i < row.size(); ++i)
      out += fmt::format("<td{} data-label=\"{}\">{}</td>", i < table.words ? " class=\"word\"" : "",
                         escaped(table.headings[i]), escaped(row[i]));
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n";
}

std::string html_boxed(const HtmlTable& table) {
  return "<div class=\"boxed\" tabindex=\"0\">\n" + html(table) + "</div>\n";
}

std::string html_comparison(const ComparisonChart& comparison) {
  return "<div class=\"comparison\">\n<script type=\"application/json\">" + script_text(json_of(comparison)) +
         "</script></div>\n";
}

std::string html_charts(const std::vector<Chart>& charts) {
  std::string out = "<div class=\"charts\">\n";
  for (const Chart& chart : charts) {
    out += fmt::format("<figure class=\"chart{}\"><figcaption>{}</figcaption>\n", chart.wide ? " wide" : "",
                       escaped(chart.title));
    if (!chart.note.empty()) out += "<p>" + escaped(chart.note) + "</p>\n";
    out += fmt::format("<div class=\"plot\"></div>\n<script type=\"application/json\">{}</script></figure>\n",
                       script_text(page_spec(chart)));
  }
  return out + "</div>\n";
}

std::string html_page(const std::string& title, const std::string& body, const Origin& origin) {
  const std::string scripts = scripts_for(body);
  const bool is_drawn = !has_charts(body) || scripts.starts_with(library_begins);
  const std::string left_out =
      is_drawn ? "" : "<p>Charts are left out: the page was made without the library that draws them.</p>\n";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>L1Forge: {}</title>\n<style>{}</style>\n{}</head>\n<body>\n<h1>{}</h1>\n{}{}"
      "<h2>How this page was made</h2>\n<pre><code>{}</code></pre>\n<p>{}</p>\n</body>\n</html>\n",
      escaped(title), style, scripts, escaped(title), left_out, body, escaped(origin.command),
      escaped(origin.version));
}

std::string with_linked_library(std::string page, const std::string& file) {
  const std::size_t begin = page.find(library_begins);
  if (begin == std::string::npos) return page;
  const std::size_t end = page.find(script_ends, begin);
  return page.replace(begin, end - begin, fmt::format("<script src=\"{}\">", file));
}

}  // namespace gen
