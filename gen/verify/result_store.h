// Results of mutation runs by their content, so that a run that was cut short goes on where it was.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace gen {

// A file for each result. Any number of runs may use a folder at once.
class ResultStore {
 public:
  // In the user's cache, or nowhere if there is none.
  ResultStore();

  std::optional<std::string> find(const std::string& key) const;
  void keep(const std::string& key, const std::string& result) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gen
