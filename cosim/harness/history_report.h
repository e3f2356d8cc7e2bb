// What a monitor decided and how its cache did meanwhile, for people and for programs, and read back.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "golden/cache/history.h"
#include "golden/l1d/timeline.h"

namespace verif {

// A list of its changes: after how many loads, and the value under its key.
nlohmann::ordered_json json_of(const golden::History& history);
// What it came to in time: how many values one after the other, the last, that held the longest and for which
// share of the cycles, and the cycles with each.
nlohmann::ordered_json summary_of(const golden::History& history);
// What its list does not say: its name, the key of a value, its title, and what values' numbers are called.
nlohmann::ordered_json heading_of(const golden::History& history);
golden::History history_of(const nlohmann::ordered_json& heading, const nlohmann::ordered_json& list);

// Lists of loads and misses, a number a part; of a run with a time of cycles and thread instructions, too.
nlohmann::ordered_json json_of(const golden::Timeline& timeline, bool timed);
std::vector<golden::Timeline::Part> parts_of(const nlohmann::ordered_json& timeline);

// A line each; of many the first and the last.
std::vector<std::string> lines_of(const golden::History& history);

}  // namespace verif
