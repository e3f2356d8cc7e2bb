// What a monitor decided, for people and for programs.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden/l1d/history.h"

namespace verif {

// A list of its changes: after how many loads, and the value under its key.
nlohmann::ordered_json json_of(const golden::History& history);

// A line each; of many the first and the last.
std::vector<std::string> lines_of(const golden::History& history);

}  // namespace verif
