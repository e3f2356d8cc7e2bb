// What an error of a key says is the nearest value is not refused itself.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <regex>

#include "gen/config/config.h"
#include "gen/unit/unit.h"

namespace {

std::string error_of(const std::string& preset, const std::vector<std::string>& settings) {
  try {
    gen::elaborate(gen::load_config(preset, settings));
  } catch (const gen::ConfigError& error) {
    // A cache that models alone have is legal: explore runs it.
    const std::string text = error.what();
    return text.find("that hardware has; models of one cache") == text.npos ? text : "";
  }
  return "";
}

// The key that the key counts with, at the first of its values that can be built.
std::vector<std::string> to_count(const gen::Key& key, const std::string& preset) {
  // Enough for the most ways.
  const std::vector<std::string> capacity{"geometry.capacity_bytes=1048576"};
  // The fewest banks, by which the least of what they have equal parts of counts.
  if (preset == "l1d_banks" && key.only_with.first.empty() && key.key != "geometry.ways")
    return {"core.banks=2"};
  if (key.only_with.first.empty()) return key.key == "geometry.ways" ? capacity : std::vector<std::string>{};
  std::vector<std::string> settings{fmt::format("{}={}", key.only_with.first, key.only_with.second[0])};
  if (key.key == "geometry.ways") settings.push_back(capacity[0]);
  if (key.only_with.first == "mode.kind") settings.push_back("tags.kind=split");
  if (key.only_with.first == "iacm.order")
    settings.insert(settings.end(), {"index.kind=adi", "limit.kind=adaptive"});
  if (key.only_with.first == "bypass.kind" && preset.starts_with("dc_l1"))
    settings.push_back("bypass.bucl.follow=true");
  if (key.only_with.first == "bypass.kind" && preset == "dc_l1") settings.push_back("topology.kind=baseline");
  if (settings[0] == "topology.kind=shared")
    settings.insert(settings.end(), {"topology.cores=4", "topology.slices=2", "mesh.width=3", "mesh.height=2",
                                     "mesh.memory_nodes=[1, 4]"});
  if (settings[0] == "topology.kind=remote")
    settings.insert(settings.end(), {"topology.cores=6", "topology.slices=2", "mesh.width=3", "mesh.height=3",
                                     "mesh.memory_nodes=[4, 2]", "mesh.vcs=1"});
  return settings;
}

}  // namespace

TEST(Hints, NearestValuesAreLegal) {
  int hints = 0;
  for (const gen::Family* family : gen::families()) {
    const auto preset = std::ranges::find(gen::presets(), family, &gen::Preset::family);
    for (const gen::Key& key : family->keys) {
      if (key.type != gen::KeyType::integer) continue;
      const std::vector<std::string> before = to_count(key, preset->name);
      for (const std::int64_t value :
           {key.range.least - 1, key.range.most + 1, (key.range.least + key.range.most) / 2 + 1}) {
        const auto with = [&](const std::string& text) {
          std::vector<std::string> settings = before;
          settings.push_back(fmt::format("{}={}", key.key, text));
          return error_of(preset->name, settings);
        };
        const std::string error = with(fmt::format("{}", value));
        std::smatch found;
        if (!std::regex_search(error, found, std::regex("the nearest (?:is|are) (\\d+)(?: and (\\d+))?$")))
          continue;
        for (std::size_t i = 1; i < found.size(); ++i)
          if (found[i].matched) {
            ++hints;
            EXPECT_EQ(with(found[i]), "") << preset->name << " " << error;
          }
      }
    }
  }
  EXPECT_GT(hints, 50);
}
