// The files that one call of a command reads and writes, checked together before anything runs: no result may
// overwrite an input or another result, under any path.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace gen {

class CallPaths {
 public:
  // What the call takes from this file. An empty path, "-", devices and pipes do not count, nor does a name
  // that is no file, such as a preset's.
  CallPaths& reads(const std::string& flag, const std::string& path);
  CallPaths& reads(const std::string& flag, const std::vector<std::string>& paths);
  // A trace with what it names: side file, the kernels of a list, the list of a folder.
  CallPaths& reads_traces(const std::string& flag, const std::vector<std::string>& paths);
  // A result. An empty path and "-" are none.
  CallPaths& writes(const std::string& flag, const std::string& path);
  // A result in a folder that need not be there yet.
  CallPaths& makes(const std::string& flag, const std::string& path);

  // Throws ConfigError or FileError, in terms of the flags: also for a result that cannot be written.
  void check() const;

 private:
  struct Named {
    std::string flag, path;
    std::string file;         // the same for each path of one file; empty where it does not count
    bool has_folder = false;  // must have one
  };
  static Named named(const std::string& flag, const std::string& path);

  std::vector<Named> inputs_, results_;
};

}  // namespace gen
