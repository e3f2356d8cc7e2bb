#include "gen/study/study_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "gen/charts/comparison.h"
#include "gen/files.h"
#include "gen/html.h"
#include "gen/shell_line.h"
#include "gen/study/pareto.h"
#include "gen/study/study_checks.h"
#include "golden/trace/io/json_text.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value) {
  return value == static_cast<double>(static_cast<std::int64_t>(value)) ? fmt::format("{:.0f}", value)
                                                                        : fmt::format("{:.4g}", value);
}

// What the tables and charts show of one measure, with the columns that a row of it has.
struct Section {
  const Measure* measure;
  std::vector<const StudyRow*> rows;
  std::vector<std::string> shown;
};

std::vector<Section> sections_of(const Study& study, const std::vector<StudyRow>& rows) {
  std::vector<Section> sections;
  for (const Measure& measure : study.measures) {
    Section section{&measure, {}, {}};
    for (const StudyRow& row : rows)
      if (row.measure == &measure) section.rows.push_back(&row);
    for (const std::string& name : measure.kind->shown)
      if (std::ranges::any_of(section.rows,
                              [&](const StudyRow* r) { return figure_of(r->figures, name).has_value(); }))
        section.shown.push_back(name);
    if (!section.rows.empty()) sections.push_back(std::move(section));
  }
  return sections;
}

HtmlTable table_of(const Section& section) {
  HtmlTable table{{"configuration"}, {}, 1};
  const bool inputs = !section.rows[0]->input.empty();
  if (inputs) table.headings.emplace_back("input"), ++table.words;
  table.headings.emplace_back("bits");
  table.headings.insert(table.headings.end(), section.shown.begin(), section.shown.end());
  for (const StudyRow* row : section.rows) {
    auto& cells = table.rows.emplace_back(std::vector{row->point->printed});
    if (inputs) cells.push_back(row->input);
    cells.push_back(std::to_string(row->point->bits));
    for (const std::string& name : section.shown) {
      const auto value = figure_of(row->figures, name);
      cells.push_back(value ? number(*value) : "-");
    }
  }
  return table;
}

// The figures that charts offer: the stored bits, what the tables show, and what the plots are of.
std::vector<ComparedFigure> figures_of(const Study& study, const std::vector<Section>& sections) {
  std::vector<ComparedFigure> figures;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(figures, name, &ComparedFigure::name) == figures.end())
      figures.push_back({.name = name, .title = name, .more_is_better = name.ends_with("hit_rate")});
  };
  for (const Section& section : sections)
    for (const std::string& name : section.shown) add(section.measure->name + "." + name);
  for (const ParetoPlot& plot : study.plots) add(plot.value), add(plot.cost);
  if (std::ranges::any_of(study.points, [](const StudyPoint& p) { return p.bits > 0; })) add("bits");
  return figures;
}

// In what the configurations differ: the grid, and the keys that are varied.
std::map<std::string, std::string> keys_of(const StudyPoint& point) {
  std::map<std::string, std::string> keys{{"grid", point.grid}};
  for (const std::string& setting : point.settings) {
    const std::size_t equals = setting.find('=');
    keys[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return keys;
}

std::string command_of(const StudyPoint& point) {
  std::string command = "l1forge explore " + shell_word(point.unit);
  for (const std::string& setting : point.settings) command += " -s " + shell_word(setting);
  return command + " --trace TRACE";
}

ComparisonChart comparison_of(const Study& study, const std::vector<Section>& sections) {
  ComparisonChart out{.inputs = study.input_names(), .figures = figures_of(study, sections)};
  std::map<std::string, std::set<std::string>> values;
  for (const StudyPoint& point : study.points) {
    for (const auto& [key, value] : keys_of(point)) values[key].insert(value);
    ComparedPoint& compared = out.points.emplace_back(ComparedPoint{point.printed, command_of(point)});
    compared.figures[""] = Json::object();
    if (point.bits > 0) compared.figures[""]["bits"] = point.bits;
  }
  for (const auto& [key, all] : values)
    if (all.size() > 1) out.keys.push_back(key);
  for (std::size_t p = 0; p < study.points.size(); ++p) {
    const auto own = keys_of(study.points[p]);
    for (const std::string& key : out.keys) out.points[p].keys[key] = own.contains(key) ? own.at(key) : "-";
  }
  for (const Section& section : sections)
    for (const StudyRow* row : section.rows)
      for (const ComparedFigure& figure : out.figures) {
        const std::string measure = section.measure->name + ".";
        if (!figure.name.starts_with(measure)) continue;
        if (const auto value = figure_of(row->figures, figure.name.substr(measure.size())))
          out.points[static_cast<std::size_t>(row->point - study.points.data())]
              .figures[row->input][figure.name] = *value;
      }
  if (!study.plots.empty()) {
    out.across = study.plots[0].cost;
    out.up = study.plots[0].value;
  } else if (out.figures.size() > 1) {
    out.across = out.figures.back().name;
    out.up = out.figures.front().name;
  }
  return out;
}

Json json_of(const StudyRow& row) {
  Json out{{"configuration", row.point->label()}, {"grid", row.point->grid}, {"unit", row.point->unit}};
  out["settings"] = Json::object();
  for (const std::string& setting : row.point->settings) {
    const std::size_t equals = setting.find('=');
    out["settings"][setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  out["bits"] = row.point->bits;
  out["measure"] = row.measure->name;
  if (!row.input.empty()) out["input"] = row.input;
  out["figures"] = without_lists(row.figures);
  return out;
}

Json json_of(const ParetoPlot& plot, const ParetoFront& front) {
  Json on_front = Json::array();
  for (const ParetoPoint& p : front.points)
    if (p.on_front)
      on_front.push_back({{"configuration", p.point->label()}, {"cost", p.cost}, {"value", p.value}});
  return {{"name", plot.name},    {"cost", plot.cost},         {"value", plot.value},
          {"input", front.input}, {"of", front.points.size()}, {"front", on_front}};
}

HtmlTable table_of(const std::vector<CheckedStudy>& checks) {
  HtmlTable table{{"check", "expected", "found", "holds"}, {}, 4};
  for (const CheckedStudy& c : checks)
    table.rows.push_back(
        {c.name, c.outcome.expected_text, c.outcome.value_text, c.outcome.holds ? "yes" : "no"});
  return table;
}

// Of the inputs of a kind, one a row of a result. Only their order identifies them: a result may come from
// a time when the files lay elsewhere.
std::vector<std::string> names_of_inputs(const Study& study, MeasureInputs inputs) {
  std::vector<std::string> names = study.input_names();
  if (inputs == MeasureInputs::traces) names.resize(study.traces.size());
  if (inputs == MeasureInputs::recordings)
    names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(study.traces.size()));
  if (inputs == MeasureInputs::none) names.assign(1, "");
  return names;
}

// What the page and the Markdown say, side by side.
struct Report {
  std::string text = {}, tables = {};

  void note(const std::string& words) {
    text += "\n" + words + "\n";
    tables += "<p>" + escaped(words) + "</p>\n";
  }
  // In the page some are folded.
  void table(const std::string& heading, const HtmlTable& of, bool is_open = true) {
    text += fmt::format("\n## {}\n\n{}", heading, markdown(of));
    tables += fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open" : "",
                          escaped(heading), html_boxed(of));
  }
};

}  // namespace

std::string markdown(const HtmlTable& table) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& cell : cells) text += " " + cell + " |";
    return text + "\n";
  };
  std::string out = line(table.headings);
  std::vector<std::string> rule;
  for (std::size_t i = 0; i < table.headings.size(); ++i) rule.emplace_back(i < table.words ? "---" : "---:");
  out += line(rule);
  for (const auto& row : table.rows) out += line(row);
  return out;
}

