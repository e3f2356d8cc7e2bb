// The claims of a paper as their TOML file lists them, and the results that their figures come from.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/claims/reading_run.h"
#include "gen/study/comparison.h"

namespace gen {

// Where figures come from: one of `unit`, `run` and `file`.
struct ResultSource {
  std::string name, place;
  std::string unit = {};                   // figures of its manifest
  std::vector<std::string> settings = {};  // key=value, of the unit
  std::vector<std::string> run = {};       // a command of l1forge, whose JSON it is
  ReadingRun reading = {};                 // the same, checked
  std::string file = {};                   // stored: CSV or JSON
  std::string study = {};                  // whose table the file is
  std::string command = {};                // that made the file
  std::string path = {};                   // of the file, or of the unit where it is one, from anywhere
  std::size_t rows = 0;                    // of the file, if it is CSV
};

struct Claim {
  std::string id, place;
  std::string section = {}, text = {};
  std::string kind = "unstated";  // or one of claim_kinds()
  std::string words = {};         // the paper's own
  bool sized = false;             // the paper has a size, and the comparison a tolerance
  std::string why = {};           // it does not hold, by an experiment
  std::string experiment = {};    // STUDY/TABLE that changes the cause
  Comparison comparison;
};

// By what can refute a claim: own arithmetic, what is built, what it does, its speed, size, or energy.
const std::vector<std::string>& claim_kinds();

struct Paper {
  std::string path, name;
  std::vector<ResultSource> sources;
  std::vector<Claim> claims;
};

// `traces` is the folder that TRACES/ stands for. Throws ConfigError with line and column.
Paper read_paper(const std::string& path, const std::filesystem::path& traces, CallParser parser);

// All *.toml of a folder, by name. Throws ConfigError.
std::vector<Paper> read_papers(const std::filesystem::path& folder, const std::filesystem::path& traces,
                               CallParser parser);

}  // namespace gen
