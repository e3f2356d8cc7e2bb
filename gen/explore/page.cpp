// The report of an exploration as a page that needs no other file: charts, the table, what monitors decided,
// the parameters, and the call that made it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gen/drawing.h"
#include "gen/explore/report.h"

namespace gen {

namespace {

// Cells of a narrow screen stand below each other, each with its heading.
constexpr const char* style = R"(
body { font-family: sans-serif; line-height: 1.4; margin: 1rem; color: #222; }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; }
p, code { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.charts { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.charts svg { width: 100%; height: auto; }
table { border-collapse: collapse; font-size: 0.85rem; margin-bottom: 1rem; }
th, td { padding: 0.25rem 0.5rem; text-align: right; vertical-align: top; border-bottom: 1px solid #ddd; }
th { text-align: left; font-weight: normal; }
th, td.word { text-align: left; overflow-wrap: anywhere; }
thead th { font-weight: bold; }
@media (max-width: 64rem) {
  thead { display: none; }
  table, tbody, tr, th, td { display: block; }
  tr { border-bottom: 2px solid #888; padding: 0.3rem 0; }
  th, td, td.word { border: 0; padding: 0.1rem 0; text-align: left; }
  tbody th { font-weight: bold; }
  td::before { content: attr(data-label) ": "; color: #555; }
}
)";

struct Table {
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::size_t words;  // columns from the left that hold no numbers
};

std::string html(const Table& table) {
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

std::string counted(size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// How many SMs or cores drive how many caches, for each size once.
std::string sizes(const std::vector<RunResult>& results) {
  std::vector<std::string> distinct;
  for (const RunResult& run : results) {
    const auto cores = static_cast<size_t>(run.topology ? run.topology->cores : 0);
    const std::string size =
        run.topology ? counted(cores, "core") + " with " + counted(run.sms.size(), "cache")
                     : counted(run.sms.size(), "SM") + (run.sms.size() > 1 ? ", a cache each" : "");
    if (std::ranges::find(distinct, size) == distinct.end()) distinct.push_back(size);
  }
  return fmt::format("{}", fmt::join(distinct, "; "));
}

// Keys whose values differ have a column a configuration, the others one for all.
std::string parameters(const std::vector<Config>& configs) {
  std::vector<std::string> names;
  for (const Config& config : configs) names.push_back(config.source);
  names = short_names(names);
  Table differing{{"parameter"}, {}, configs.size() + 1}, common{{"parameter", "value"}, {}, 2};
  differing.headings.insert(differing.headings.end(), names.begin(), names.end());
  for (const auto& [key, value] : configs[0].resolved.items()) {
    std::vector<std::string> row{key};
    std::set<std::string> values;
    for (const Config& config : configs) {
      row.push_back(config.resolved.contains(key) ? config.resolved[key].dump() : "-");
      values.insert(row.back());
    }
    if (values.size() > 1)
      differing.rows.push_back(row);
    else
      common.rows.push_back({key, row[1]});
  }
  std::string out;
  if (!differing.rows.empty()) out += "<h2>Parameters that differ</h2>\n" + html(differing);
  return out +
         (configs.size() > 1 ? "<h2>Parameters of all configurations</h2>\n" : "<h2>Parameters</h2>\n") +
         html(common);
}

}  // namespace

std::string explore_html(const std::vector<RunResult>& results, const std::vector<Config>& configs,
                         const Origin& origin) {
  const ExploreTable table = explore_figures(results);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>L1Forge: caches compared</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>Caches compared</h1>\n<div class=\"charts\">\n",
      style);
  for (const Chart& chart : explore_charts(results)) out += picture_of(chart);
  out += fmt::format(
      "</div>\n<h2>Figures</h2>\n<p>{}. {}.</p>\n<p>Hits count loads that send nothing down, also those that "
      "join a pending line; traffic counts {} bytes a message and the chunks it carries.</p>\n",
      sizes(results), escaped(table.head), Traffic::header_bytes);
  for (const std::string& warning : table.warnings) out += "<p>" + escaped(warning) + "</p>\n";
  out += html({table.headings, table.rows, 2});
  if (!table.decisions.empty()) out += "<h2>What monitors decided</h2>\n";
  for (const auto& [about, lines] : table.decisions)
    out += fmt::format("<p>{}</p>\n<pre>{}</pre>\n", escaped(about),
                       escaped(fmt::format("{}", fmt::join(lines, "\n"))));
  out += parameters(configs);
  return out +
         fmt::format(
             "<h2>How this page was made</h2>\n<pre><code>{}</code></pre>\n<p>{}</p>\n</body>\n</html>\n",
             escaped(origin.command), escaped(origin.version));
}

}  // namespace gen
