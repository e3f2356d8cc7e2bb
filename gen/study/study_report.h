// The figures of a study: a row for each configuration, measure and input, as JSON, CSV, Markdown, and a page
// with charts.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/reports.h"
#include "gen/study/study_file.h"
#include "gen/study/workflow.h"

namespace gen {

struct StudyRow {
  const StudyPoint* point;
  const Measure* measure;
  std::string input;  // trace or recording; empty where the measure has none
  nlohmann::ordered_json figures;
};

// Of all results that are there.
std::vector<StudyRow> study_rows(const Study& study, const StudyJobs& jobs, const Workflow& workflow);

struct CheckedStudy;

// study.json, study.csv, study.md and study.html, and tables/NAME.csv.
void write_study(const std::filesystem::path& folder, const Study& study, const std::vector<StudyRow>& rows,
                 const std::vector<CheckedStudy>& checks, const std::vector<WorkedTable>& tables,
                 const Origin& origin);

std::string markdown(const HtmlTable& table);

}  // namespace gen
