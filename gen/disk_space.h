// Why a tool failed that does not say so itself: no space is left where it writes.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace gen {

// "; no space is left in /tmp/x", of the first of these folders that has none to speak of, else "".
std::string no_space_left(const std::vector<std::filesystem::path>& folders);

}  // namespace gen
