#include "gen/verify/upsets.h"

#include <fmt/format.h>

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>

#include "gen/config/error.h"
#include "gen/cosim/quiet_run.h"
#include "gen/files.h"
#include "gen/process.h"
#include "gen/unit/unit.h"
#include "gen/unit/unit_kind.h"
#include "hw/l1d/l1d_params.h"

namespace gen {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t least_cycles = 20'000;

// Of each array there comes one in eight cycles at most, and some words have an upset already. What cannot be
// corrected and ends in a reset comes less often.
std::int64_t cycles_for_an_upset(hw::Protection mshr) {
  if (mshr == hw::Protection::none) return 12;
  return mshr == hw::Protection::parity ? 140 : 50;
}

constexpr std::array counts_without_check{"upsets", "one", "two_adjacent", "two_anywhere", "wrong_loads"};
constexpr std::array checked_counts{
    "upsets",    "one",       "two_adjacent", "two_anywhere", "masked",
    "corrected", "refetched", "detected",     "silent",       "wrong_without_check"};

// The arrays of a run are added to those of the runs before.
void add(Json& arrays, const Json& run, std::span<const char* const> sums) {
  if (arrays.empty()) {
    arrays = run;
    return;
  }
  for (std::size_t n = 0; n < run.size(); ++n)
    for (const char* count : sums)
      arrays[n][count] = arrays[n][count].get<std::int64_t>() + run[n][count].get<std::int64_t>();
}

std::int64_t fewest(const Json& arrays) {
  std::int64_t least = INT64_MAX;
  for (const Json& a : arrays) least = std::min(least, a["upsets"].get<std::int64_t>());
  return arrays.empty() ? 0 : least;
}

// Of the same cache with this protection: what it protects.
std::vector<std::string> parts_with(const Config& config, const hw::EccParams& ecc) {
  if (!hw::is_protected(ecc)) return {};
  hw::L1dParams params = config.get<hw::L1dParams>();
  params.ecc = ecc;
  return unit_kind_of(config).cosim(params).upsets;
}

// Runs until each array of the report has had its upsets, or a run fails.
bool run_upsets(const Config& config, const VerifyRequest& request, const hw::EccParams& as_with,
                std::span<const char* const> sums, Json& report) {
  Json arrays = Json::array();
  std::int64_t cycles_run = 0;
  std::uint64_t seed = request.seed;
  bool failed = false;
  const hw::Protection mshr = config.get<hw::L1dParams>().ecc.mshr;
  while (!failed && fewest(arrays) < request.upsets) {
    const std::int64_t left = request.upsets - fewest(arrays),
                       cycles = std::max(left * cycles_for_an_upset(mshr), least_cycles);
    const Json run = quiet_run(config, {.random_cycles = cycles,
                                        .seed = seed++,
                                        .coverage = false,
                                        .upsets_as_with = as_with,
                                        .upset_parts = parts_with(config, as_with)});
    cycles_run += run["cycles"].get<std::int64_t>();
    add(arrays, run["upsets"], sums);
    failed = !run["mismatches"].empty();
    if (failed) report["mismatch"] = run["mismatches"][0];
  }
  report["cycles"] = report["cycles"].get<std::int64_t>() + cycles_run;
  for (Json& array : arrays) report["arrays"].push_back(std::move(array));
  return failed;
}

bool is_native_cache(const Config& config) {
  const auto* const cache = config.params.find<hw::L1dParams>();
  return cache && cache->protocol == hw::MemoryProtocol::native;
}

void check_upsets(const Config& config) {
  find_tool("verilator");
  elaborate(config);  // says what is refused, in the caller's words
  if (!is_native_cache(config))
    throw ConfigError("--upsets",
                      fmt::format("{} is no L1 data cache with memory.protocol = \"native\" by itself; cosim "
                                  "--random flips bits of other caches, where they are protected",
                                  config.top));
  if (unit_kind_of(config).cosim(config.params).upsets.empty())
    throw ConfigError("--upsets",
                      fmt::format("{} has no protected RAM; set ecc.data, ecc.tags or ecc.mshr", config.top));
}

Json empty_report(const Config& config, const VerifyRequest& request) {
  return {{"top", config.top}, {"seed", request.seed}, {"cycles", 0}, {"arrays", Json::array()}};
}

void print_without_check(const Json& report) {
  fmt::print("{:<16}{:>11}{:>22}\n", "array", "upsets", "loads with wrong data");
  for (const Json& a : report["arrays"])
    fmt::print("{:<16}{:>11}{:>22}\n", a["array"].get<std::string>(), a["upsets"].get<std::int64_t>(),
               a["wrong_loads"].get<std::int64_t>());
  if (report.contains("mismatch")) fmt::print("FAILED: {}\n", report["mismatch"].dump());
}

void deliver(const Json& report, const VerifyRequest& request, void (*show)(const Json&)) {
  const std::string text = report.dump(2) + "\n";
  if (request.json == "-")
    std::cout << text;
  else
    show(report);
  if (!request.json.empty() && request.json != "-") write_file_atomically(request.json, text);
}

void print(const Json& report) {
  fmt::print("{:<16}", "array");
  for (const char* heading : {"upsets", "masked", "corrected", "refetched", "detected", "silent"})
    fmt::print("{:>11}", heading);
  fmt::print("{:>22}\n", "wrong without check");
  for (const Json& a : report["arrays"]) {
    fmt::print("{:<16}", a["array"].get<std::string>());
    for (const char* count : {"upsets", "masked", "corrected", "refetched", "detected", "silent"})
      fmt::print("{:>11}", a[count].get<std::int64_t>());
    fmt::print("{:>22}\n", a["wrong_without_check"].get<std::int64_t>());
  }
  if (report.contains("mismatch")) fmt::print("FAILED: {}\n", report["mismatch"].dump());
}

constexpr std::array flop_columns{"flops", "upsets", "masked", "harmless", "detected", "hung", "silent"};

void print_flops(const Json& report) {
  fmt::print("{:<24}", "registers");
  for (const char* heading : flop_columns) fmt::print("{:>10}", heading);
  fmt::print("\n");
  const auto row = [](const Json& group) {
    fmt::print("{:<24}", group["registers"].get<std::string>());
    for (const char* column : flop_columns) fmt::print("{:>10}", group[column].get<std::int64_t>());
    fmt::print("\n");
  };
  for (const Json& group : report["groups"]) row(group);
  row(report["all"]);
}

}  // namespace

