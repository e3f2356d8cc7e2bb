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

#include "golden/trace/io/process_mark.h"

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

fs::path path_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// Of the first folder of a process: what killed ones have left there goes.
void remove_stale_lines_once(const fs::path& base, std::string_view prefix) {
  static std::once_flag done;
  std::call_once(done, [&] { golden::remove_stale_lines(base, prefix, ""); });
}

// An absolute folder without blanks: yosys hands its name to abc unquoted.
fs::path temporary_base() {
  const fs::path named = path_in("TMPDIR"), usual = "/tmp";
  std::error_code error;
  if (!named.empty() && !fs::is_directory(named, error))
    throw FileError(fmt::format("TMPDIR={}: {}; set it to a folder for temporary files, or to nothing for {}",
                                named.string(), error ? error.message() : "is no folder", usual.string()));
  const fs::path base = named.empty() ? usual : fs::absolute(named, error);
  return error || base.string().find_first_of(" \t") != std::string::npos ? usual : base;
}

}  // namespace

TempDir::TempDir(std::string_view purpose) {
  constexpr std::string_view prefix = "l1forge-";
  const fs::path base = temporary_base();
  std::string pattern =
      (base / fmt::format("{}{}-{}-XXXXXX", prefix, purpose, golden::process_mark())).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    const std::string why = std::strerror(errno);
    throw FileError(
        fmt::format("{}: no temporary folder can be made there: {}; set TMPDIR", base.string(), why));
  }
  path_ = pattern;
  const std::lock_guard lock(live_folders().mutex);
  live_folders().paths.insert(path_);
  remove_stale_lines_once(base, prefix);
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

bool lies_below(const fs::path& folder, const fs::path& path) {
  std::error_code error, none;
  const fs::path from = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder), error);
  const fs::path to = fs::weakly_canonical(fs::absolute(path), none);
  for (fs::path part = to; part.has_relative_path(); part = part.parent_path())
    if (fs::is_symlink(fs::symlink_status(part, none))) return false;  // to what is not there yet
  return !error && !to.empty() && *to.lexically_relative(from).begin() != "..";
}

void make_output_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw FileError(fmt::format("-o {}: cannot create the folder: {}", folder.string(),
                                error ? error.message() : "a file is in the way"));
}

fs::path cache_folder() {
  fs::path base = path_in("XDG_CACHE_HOME");
  if (!base.is_absolute() && path_in("HOME").is_absolute()) base = path_in("HOME") / ".cache";
  if (!base.is_absolute()) return {};
  std::error_code error;
  const fs::path folder = base / "l1forge";
  fs::create_directories(folder, error);
  return !error && ::access(folder.c_str(), W_OK) == 0 ? folder : fs::path();
}

}  // namespace gen
