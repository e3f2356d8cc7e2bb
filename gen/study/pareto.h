// Fronts of a study: the configurations that none other beats, being at least as good in cost and value and
// better in one, per input and over all of them, as tables and pictures.
#pragma once
#include <string>
#include <vector>

#include "gen/charts/chart.h"
#include "gen/html.h"
#include "gen/study/study_file.h"
#include "gen/study/study_report.h"

namespace gen {

struct ParetoPoint {
  const StudyPoint* point;
  double cost, value;
  bool on_front = false;
};

// By ascending cost.
struct ParetoFront {
  std::string input;  // empty: the geometric mean over all inputs
  std::vector<ParetoPoint> points;
};

// The mean first. A configuration without the figures of every input is on none.
std::vector<ParetoFront> fronts_of(const ParetoPlot& plot, const std::vector<StudyRow>& rows);

// Those on the front of the mean.
std::vector<const StudyPoint*> front_of_mean(const ParetoPlot& plot, const std::vector<StudyRow>& rows);

// What expressions call front.PLOT[INPUT]: how many configurations have the figures, `of`, and are on the
// front, `on`, and how many of the latter are of a grid, `GRID`, or have a setting, `KEY=VALUE`.
nlohmann::ordered_json counts_of(const Study& study, const ParetoFront& front);

// What the front of the mean is called where others are by their inputs.
inline constexpr const char* mean_title = "geometric mean";
std::string title_of(const ParetoFront& front);
Chart chart_of(const ParetoPlot& plot, const ParetoFront& front);
HtmlTable front_table(const ParetoPlot& plot, const ParetoFront& front);

}  // namespace gen
