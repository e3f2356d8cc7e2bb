// What the parts of a study ask of each other: inputs for what is measured on them, grids and plots that are
// there for what names them.
#pragma once
#include <string>
#include <vector>

#include "gen/study/study_grid.h"

namespace gen {

// `names_place`: of what names the inputs. Throws ConfigError with line and column.
void check_parts(const Study& study, const std::vector<Grid>& grids, const std::string& names_place);

}  // namespace gen
