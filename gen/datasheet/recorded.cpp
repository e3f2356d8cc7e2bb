#include "gen/datasheet/recorded.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "gen/files.h"

namespace gen {
namespace {

// Without anchors, links and the signs around words.
std::string plain_text(std::string text) {
  text = std::regex_replace(text, std::regex("<a id=[^>]*></a>"), "");
  text = std::regex_replace(text, std::regex("<br>"), " ");
  text = std::regex_replace(text, std::regex("\\[([^\\]]*)\\]\\([^)]*\\)"), "$1");
  return std::regex_replace(text, std::regex("\\*|`"), "");
}

std::string anchor_of(const std::string& cell) {
  std::smatch found;
  return std::regex_search(cell, found, std::regex("<a id=\"([^\"]*)\">")) ? found[1].str() : "";
}

// Rows of the table between two marks of docs/verification.md, below its head.
std::vector<std::vector<std::string>> rows_between(const std::string& page, const std::string& mark,
                                                   std::size_t columns) {
  const std::string begin = "<!-- " + mark + " -->\n", end = "<!-- /" + mark + " -->";
  const std::size_t from = page.find(begin), to = page.find(end);
  if (from == std::string::npos || to == std::string::npos)
    throw FileError("docs/verification.md has no table \"" + mark + "\"");
  std::istringstream lines(page.substr(from + begin.size(), to - from - begin.size()));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ")) continue;
    rows.push_back(markdown_cells(line));
    if (rows.back().size() != columns)
      throw FileError("docs/verification.md: a row of the table \"" + mark + "\" has other columns");
  }
  if (rows.size() < 2) throw FileError("docs/verification.md: the table \"" + mark + "\" is empty");
  rows.erase(rows.begin(), rows.begin() + 2);  // the headings, and the line below them
  return rows;
}

// With commas between thousands.
std::int64_t number_of(std::string text) {
  std::erase(text, ',');
  return std::stoll(text);
}

}  // namespace

std::vector<std::string> markdown_cells(const std::string& row) {
  std::vector<std::string> cells(1);
  for (std::size_t at = 1; at < row.size(); ++at) {
    if (row[at] == '\\' && at + 1 < row.size() && row[at + 1] == '|')
      cells.back() += row[++at];
    else if (row[at] == '|')
      cells.emplace_back();
    else
      cells.back() += row[at];
  }
  cells.pop_back();  // behind the last stroke
  for (std::string& cell : cells) {
    cell.erase(0, cell.find_first_not_of(' '));
    cell.erase(cell.find_last_not_of(' ') + 1);
  }
  return cells;
}

std::vector<RecordedClaim> recorded_claims(const std::string& page, const std::string& paper) {
  const std::vector<std::string> known{"claim", "kind", "paper", "here", "holds", "why not"};
  std::vector<RecordedClaim> claims;
  std::istringstream lines(page);
  std::vector<std::size_t> columns;
  bool of_paper = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) of_paper = line == "## " + paper, columns.clear();
    if (!of_paper || !line.starts_with("| ")) continue;
    const std::vector<std::string> cells = markdown_cells(line);
    if (columns.empty()) {
      for (const std::string& name : known) {
        const auto at = std::ranges::find(cells, name);
        if (at == cells.end()) throw FileError("docs/results/claims.md has no column \"" + name + "\"");
        columns.push_back(static_cast<std::size_t>(at - cells.begin()));
      }
      continue;
    }
    if (cells.size() <= std::ranges::max(columns) || cells[0].starts_with("---")) continue;
    const auto text = [&](std::size_t n) { return plain_text(cells[columns[n]]); };
    claims.push_back(
        {anchor_of(cells[columns[0]]), text(0), text(1), text(2), text(3), text(5), text(4) == "yes"});
  }
  return claims;
}

std::vector<RecordedScore> recorded_scores(const std::string& page, const std::string& preset) {
  const std::string head =
      "| unit | module | cycles | mutants | killed | equivalent | unknown | survived | score |";
  std::istringstream lines(page);
  std::vector<RecordedScore> scores;
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    if (found && !line.starts_with("|")) break;
    found |= line == head;
    if (!found || !line.starts_with("| `" + preset + "` |")) continue;
    const auto cells = markdown_cells(line);
    scores.push_back(
        {plain_text(cells.at(1)), std::stoi(cells.at(3)), std::stoi(cells.at(4)), std::stoi(cells.at(5))});
  }
  if (!found) throw FileError("docs/verification.md has no table of scores");
  return scores;
}

std::vector<RecordedProof> recorded_proofs(const std::string& page) {
  std::vector<RecordedProof> proofs;
  for (const auto& cells : rows_between(page, "proofs", 4)) {
    RecordedProof& proof = proofs.emplace_back(
        RecordedProof{{}, plain_text(cells[1]), plain_text(cells[2]), plain_text(cells[3])});
    std::istringstream units(plain_text(cells[0]));
    for (std::string unit; std::getline(units >> std::ws, unit, ',');) proof.presets.push_back(unit);
  }
  return proofs;
}

std::optional<RecordedRuns> recorded_runs(const std::string& page, const std::string& preset) {
  for (const auto& cells : rows_between(page, "lock step", 5))
    if (plain_text(cells[0]) == preset)
      return RecordedRuns{static_cast<int>(number_of(cells[1])), number_of(cells[2]), std::stod(cells[3]),
                          static_cast<int>(number_of(cells[4]))};
  return std::nullopt;
}

std::string work_named(const std::string& bibliography, const std::string& name) {
  std::istringstream lines(bibliography);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| "))
      if (const auto cells = markdown_cells(line); cells.size() > 1 && plain_text(cells[0]) == name)
        return plain_text(cells[1]);
  return "";
}

std::vector<std::string> papers_in(const std::string& source) {
  std::vector<std::string> found;
  for (const char* paper : {"TSC", "BUCL", "DC-L1 thesis", "Decoupled L1D", "ACI thesis"})
    if (source.find(paper) != std::string::npos) found.emplace_back(paper);
  std::ranges::sort(found, {}, [&](const std::string& paper) { return source.find(paper); });
  return found;
}

}  // namespace gen
