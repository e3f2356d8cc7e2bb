// The report of an exploration as a page that needs no other file: charts, the table, what monitors decided,
// the parameters, and the call that made it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gen/explore/report.h"
#include "gen/html.h"

namespace gen {

namespace {

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
  HtmlTable differing{{"parameter"}, {}, configs.size() + 1}, common{{"parameter", "value"}, {}, 2};
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
  if (!differing.rows.empty()) out += "<h2>Parameters that differ</h2>\n" + html_boxed(differing);
  return out +
         (configs.size() > 1 ? "<h2>Parameters of all configurations</h2>\n" : "<h2>Parameters</h2>\n") +
         html_boxed(common);
}

}  // namespace

std::string explore_html(const std::vector<RunResult>& results, const std::vector<Config>& configs,
                         const Origin& origin) {
  const ExploreTable table = explore_figures(results);
  std::string out =
      html_comparison(explore_comparison(results, configs)) + html_charts(explore_charts(results));
  out += fmt::format(
      "<h2>Figures</h2>\n<p>{}. {}.</p>\n<p>Hits count loads that send nothing down, also those that "
      "join a pending line; traffic counts {} bytes a message and the chunks it carries.</p>\n",
      sizes(results), escaped(table.head), Traffic::header_bytes);
  for (const std::string& warning : table.warnings) out += "<p>" + escaped(warning) + "</p>\n";
  out += html_boxed({table.headings, table.rows, 2});
  if (!table.decisions.empty()) out += "<h2>What monitors decided</h2>\n";
  for (const auto& [about, lines] : table.decisions)
    out += fmt::format("<p>{}</p>\n<pre>{}</pre>\n", escaped(about),
                       escaped(fmt::format("{}", fmt::join(lines, "\n"))));
  return html_page("Caches compared", out + parameters(configs), origin);
}

}  // namespace gen
