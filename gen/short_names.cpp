#include "gen/short_names.h"

#include <filesystem>
#include <map>
#include <set>
#include <string_view>

#include "golden/trace/open/trace_name.h"

namespace gen {

std::vector<std::string> short_names(const std::vector<std::string>& names) {
  const auto shorter = [](const std::string& name) {
    if (name.starts_with("builtin:")) return name.substr(8);
    const std::string file = golden::trace_name(name).file;
    std::string stem = std::filesystem::path(file).filename().string();
    for (const char* ending : {".xz", ".toml", ".rec", ".traceg"})
      if (stem.size() > std::string_view(ending).size() && stem.ends_with(ending))
        stem.resize(stem.size() - std::string_view(ending).size());
    return stem.empty() ? name : stem + name.substr(file.size());
  };
  std::map<std::string, std::set<std::string>> meant;
  for (const auto& name : names) meant[shorter(name)].insert(name);
  std::vector<std::string> out;
  for (const auto& name : names) out.push_back(meant[shorter(name)].size() > 1 ? name : shorter(name));
  return out;
}

}  // namespace gen