std::vector<StudyRow> study_rows(const Study& study, const StudyJobs& jobs, const Workflow& workflow) {
  std::vector<StudyRow> rows;
  std::error_code error;
  for (std::size_t p = 0; p < study.points.size(); ++p)
    for (std::size_t m = 0; m < study.measures.size(); ++m) {
      if (jobs.keys[p][m].empty()) continue;
      const auto file = workflow.result(jobs.keys[p][m]);
      if (!std::filesystem::exists(file, error)) continue;
      const Measure& measure = study.measures[m];
      const std::vector<std::string> names = names_of_inputs(study, measure.kind->inputs);
      std::vector<Json> figures = rows_of(*measure.kind, Json::parse(read_file(file)));
      for (std::size_t n = 0; n < std::min(figures.size(), names.size()); ++n) {
        for (const char* known : {"configuration", "preset", "top", "trace", "recording", "name"})
          figures[n].erase(known);
        rows.push_back({&study.points[p], &measure, names[n], std::move(figures[n])});
      }
    }
  return rows;
}

void write_study(const std::filesystem::path& folder, const Study& study, const std::vector<StudyRow>& rows,
                 const std::vector<CheckedStudy>& checks, const std::vector<WorkedTable>& tables,
                 const Origin& origin) {
  Json list = Json::array(), fronts = list, decisions = list;
  for (const StudyRow& row : rows) list.push_back(json_of(row));
  Report report;
  report.text = fmt::format("# {}\n", study.title);
  for (const std::string& note : study.notes) report.note(note);
  const std::string notes = std::exchange(report.tables, "");
  if (!checks.empty()) report.table("checks", table_of(checks));
  for (const CheckedStudy& c : checks)
    decisions.push_back({{"name", c.name},
                         {"expected", c.outcome.expected},
                         {"value", c.outcome.value},
                         {"holds", c.outcome.holds}});
  std::error_code error;  // of the first file that cannot be written
  std::filesystem::create_directories(folder / "tables", error);
  for (const WorkedTable& table : tables) {
    report.table(table.table->name, table.shown);
    write_file_atomically(folder / "tables" / (table.table->name + ".csv"), table.csv);
  }
  for (const ParetoPlot& plot : study.plots)
    for (const ParetoFront& front : fronts_of(plot, rows)) {
      report.table(fmt::format("{}: {}", plot.name, title_of(front)), front_table(plot, front), false);
      fronts.push_back(json_of(plot, front));
    }
  const std::vector<Section> sections = sections_of(study, rows);
  for (const Section& section : sections)
    report.table(section.measure->name, table_of(section), section.measure == sections[0].measure);
  const Json whole{{"title", study.title},
                   {"notes", study.notes},
                   {"checks", decisions},
                   {"fronts", fronts},
                   {"rows", list}};
  write_file_atomically(folder / "study.json", golden::json_text(whole, 1) + "\n");
  write_file_atomically(folder / "study.csv", csv_of(list));
  write_file_atomically(folder / "study.md", report.text);
  const std::string charts = sections.empty() ? "" : html_comparison(comparison_of(study, sections));
  write_file_atomically(folder / "study.html",
                        html_page(study.title, notes + charts + report.tables, origin));
}

}  // namespace gen
