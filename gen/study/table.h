// Tables of a study as its file asks for them: [table.NAME], whose cells are texts with figures in them, and
// which may stand in pages of the documentation or be a file of their own.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gen/config/value.h"
#include "gen/html.h"

namespace gen {

struct Study;
struct StudyRow;

// A row or a column: what $row or $column stands for, what is printed, and a cell of its own.
struct TableLine {
  std::string name, label, place;
  std::optional<std::string> cell = {};
  bool word = false;  // NAME alone, which may stand for several
  bool one = false;   // NAME is that of one input or configuration, with any characters
};

struct StudyTable {
  std::string name, place;
  std::string heading = {};  // of the first column
  std::string cell = {};     // where neither its column nor its row has one
  std::string file = {};     // CSV
  std::vector<TableLine> rows = {}, columns = {};
};

// One of the keys of [table.NAME], or false. Throws ConfigError.
bool read_table_key(StudyTable& table, const Setting& s, const std::string& key);
const std::vector<std::string>& table_keys();

// Once all of the study is read: its configurations and inputs take the place of these words, and what $words
// stand for that of those. Throws ConfigError, also for cells that are no expressions.
void complete_tables(Study& study);

struct WorkedTable {
  const StudyTable* table;
  HtmlTable shown;  // with labels
  std::string csv;  // with names, and numbers without commas
};

// Throws ConfigError naming row and column of a figure that is not there.
std::vector<WorkedTable> worked_tables(const Study& study, const std::vector<StudyRow>& rows);

}  // namespace gen
