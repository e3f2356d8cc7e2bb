// The history of an adaptive index in words.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "golden/l1d/adaptive.h"

namespace verif {

// A line each; of many the first and the last.
std::vector<std::string> lines_of(std::span<const golden::AdiChange> history);

}  // namespace verif
