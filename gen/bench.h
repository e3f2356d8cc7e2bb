// `l1forge bench`: how fast this build generates and co-simulates each preset, measured side by side.
#pragma once
#include "gen/reports.h"

namespace gen {

// Prints a table unless a report goes to standard output. Returns the exit status.
int bench(const Reports& reports);

}  // namespace gen
