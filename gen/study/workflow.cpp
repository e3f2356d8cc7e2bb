#include "gen/study/workflow.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>

#include "gen/config/json_file.h"
#include "gen/config/text.h"
#include "gen/digest.h"
#include "gen/disk_space.h"
#include "gen/explore/progress.h"
#include "gen/files.h"
#include "gen/in_parallel.h"
#include "gen/process.h"
#include "gen/shell_line.h"

namespace gen {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_batches = 200;  // Snakemake takes its time over thousands of jobs

constexpr std::string_view snakefile =
    R"(# Written by `l1forge study`. Makes each result that is missing: snakemake --cores N
import json

with open("jobs.json") as file:
    batches = {batch["name"]: batch["script"] for batch in json.load(file)["batches"]}


rule all:
    input:
        expand("batches/{name}", name=batches),


# l1forge writes a result under its name only when it is whole; what is there is not made again.
rule batch:
    output:
        "batches/{name}",
    params:
        script=lambda wildcards: batches[wildcards.name],
    shell:
        "{params.script} > {output}"
)";

// The one run that a folder may have at a time; the system releases it at any end of the process.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : file_(::open((folder / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw FileError(fmt::format("{}: cannot be written", folder.string()));
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(file_);
    throw FileError(fmt::format("{}: another study runs in this folder; wait for it, or use another -o",
                                folder.string()));
  }
  FolderLock(const FolderLock&) = delete;
  ~FolderLock() { ::close(file_); }

 private:
  int file_;
};

std::string line_of(const StudyJob& job, const std::string& program) {
  std::string line = shell_word(program);
  for (const std::string& word : job.command) line += " " + shell_word(word);
  return line;
}

// Makes those of its results that are missing, one after the other, and fails after all if one has failed.
std::string script_of(std::span<const StudyJob> batch, const std::string& program) {
  std::string script = "failed=0; ";
  for (const StudyJob& job : batch)
    script += fmt::format(
        "[ -e results/{0}.json ] || {1} --json results/{0}.json > logs/{0}.log 2>&1 || "
        "failed=1; ",
        job.key, line_of(job, program));
  return script + "[ $failed = 0 ] && echo done";
}

std::string name_of(std::span<const StudyJob> batch) {
  Digest digest;
  for (const StudyJob& job : batch) digest.add(job.key);
  return digest.text();
}

// Whether the file is a result of the job: JSON of its unit with a row of figures for each input.
bool is_whole(const fs::path& file, const StudyJob& job) {
  using Json = nlohmann::ordered_json;
  const std::string& figure = job.kind->shown[0];
  const auto is_others = [&](const Json& of) {
    return !job.top.empty() && of.contains("top") && of["top"] != job.top;
  };
  const auto has_figures = [&](const Json& row) {
    return !is_others(row) && row.contains(figure.substr(0, figure.find('.')));
  };
  try {
    const auto result = json_from<Json>(read_file(file), file.string());
    if (job.kind->rows.empty() || is_others(result)) return has_figures(result);
    const auto rows = result.find(job.kind->rows);
    return rows != result.end() && rows->size() == job.rows && std::ranges::all_of(*rows, has_figures);
  } catch (const ConfigError&) {
    return false;
  }
}

bool has_snakemake() try {
  find_tool("snakemake");
  return true;
} catch (const ToolError&) {
  return false;
}

Finished run_snakemake(const fs::path& folder, int jobs) {
  Command command{.argv = {"snakemake", "--cores", std::to_string(jobs), "--keep-going", "--nolock",
                           "--rerun-incomplete", "--rerun-triggers", "mtime", "--quiet"},
                  .folder = folder};
  const TempDir cache("study");  // Snakemake ends with an error where it finds no folder of its own
  if (cache_folder().empty()) command.environment.emplace_back("XDG_CACHE_HOME", cache.path().string());
  return gen::run(command);
}

