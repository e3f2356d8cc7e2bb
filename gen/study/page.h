// Pages of the documentation with tables of studies: prose that is written by hand, and between
// <!-- table STUDY/NAME --> and <!-- /table -->, each in a line of its own, what the study of that name
// writes.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "gen/study/table.h"

namespace gen {

using TableTexts = std::map<std::string, std::string>;  // by name

// The page with the tables of `study` as they are now; those of other studies stay. Throws ConfigError naming
// `path` and line of a block that is not closed or names no table.
std::string page_with_tables(const std::string& page, const std::string& path, const std::string& study,
                             const TableTexts& tables);

// Throws ConfigError where write_pages() would, before anything is run.
void check_pages(const Study& study);

// Writes the pages, files and pictures that a study names. All are worked out before the first is written.
void write_pages(const Study& study, const std::vector<WorkedTable>& tables,
                 const std::vector<StudyRow>& rows);

}  // namespace gen
