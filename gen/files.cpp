#include "gen/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>

namespace gen {

namespace fs = std::filesystem;

namespace {

// Folders to remove when a signal ends the process; never destroyed, since a signal may come at any time.
struct LiveFolders {
  std::mutex mutex;
  std::set<fs::path> paths;
};
LiveFolders& live_folders() {
  static auto* folders = new LiveFolders;
  return *folders;
}

// An absolute folder without blanks: yosys hands its name to abc unquoted.
fs::path temporary_base() {
  std::error_code error;
  const fs::path base = fs::absolute(fs::temp_directory_path(error));
  if (error) throw FileError(fmt::format("no folder for temporary files: {}; set TMPDIR", error.message()));
  return base.string().find_first_of(" \t") == std::string::npos ? base : fs::path("/tmp");
}

}  // namespace

TempDir::TempDir(std::string_view purpose) {
  std::string pattern = (temporary_base() / fmt::format("l1forge-{}-XXXXXX", purpose)).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw FileError(fmt::format("cannot create {}: {}; set TMPDIR", pattern, std::strerror(errno)));
  }
  path_ = pattern;
  const std::lock_guard lock(live_folders().mutex);
  live_folders().paths.insert(path_);
}

TempDir::~TempDir() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  const std::lock_guard lock(live_folders().mutex);
  live_folders().paths.erase(path_);
}

void remove_temporary_folders() {
  live_folders().mutex.lock();  // for good: nobody adds one any more
  std::error_code ignored;
  for (const auto& path : live_folders().paths) fs::remove_all(path, ignored);
}

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path, ignored)) {
    throw FileError(fmt::format("cannot read {}: {}", path.string(), std::strerror(in ? EISDIR : errno)));
  }
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) throw FileError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  return std::move(text).str();
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  golden::OutputFile file(path);
  file.write(text);
  file.commit();
}

void check_writable(const fs::path& path) {
  if (path.empty()) return;
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    throw FileError(fmt::format("cannot write {}: not a regular file; - is standard output", path.string()));
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!fs::is_directory(folder, error))
    throw FileError(fmt::format("cannot write {}: {} is not a folder", path.string(), folder.string()));
  if (::access(folder.c_str(), W_OK) != 0)
    throw FileError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  fs::path base = variable("XDG_CACHE_HOME");
  if (!base.is_absolute() && variable("HOME").is_absolute()) base = variable("HOME") / ".cache";
  if (!base.is_absolute()) return {};
  std::error_code error;
  const fs::path folder = base / "l1forge";
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK) == 0 ? folder : fs::path();
}

}  // namespace gen
