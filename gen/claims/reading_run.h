// What a claims file may have run: commands that only read, with options that only choose what they report,
// on files below the claims' folder. So the claims of others start no other program and write nothing.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/call.h"

namespace gen {

// Where a claims file and the traces lie that it names TRACES/...
struct ClaimsFolders {
  std::filesystem::path own, traces;
};

// A file that the claims name, as it can be named from anywhere. Throws ConfigError at `place` where it does
// not lie below their folder or is no regular file.
std::string file_below(const ClaimsFolders& folders, const std::string& name, const std::string& place);

// The same of a preset's name or a file.
std::string unit_below(const ClaimsFolders& folders, const std::string& name, const std::string& place);

struct ReadingRun {
  std::vector<std::string> words;  // behind "l1forge", as they mean the same anywhere
  std::vector<std::string> files;  // that it reads
};

// Throws ConfigError at `place` for a command, an option or a file that claims may not have.
ReadingRun reading_run(const std::vector<std::string>& words, const ClaimsFolders& folders,
                       const std::string& place, CallParser parser);

}  // namespace gen
