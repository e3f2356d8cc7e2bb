// What a monitor decided, in words.
#pragma once
#include <string>
#include <vector>

#include "golden/l1d/history.h"

namespace verif {

// A line each; of many the first and the last.
std::vector<std::string> lines_of(const golden::History& history);

}  // namespace verif
