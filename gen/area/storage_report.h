// The parts of an area report that only some units have: where the gates are, and the storage in RAMs and
// flops.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/area/report.h"

namespace gen {

// Columns of equal width, the first to the left; the last too if it holds words.
std::string aligned(const std::vector<std::vector<std::string>>& rows, bool words_last = false);

// "128 x (20 tag + 1 valid)".
std::string account_fields(const StorageAccount& account);

std::string parts_table(const AreaReport& report);
std::string storage_table(const AreaReport& report);

// Objects to be merged into the report; empty where there are none.
nlohmann::ordered_json parts_json(const AreaReport& report);
nlohmann::ordered_json storage_json(const AreaReport& report);

}  // namespace gen
