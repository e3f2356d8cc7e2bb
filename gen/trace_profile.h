// A profile of a trace as text, as JSON and as a page with pictures.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gen/reports.h"
#include "golden/trace/profile/profile.h"

namespace gen {

std::string profile_text(const golden::Profile& profile);
nlohmann::ordered_json profile_json(const golden::Profile& profile);
std::string profile_html(const std::vector<golden::Profile>& profiles, const Origin& origin);

}  // namespace gen
