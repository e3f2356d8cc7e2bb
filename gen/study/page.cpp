#include "gen/study/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gen/charts/vega.h"
#include "gen/config/error.h"
#include "gen/config/suggest.h"
#include "gen/config/text.h"
#include "gen/files.h"
#include "gen/study/made_of.h"
#include "gen/study/pareto.h"
#include "gen/study/study_file.h"
#include "gen/study/study_report.h"

namespace gen {
namespace {

constexpr std::string_view opening = "<!-- table ", closing = "<!-- /table -->", ending = " -->";

const std::string& table_named(const std::string& name, const std::string& place, const std::string& study,
                               const TableTexts& tables) {
  if (const auto found = tables.find(name); found != tables.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [table, text] : tables) known.push_back(table);
  const std::string near = nearest_word(name, known);
  throw ConfigError(place, fmt::format("{}/{}: the study has no [table.{}]{}", study, name, name,
                                       near.empty() ? "" : "; did you mean " + near + "?"));
}

using Files = std::vector<std::pair<std::string, std::string>>;

Files pages_of(const Study& study, const TableTexts& tables) {
  const std::string name = std::filesystem::path(study.path).stem().string();
  Files pages;
  for (const std::string& page : study.pages)
    pages.emplace_back(page, page_with_tables(read_file(page), page, name, tables));
  return pages;
}

}  // namespace

std::string page_with_tables(const std::string& page, const std::string& path, const std::string& study,
                             const TableTexts& tables) {
  std::string out, open;  // `open`: the position of the open block
  bool own = false;
  std::size_t number = 0;
  for (std::size_t at = 0; at < page.size();) {
    const std::size_t end = std::min(page.find('\n', at), page.size() - 1) + 1;
    const std::string line = page.substr(at, end - at);
    at = end;
    const std::string place = fmt::format("{}:{}", path, ++number);
    if (line.starts_with(closing)) {
      if (open.empty()) throw ConfigError(place, "ends a table that does not begin");
      open.clear();
      own = false;
    } else if (line.starts_with(opening)) {
      if (!open.empty()) throw ConfigError(open, fmt::format("needs {} before the next table", closing));
      open = place;
      const std::size_t stop = line.find(ending), slash = line.find('/');
      if (stop == std::string::npos || slash > stop)
        throw ConfigError(place, fmt::format("must be {}STUDY/NAME{}", opening, ending));
      if ((own = line.substr(opening.size(), slash - opening.size()) == study)) {
        const std::string name = line.substr(slash + 1, stop - slash - 1);
        out += line + table_named(name, place, study, tables);
        continue;
      }
    }
    if (!own) out += line;
  }
  if (!open.empty()) throw ConfigError(open, fmt::format("needs {} behind the table", closing));
  return out;
}

void check_pages(const Study& study) {
  TableTexts names;
  for (const StudyTable& table : study.tables) names[table.name];
  pages_of(study, names);
  if (std::ranges::any_of(study.plots, [](const ParetoPlot& plot) { return !plot.picture.empty(); }))
    check_pictures();
}

void write_pages(const Study& study, const std::vector<WorkedTable>& tables,
                 const std::vector<StudyRow>& rows) {
  TableTexts texts;
  for (const WorkedTable& table : tables) texts[table.table->name] = markdown(table.shown);
  Files files = pages_of(study, texts);
  for (const WorkedTable& table : tables)
    if (!table.table->file.empty())
      files.emplace_back(table.table->file, table.csv + made_of(study.path, table.table->name).line());
  for (const ParetoPlot& plot : study.plots)
    if (!plot.picture.empty())
      files.emplace_back(plot.picture, picture_of({chart_of(plot, fronts_of(plot, rows)[0])}));
  for (const auto& [file, text] : files) write_file_atomically(file, text);
}

}  // namespace gen
