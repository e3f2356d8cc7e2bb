#include "gen/verify/result_store.h"

#include "gen/files.h"

namespace gen {
namespace fs = std::filesystem;

ResultStore::ResultStore() : folder_(cache_folder()) {
  if (folder_.empty()) return;
  folder_ /= "verify";
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) folder_.clear();
}

std::optional<std::string> ResultStore::find(const std::string& key) const {
  std::error_code error;
  if (folder_.empty() || !fs::is_regular_file(folder_ / key, error)) return {};
  return read_file(folder_ / key);
}

void ResultStore::keep(const std::string& key, const std::string& result) const {
  if (folder_.empty()) return;
  try {
    write_file_atomically(folder_ / key, result);
  } catch (const FileError&) {
    // Then the result is worked out again.
  }
}

}  // namespace gen
