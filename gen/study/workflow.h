// A study as a workflow of Snakemake, in a folder: Snakefile, jobs.json with a command for each result, and
// results/KEY.json of the finished ones. A group runs it with a profile of its own on a cluster.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "gen/study/study_jobs.h"

namespace gen {

class Workflow {
 public:
  // Writes Snakefile and jobs.json. A result that was cut short goes, with a line that says so. Throws
  // FileError.
  Workflow(std::filesystem::path folder, const StudyJobs& jobs);

  struct Failure {
    std::string label, why, command;
  };
  // Makes what is missing, `jobs` at a time, with progress on a terminal; by Snakemake where it is installed.
  // Throws FileError when another run is at the folder.
  std::vector<Failure> run(int jobs);

  std::size_t missing() const;  // results
  std::filesystem::path result(const std::string& key) const { return folder_ / "results" / (key + ".json"); }

 private:
  std::filesystem::path log(const std::string& key) const { return folder_ / "logs" / (key + ".log"); }

  std::filesystem::path folder_;
  std::vector<StudyJob> jobs_;
};

}  // namespace gen
