// What pages of the documentation record and datasheets repeat: outcomes of claims, proofs, runs in lock
// step, and works by their short names.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gen {

// Cells of a row of a Markdown table; a stroke in a cell has a backslash.
std::vector<std::string> markdown_cells(const std::string& row);

struct RecordedClaim {
  std::string id, text, kind, paper, here, why;
  bool holds = false;
};

// The claims of one paper in a page that `l1forge claims -o` wrote. Empty for a paper without claims. Throws
// FileError where the page's table has other columns.
std::vector<RecordedClaim> recorded_claims(const std::string& page, const std::string& paper);

// The work behind a short name of docs/bibliography.md, as text; empty where it has none of that name.
std::string work_named(const std::string& bibliography, const std::string& name);

// The short names of the five papers that stand in a preset's source: "TSC, section 3 (TSC+)".
std::vector<std::string> papers_in(const std::string& source);

// A row of the scores of mutants in docs/verification.md.
struct RecordedScore {
  std::string module;
  int mutants = 0, killed = 0, equivalent = 0;
};
// Those of a preset. Throws FileError for a page without the table's columns.
std::vector<RecordedScore> recorded_scores(const std::string& page, const std::string& preset);

// A row of the proofs there.
struct RecordedProof {
  std::vector<std::string> presets = {};
  std::string property, extent, test;
};
// All of them. Throws FileError for a page without the table.
std::vector<RecordedProof> recorded_proofs(const std::string& page);

// Runs of a preset against its golden model, as the page's table has them.
struct RecordedRuns {
  int runs = 0;
  std::int64_t cycles = 0;
  double seconds = 0;
  int goals_missed = 0;
};
// Throws FileError for a page without the table.
std::optional<RecordedRuns> recorded_runs(const std::string& page, const std::string& preset);

}  // namespace gen
