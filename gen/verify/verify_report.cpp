#include "gen/verify/verify_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "gen/files.h"
#include "gen/html.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

Json listed(const std::vector<const JudgedMutant*>& mutants) {
  Json list = Json::array();
  for (const JudgedMutant* m : mutants)
    list.push_back({{"net", m->mutant.net},
                    {"change", m->mutant.change},
                    {"file", m->mutant.file},
                    {"line", m->mutant.line}});
  return list;
}

Json json_of(const Config& config, const std::vector<ModuleScore>& scores,
             const std::vector<JudgedMutant>& mutants, const VerifyRequest& request) {
  Json modules = Json::array();
  for (const ModuleScore& s : scores)
    modules.push_back({{"module", s.module},
                       {"mutants", s.mutants},
                       {"killed", s.killed},
                       {"equivalent", s.equivalent},
                       {"unknown", s.unknown.size()},
                       {"survived", listed(s.survived)},
                       {"undecided", listed(s.unknown)}});
  std::map<std::string, int> by, in;
  for (const JudgedMutant& m : mutants)
    if (m.fate == Fate::killed) ++by[m.runs.killed_by], ++in[m.runs.in];
  return {{"top", config.top},  {"seed", request.seed}, {"cycles", request.cycles},
          {"modules", modules}, {"killed_by", by},      {"killed_in", in}};
}

std::string place_of(const Mutant& m) { return fmt::format("{}:{}", m.file, m.line); }

std::vector<std::string> row_of(const ModuleScore& s) {
  return {s.module,
          std::to_string(s.mutants),
          std::to_string(s.killed),
          std::to_string(s.equivalent),
          std::to_string(s.unknown.size()),
          std::to_string(s.survived.size()),
          score_text(s.mutants, s.killed, s.equivalent)};
}

ModuleScore sum_of(const std::vector<ModuleScore>& scores) {
  ModuleScore sum{.module = "all"};
  for (const ModuleScore& s : scores) {
    sum.mutants += s.mutants, sum.killed += s.killed, sum.equivalent += s.equivalent;
    sum.unknown.insert(sum.unknown.end(), s.unknown.begin(), s.unknown.end());
    sum.survived.insert(sum.survived.end(), s.survived.begin(), s.survived.end());
  }
  return sum;
}

HtmlTable table_of(const std::vector<ModuleScore>& scores) {
  HtmlTable table{.headings = {"module", "mutants", "killed", "equivalent", "unknown", "survived", "score"},
                  .rows = {},
                  .words = 1};
  for (const ModuleScore& s : scores) table.rows.push_back(row_of(s));
  if (scores.size() > 1) table.rows.push_back(row_of(sum_of(scores)));
  return table;
}

void print(const std::vector<ModuleScore>& scores) {
  const HtmlTable table = table_of(scores);
  std::size_t wide = table.headings[0].size();
  for (const auto& row : table.rows) wide = std::max(wide, row[0].size());
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = fmt::format("{:<{}}", cells[0], wide);
    for (std::size_t i = 1; i < cells.size(); ++i) text += fmt::format("{:>12}", cells[i]);
    fmt::print("{}\n", text);
  };
  line(table.headings);
  for (const auto& row : table.rows) line(row);
  for (const ModuleScore& s : scores)
    for (const auto& [word, list] : {std::pair{"survived", &s.survived}, {"unknown", &s.unknown}})
      for (const JudgedMutant* m : *list)
        fmt::print("{}: {} {}: {}  ({})\n", word, s.module, m->mutant.net, m->mutant.change,
                   place_of(m->mutant));
}

}  // namespace

std::vector<ModuleScore> scores_of(const std::vector<JudgedMutant>& mutants) {
  std::vector<ModuleScore> scores;
  for (const JudgedMutant& m : mutants) {
    if (scores.empty() || scores.back().module != m.mutant.module)
      scores.push_back({.module = m.mutant.module});
    ModuleScore& s = scores.back();
    ++s.mutants;
    s.killed += m.fate == Fate::killed;
    s.equivalent += m.fate == Fate::equivalent;
    if (m.fate == Fate::unknown) s.unknown.push_back(&m);
    if (m.fate == Fate::survived) s.survived.push_back(&m);
  }
  return scores;
}

std::string score_text(std::size_t mutants, std::size_t killed, std::size_t equivalent) {
  if (mutants == equivalent) return "-";
  return fmt::format("{:.1f} %",
                     100.0 * static_cast<double>(killed) / static_cast<double>(mutants - equivalent));
}

void write_verify_report(const Config& config, const rtl::Module& top,
                         const std::vector<JudgedMutant>& mutants, const VerifyRequest& request) {
  const std::vector<ModuleScore> scores = scores_of(mutants);
  const std::string json = json_of(config, scores, mutants, request).dump(2) + "\n";
  if (request.json == "-")
    std::cout << json;
  else
    print(scores);
  if (!request.json.empty() && request.json != "-") write_file_atomically(request.json, json);
  if (request.html.empty()) return;
  const std::string body = html(table_of(scores)) + verify_page(top, scores);
  write_file_atomically(request.html,
                        html_page(config.top + ": mutants and survivors", body, request.origin));
}

}  // namespace gen
