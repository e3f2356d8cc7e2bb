#include "gen/verify/upsets.h"

#include <fmt/format.h>

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "gen/config/error.h"
#include "gen/cosim/quiet_run.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "gen/unit/unit_kind.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

// Of each array there comes one in eight cycles at most, and some words have an upset already.
constexpr std::int64_t cycles_for_an_upset = 12, least_cycles = 20'000;

constexpr std::array counts{"upsets",    "one",       "two_adjacent", "two_anywhere", "masked",
                            "corrected", "refetched", "detected",     "silent",       "wrong_without_check"};

// The arrays of a run are added to those of the runs before.
void add(Json& arrays, const Json& run) {
  if (arrays.empty()) {
    arrays = run;
    return;
  }
  for (std::size_t n = 0; n < run.size(); ++n)
    for (const char* count : counts)
      arrays[n][count] = arrays[n][count].get<std::int64_t>() + run[n][count].get<std::int64_t>();
}

std::int64_t fewest(const Json& arrays) {
  std::int64_t least = INT64_MAX;
  for (const Json& a : arrays) least = std::min(least, a["upsets"].get<std::int64_t>());
  return arrays.empty() ? 0 : least;
}

void print(const Json& report) {
  fmt::print("{:<8}", "array");
  for (const char* heading : {"upsets", "masked", "corrected", "refetched", "detected", "silent"})
    fmt::print("{:>11}", heading);
  fmt::print("{:>22}\n", "wrong without check");
  for (const Json& a : report["arrays"]) {
    fmt::print("{:<8}", a["array"].get<std::string>());
    for (const char* count : {"upsets", "masked", "corrected", "refetched", "detected", "silent"})
      fmt::print("{:>11}", a[count].get<std::int64_t>());
    fmt::print("{:>22}\n", a["wrong_without_check"].get<std::int64_t>());
  }
  if (report.contains("mismatch")) fmt::print("FAILED: {}\n", report["mismatch"].dump());
}

}  // namespace

int verify_upsets(const Config& config, const VerifyRequest& request) {
  find_tool("verilator");
  elaborate(config);  // says what is refused, in the caller's words
  if (unit_kind_of(config).cosim(config.params).upsets.empty())
    throw ConfigError("--upsets",
                      fmt::format("{} has no protected RAM; set ecc.data or ecc.tags", config.top));
  Json report{{"top", config.top}, {"seed", request.seed}, {"cycles", 0}, {"arrays", Json::array()}};
  std::uint64_t seed = request.seed;
  bool failed = false;
  while (!failed && fewest(report["arrays"]) < request.upsets) {
    const std::int64_t left = request.upsets - fewest(report["arrays"]),
                       cycles = std::max(left * cycles_for_an_upset, least_cycles);
    const Json run = quiet_run(config, {.random_cycles = cycles, .seed = seed++, .coverage = false});
    report["cycles"] = report["cycles"].get<std::int64_t>() + run["cycles"].get<std::int64_t>();
    add(report["arrays"], run["upsets"]);
    failed = !run["mismatches"].empty();
    if (failed) report["mismatch"] = run["mismatches"][0];
  }
  const std::string text = report.dump(2) + "\n";
  if (request.json == "-")
    std::cout << text;
  else
    print(report);
  if (!request.json.empty() && request.json != "-") write_file_atomically(request.json, text);
  return failed;
}

}  // namespace gen
