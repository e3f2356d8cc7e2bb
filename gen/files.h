// Reads and writes files so that nothing half-written is left, and hands out private temporary folders.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "golden/trace/io/output_file.h"

namespace gen {

using golden::FileError;

// A private folder that vanishes with the object.
class TempDir {
 public:
  explicit TempDir(std::string_view purpose = "work");
  ~TempDir();
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempDir& operator=(TempDir&&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Removes every TempDir there is: the process is about to end by a signal.
void remove_temporary_folders();

std::string read_file(const std::filesystem::path& path);

// Written under a temporary name in the same folder, then renamed: a reader sees the old file or the whole
// new one.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// Creates the folder of `-o` where it is missing. Throws FileError.
void make_output_folder(const std::filesystem::path& folder);

// Throws FileError when a result could not be written there after a long run; an empty path is no result.
void check_writable(const std::filesystem::path& path);

// Whether a path leads to the folder or below it, also through links.
bool lies_below(const std::filesystem::path& folder, const std::filesystem::path& path);

// Where results that can be made again are kept: $XDG_CACHE_HOME/l1forge, else ~/.cache/l1forge; created on
// demand. Empty when no such folder can be written; the caller then takes a TempDir.
std::filesystem::path cache_folder();

}  // namespace gen
