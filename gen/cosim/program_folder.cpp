#include "gen/cosim/program_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include "gen/digest.h"
#include "gen/files.h"
#include "gen/paths.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

bool can_be_written(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

fs::path program_folder(const std::string& name) {
  if (const fs::path built = paths::build() / name; can_be_written(built)) return built;
  // Another clone has other libraries and headers.
  Digest digest;
  digest.add(paths::build().string());
  if (const fs::path cache = cache_folder(); !cache.empty())
    if (const fs::path kept = cache / fmt::format("{}-{}", name, digest.text()); can_be_written(kept))
      return kept;
  static const TempDir work("programs");
  const fs::path folder = work / name;
  fs::create_directories(folder);
  return folder;
}

fs::path program_place(const std::string& name, const std::string& made) {
  const fs::path built = paths::build() / name / made;
  std::error_code error;
  return fs::exists(built, error) ? built : program_folder(name) / made;
}

}  // namespace gen
