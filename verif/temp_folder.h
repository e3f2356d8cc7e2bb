// A private folder for a test's files; it vanishes with the object.
#pragma once
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "gen/files.h"

namespace verif {

class TempFolder {
 public:
  std::string path(const std::string& name = "") const { return (dir_ / name).string(); }
  std::string content(const std::string& name) const { return gen::read_file(dir_ / name); }

  // Returns the new file's path.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  // What lies in it, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path()))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

 private:
  gen::TempDir dir_{"test"};
};

}  // namespace verif