// The rules of the Snakefile, where there is no Snakemake.
Finished run_batches(const fs::path& folder, int jobs) {
  const fs::path file = folder / "jobs.json";
  const auto list = json_from<nlohmann::ordered_json>(read_file(file), file.string()).at("batches");
  Finished all;
  all.status = 0;
  std::mutex mutex;  // of `all`
  const auto make = [&](std::size_t n) {
    const fs::path mark = folder / "batches" / list[n].at("name").get<std::string>();
    if (fs::exists(mark)) return;
    const Finished done =
        gen::run({.argv = {"sh", "-c", list[n].at("script").get<std::string>()}, .folder = folder});
    if (done.ok()) return write_file_atomically(mark, done.output);
    const std::lock_guard lock(mutex);
    all = done;
  };
  in_parallel(list.size(), make, static_cast<std::size_t>(jobs));
  return all;
}

}  // namespace

Workflow::Workflow(fs::path folder, const StudyJobs& jobs) : folder_(std::move(folder)), jobs_(jobs.jobs) {
  std::error_code error;
  for (const char* folder : {"results", "logs", "batches"}) {
    fs::create_directories(folder_ / folder, error);
    if (error)
      throw FileError(
          fmt::format("{}: cannot create the folder: {}", (folder_ / folder).string(), error.message()));
  }
  for (const StudyJob& job : jobs_)
    if (fs::exists(result(job.key), error) && !is_whole(result(job.key), job)) {
      std::cerr << fmt::format("{}: is cut short or no result; made again\n", result(job.key).string());
      fs::remove(result(job.key), error);
    }
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  nlohmann::ordered_json list = nlohmann::ordered_json::array(), batches = list;
  for (const StudyJob& job : jobs_)
    list.push_back({{"key", job.key}, {"label", job.label}, {"command", line_of(job, program)}});
  const std::size_t size = (jobs_.size() + most_batches - 1) / most_batches;
  for (std::size_t from = 0; from < jobs_.size(); from += size) {
    const std::span batch = std::span(jobs_).subspan(from, std::min(size, jobs_.size() - from));
    const std::string name = name_of(batch);
    batches.push_back({{"name", name}, {"script", script_of(batch, program)}});
    // Snakemake goes by the mark of a batch, which may be older than what was removed of it.
    if (std::ranges::any_of(batch, [&](const StudyJob& j) { return !fs::exists(result(j.key), error); }))
      fs::remove(folder_ / "batches" / name, error);
  }
  const nlohmann::ordered_json all{{"jobs", list}, {"batches", batches}};
  check_names(all);
  write_file_atomically(folder_ / "jobs.json", all.dump(1) + "\n");
  write_file_atomically(folder_ / "Snakefile", snakefile);
}

std::size_t Workflow::missing() const {
  std::error_code error;
  return static_cast<std::size_t>(
      std::ranges::count_if(jobs_, [&](const StudyJob& j) { return !fs::exists(result(j.key), error); }));
}

std::vector<Workflow::Failure> Workflow::run(int jobs) {
  const FolderLock lock(folder_);
  const std::size_t wanted = missing();
  if (wanted == 0) return {};
  Progress progress("study", "results", 1);
  std::jthread watch([&](const std::stop_token& stop) {
    for (std::size_t done = 0; !stop.stop_requested();) {
      const std::size_t now = wanted - missing();
      progress.show(0, static_cast<double>(now) / static_cast<double>(wanted), now - done);
      done = now;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  });
  const Finished done = has_snakemake() ? run_snakemake(folder_, jobs) : run_batches(folder_, jobs);
  watch.request_stop();
  watch.join();
  std::vector<Failure> failures;
  std::error_code error;
  for (const StudyJob& job : jobs_) {
    if (fs::exists(result(job.key), error)) continue;
    const std::string said = fs::exists(log(job.key), error) ? log_tail(read_file(log(job.key)), 1) : "";
    failures.push_back(
        {job.label, said.empty() ? "was not run: " + log_tail(done.output) : said, line_of(job, "l1forge")});
  }
  if (!failures.empty())
    if (const std::string space = no_space_left({folder_}); !space.empty())
      throw FileError(fmt::format("{} results are missing{}", failures.size(), space));
  return failures;
}

}  // namespace gen
