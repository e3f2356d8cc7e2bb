#include "gen/study/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gen/config/text.h"
#include "gen/explore/report.h"
#include "gen/files.h"
#include "gen/html.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// "traffic.bytes_down" of a row; none where it has no such number.
std::optional<double> figure(const Json& row, const std::string& name) {
  const Json* at = &row;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    const auto found = at->find(name.substr(from, dot - from));
    if (found == at->end()) return std::nullopt;
    at = &*found;
    from = dot + 1;
  }
  return at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

std::string number(double value) {
  return value == static_cast<double>(static_cast<std::int64_t>(value)) ? fmt::format("{:.0f}", value)
                                                                        : fmt::format("{:.4g}", value);
}

// What the tables and charts show of one measure, with the columns that a row of it has.
struct Section {
  const MeasureKind* kind;
  std::vector<const StudyRow*> rows;
  std::vector<std::string> shown;
};

std::vector<Section> sections_of(const Study& study, const std::vector<StudyRow>& rows) {
  std::vector<Section> sections;
  for (const Measure& measure : study.measures) {
    Section section{measure.kind, {}, {}};
    for (const StudyRow& row : rows)
      if (row.kind == measure.kind) section.rows.push_back(&row);
    for (const std::string& name : measure.kind->shown)
      if (std::ranges::any_of(section.rows,
                              [&](const StudyRow* r) { return figure(r->figures, name).has_value(); }))
        section.shown.push_back(name);
    if (!section.rows.empty()) sections.push_back(std::move(section));
  }
  return sections;
}

HtmlTable table_of(const Section& section) {
  HtmlTable table{{"configuration"}, {}, 1};
  const bool inputs = !section.rows[0]->input.empty();
  if (inputs) table.headings.emplace_back("input"), ++table.words;
  table.headings.insert(table.headings.end(), section.shown.begin(), section.shown.end());
  for (const StudyRow* row : section.rows) {
    auto& cells = table.rows.emplace_back(std::vector{row->point->label()});
    if (inputs) cells.push_back(row->input);
    for (const std::string& name : section.shown) {
      const auto value = figure(row->figures, name);
      cells.push_back(value ? number(*value) : "-");
    }
  }
  return table;
}

std::string markdown(const HtmlTable& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    return "| " + joined(cells, " | ") + " |\n";
  };
  std::string out = line(table.headings);
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < table.headings.size(); ++i) rule.emplace_back(i < table.words ? "---" : "---:");
  out += line(rule);
  for (const auto& row : table.rows) out += line(row);
  return out;
}

// A bar for each configuration, input by input, as long as its share of the largest there.
Chart chart_of(const Section& section, const std::string& name) {
  Chart chart(fmt::format("{}: {}", section.kind->name, name));
  std::map<std::string, double> most;
  std::vector<std::string> inputs;
  std::map<const StudyPoint*, std::size_t> colours;
  for (const StudyRow* row : section.rows) {
    if (!most.contains(row->input)) inputs.push_back(row->input);
    most[row->input] = std::max(most[row->input], figure(row->figures, name).value_or(0));
    colours.try_emplace(row->point, colours.size());
  }
  for (const std::string& input : inputs) {
    if (!input.empty()) chart.words(input);
    for (const StudyRow* row : section.rows) {
      const auto value = figure(row->figures, name);
      if (row->input == input && value)
        chart.bar(row->point->label(), most[input] > 0 ? *value / most[input] : 0, number(*value),
                  colour_of(colours[row->point]));
    }
    chart.space(10);
  }
  return chart;
}

Json json_of(const StudyRow& row) {
  Json out{{"configuration", row.point->label()}, {"grid", row.point->grid}, {"unit", row.point->unit}};
  out["settings"] = Json::object();
  for (const std::string& setting : row.point->settings) {
    const std::size_t equals = setting.find('=');
    out["settings"][setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  out["measure"] = row.kind->name;
  if (!row.input.empty()) out["input"] = row.input;
  out["figures"] = row.figures;
  return out;
}

}  // namespace

std::vector<StudyRow> study_rows(const Study& study, const StudyJobs& jobs, const Workflow& workflow) {
  std::vector<StudyRow> rows;
  std::error_code error;
  for (std::size_t p = 0; p < study.points.size(); ++p)
    for (std::size_t m = 0; m < study.measures.size(); ++m) {
      const auto file = workflow.result(jobs.keys[p][m]);
      if (!std::filesystem::exists(file, error)) continue;
      const MeasureKind* kind = study.measures[m].kind;
      for (Json& row : rows_of(*kind, Json::parse(read_file(file)))) {
        const std::string input = row.value("trace", "");
        for (const char* known : {"configuration", "preset", "top", "trace", "name"}) row.erase(known);
        rows.push_back(
            {&study.points[p], kind, input.empty() ? "" : short_names({input})[0], std::move(row)});
      }
    }
  return rows;
}

void write_study(const std::filesystem::path& folder, const Study& study, const std::vector<StudyRow>& rows,
                 const Origin& origin) {
  Json list = Json::array();
  for (const StudyRow& row : rows) list.push_back(json_of(row));
  std::vector<Chart> charts;
  std::string tables, text = fmt::format("# {}\n", study.title);
  for (const std::string& note : study.notes) {
    text += "\n" + note + "\n";
    tables += "<p>" + escaped(note) + "</p>\n";
  }
  for (const Section& section : sections_of(study, rows)) {
    const HtmlTable table = table_of(section);
    text += fmt::format("\n## {}\n\n{}", section.kind->name, markdown(table));
    tables += fmt::format("<h2>{}</h2>\n{}", section.kind->name, html(table));
    for (const std::string& name : section.shown) charts.push_back(chart_of(section, name));
  }
  write_file_atomically(folder / "study.json",
                        Json{{"title", study.title}, {"notes", study.notes}, {"rows", list}}.dump(1) + "\n");
  write_file_atomically(folder / "study.csv", csv_of(list));
  write_file_atomically(folder / "study.md", text);
  write_file_atomically(folder / "study.html", html_page(study.title, html_charts(charts) + tables, origin));
}

}  // namespace gen
