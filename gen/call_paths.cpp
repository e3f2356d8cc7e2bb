#include "gen/call_paths.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "gen/config/error.h"
#include "gen/files.h"
#include "golden/trace/open/open_trace.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

// Device and inode of a file that is there, the canonical folder and the name of one that is not.
std::string identity(const std::string& path) {
  struct stat found;
  if (::stat(path.c_str(), &found) == 0)
    return S_ISREG(found.st_mode) ? fmt::format("{}:{}", found.st_dev, found.st_ino) : "";
  std::error_code error;
  const fs::path whole = fs::absolute(path, error), folder = fs::weakly_canonical(whole.parent_path(), error);
  return (folder / whole.filename()).string();
}

}  // namespace

CallPaths::Named CallPaths::named(const std::string& flag, const std::string& path) {
  return {.flag = flag, .path = path, .file = path.empty() || path == "-" ? "" : identity(path)};
}

CallPaths& CallPaths::reads(const std::string& flag, const std::string& path) {
  if (std::error_code error; fs::is_regular_file(path, error)) inputs_.push_back(named(flag, path));
  return *this;
}

CallPaths& CallPaths::reads(const std::string& flag, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) reads(flag, path);
  return *this;
}

CallPaths& CallPaths::reads_traces(const std::string& flag, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) reads(flag, golden::files_of_trace(path));
  return *this;
}

CallPaths& CallPaths::writes(const std::string& flag, const std::string& path) {
  makes(flag, path);
  results_.back().has_folder = !path.empty() && path != "-";
  return *this;
}

CallPaths& CallPaths::makes(const std::string& flag, const std::string& path) {
  results_.push_back(named(flag, path));
  return *this;
}

void CallPaths::check() const {
  for (const Named& result : results_) try {
      if (result.has_folder) check_writable(result.path);
    } catch (const FileError& e) {
      throw FileError(fmt::format("{}: {}", result.flag, e.what()));
    }
  for (std::size_t i = 0; i < results_.size(); ++i) {
    const Named& result = results_[i];
    if (result.file.empty()) continue;
    for (const Named& input : inputs_)
      if (input.file == result.file)
        throw ConfigError(
            fmt::format("{} {}", result.flag, result.path),
            fmt::format("would replace {}, which {} reads; name another file", input.path, input.flag));
    for (std::size_t j = 0; j < i; ++j)
      if (results_[j].file == result.file)
        throw ConfigError(fmt::format("{} {}", result.flag, result.path),
                          fmt::format("is also the result of {} {}; name another file", results_[j].flag,
                                      results_[j].path));
  }
}

}  // namespace gen