int verify_flop_upsets(const Config& config, const VerifyRequest& request) {
  find_tool("verilator");
  elaborate(config);  // says what is refused, in the caller's words
  if (!is_native_cache(config))
    throw ConfigError("--flop-upsets",
                      fmt::format("{} is no L1 data cache with memory.protocol = \"native\"", config.top));
  const Json run =
      quiet_run(config, {.seed = request.seed, .coverage = false, .flop_upsets = request.flop_upsets});
  Json all{{"registers", "all"}};
  for (const char* column : flop_columns) {
    std::int64_t sum = 0;
    for (const Json& group : run["flop_upsets"]) sum += group[column].get<std::int64_t>();
    all[column] = sum;
  }
  const Json report{{"top", config.top},
                    {"seed", request.seed},
                    {"cycles", run["cycles"]},
                    {"groups", run["flop_upsets"]},
                    {"all", all}};
  deliver(report, request, print_flops);
  return 0;
}

int verify_upsets(const Config& config, const VerifyRequest& request) {
  check_upsets(config);
  Json report = empty_report(config, request);
  const bool failed = run_upsets(config, request, {}, checked_counts, report);
  deliver(report, request, print);
  return failed;
}

int verify_upsets_without_check(const Config& config, const VerifyRequest& request) {
  check_upsets(config);
  const hw::EccParams ecc = config.get<hw::L1dParams>().ecc;
  if (!hw::protects_data(ecc) && !hw::protects_tags(ecc))
    throw ConfigError("--without-check",
                      "is of the data RAM and of tags: a wrong id or address has no defined effect; set "
                      "ecc.data or ecc.tags, or leave it out");
  Json report = empty_report(config, request);
  bool failed = false;
  Config bare = config;
  bare.params.get<hw::L1dParams>().ecc = {};
  const auto run = [&](const hw::EccParams& array) {
    if (!failed && hw::is_protected(array))
      failed = run_upsets(bare, request, array, counts_without_check, report);
  };
  run({.data = ecc.data, .data_bits = ecc.data_bits});
  run({.tags = ecc.tags});
  deliver(report, request, print_without_check);
  return failed;
}

}  // namespace gen
