// The claims of a paper as their TOML file lists them, and the results that their figures come from.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/study/comparison.h"

namespace gen {

// Where figures come from: one of `unit`, `run` and `file`.
struct ResultSource {
  std::string name, place;
  std::string unit = {};                   // figures of its manifest
  std::vector<std::string> settings = {};  // key=value, of the unit
  std::vector<std::string> run = {};       // a command of l1forge, whose JSON it is
  std::string file = {};                   // stored: CSV or JSON
  std::string command = {};                // that made the file
  std::size_t rows = 0;                    // of the file, if it is CSV
};

struct Claim {
  std::string id, place;
  std::string section = {}, text = {};
  std::string why = {};  // it does not hold, by an experiment
  Comparison comparison;
};

struct Paper {
  std::string path, name;
  std::vector<ResultSource> sources;
  std::vector<Claim> claims;
};

// Throws ConfigError with line and column.
Paper read_paper(const std::string& path);

// All *.toml of a folder, by name; of one paper where `name` is not empty. Throws ConfigError.
std::vector<Paper> read_papers(const std::filesystem::path& folder, const std::string& name);

}  // namespace gen
