// Manifests: every value that a unit was built from, who wrote them, and the same files again from them.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/config/shown.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

json manifest_of(const std::string& preset, const std::vector<std::string>& settings = {}) {
  const gen::Config config = gen::load_config(preset, settings);
  return json::parse(gen::generated_files(config).at(config.top + ".json"));
}

}  // namespace

TEST(Manifest, AutomaticValuesAreResolved) {
  const json cache = manifest_of("l1d_tsc_plus")["parameters"];
  EXPECT_EQ(cache["mode.fine_sets"], (json{0, 9, 18, 27}));
  EXPECT_EQ(cache["mode.coarse_sets"], (json{4, 13, 22, 31}));
  EXPECT_EQ(cache["tags.split.chunks_per_group"], 4);
  EXPECT_EQ(cache["index.poly"], 37);
  EXPECT_EQ(manifest_of("l1d_tsc", {"geometry.line_bytes=256"})["parameters"]["tags.split.chunks_per_group"],
            8);
  EXPECT_EQ(manifest_of("mode_selector", {"index.sets=8"})["parameters"]["mode.fine_sets"],
            (json{0, 2, 4, 6}));
  const std::vector<std::string> split{"tags.kind=split", "tags.replacement=nru"};
  EXPECT_EQ(manifest_of("dc_l1_node", split)["parameters"]["tags.split.chunks_per_group"], 4);
  EXPECT_EQ(manifest_of("dc_l1", split)["parameters"]["tags.split.chunks_per_group"], 4);
  // What does not count stays as it is.
  EXPECT_EQ(manifest_of("l1d")["parameters"]["tags.split.chunks_per_group"], 0);
}

TEST(Manifest, SaysWhoWroteIt) {
  const json m = manifest_of("index_pli");
  EXPECT_EQ(m["generator"], "l1forge");
  EXPECT_THAT(m["version"].get<std::string>(), testing::MatchesRegex("[0-9]+[.][0-9]+[.][0-9]+"));
}

// Every preset, and names and values that are not a preset's.
TEST(Manifest, GeneratesTheSameFiles) {
  const verif::TempFolder folder;
  const auto same = [&](const gen::Config& config, const gen::GenerateOptions& options = {}) {
    const gen::FileSet files = gen::generated_files(config, options);
    const std::string manifest = folder.write("manifest.json", files.at(config.top + ".json"));
    const gen::Config again = gen::load_config(manifest);
    EXPECT_EQ(again.top, config.top);
    EXPECT_TRUE(gen::generated_files(again, options) == files) << config.top;
  };
  for (const std::string& preset : gen::preset_names()) same(gen::load_shown(preset));
  same(gen::load_config("l1d_tsc_plus", {"geometry.line_bytes=256", "mode.coarse_sets=[3]", "name=mine"}));
  same(gen::load_config("l1d", {"index.kind=lin", "tags.replacement=random", "counters.enable=true"}));
  same(gen::load_config("l1d", {"geometry.ways=8"}), {.orfs = true});
}

TEST(Manifest, CommandWritesTheFolderAgain) {
  const gen::TempDir work("manifest");
  const auto run = [&](const std::vector<std::string>& arguments) {
    return verif::l1forge(arguments, work.path());
  };
  ASSERT_EQ(run({"gen", "l1d", "-s", "geometry.ways=8", "--ram", "blackbox", "--flow", "orfs"}).status, 0);
  ASSERT_EQ(run({"gen", "l1d_w8/l1d_w8.json", "-o", "again"}).status, 0);
  EXPECT_EQ(gen::run({.argv = {"diff", "-r", "l1d_w8", "again"}, .folder = work.path()}).output, "");
  // In its own folder, where nothing would change.
  const auto own = run({"gen", "again/l1d_w8.json", "-o", "again"});
  EXPECT_EQ(own.status, 0) << own.output;
  EXPECT_EQ(gen::run({.argv = {"diff", "-r", "l1d_w8", "again"}, .folder = work.path()}).output, "");
  json changed = json::parse(gen::read_file(work / "again/l1d_w8.json"));
  changed["latency"] = 99;
  gen::write_file_atomically(work / "again/l1d_w8.json", changed.dump(2) + "\n");
  const auto refused = run({"gen", "again/l1d_w8.json", "-o", "again"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("would replace again/l1d_w8.json"));
}

TEST(Manifest, RefusesWhatIsNone) {
  const verif::TempFolder folder;
  const auto refusal = [&](const std::string& text,
                           const std::vector<std::string>& settings = {}) -> std::string {
    const std::string path = folder.write("m.json", text);
    try {
      gen::load_config(path, settings);
    } catch (const std::exception& e) {
      const std::string what = e.what();
      return what.starts_with(path) ? what.substr(path.size()) : what;
    }
    return "";
  };
  EXPECT_EQ(refusal("[1"), ":1: ends here: the file is cut short");
  EXPECT_EQ(refusal("[1]"), ": is no manifest of a unit: it is no JSON object");
  EXPECT_EQ(refusal("{}"), ": is no manifest of a unit: it has no \"generator\"");
  EXPECT_EQ(refusal(R"({"generator": "other"})"), ": is no manifest of a unit: l1forge did not write it");
  json m = manifest_of("index_pli");
  m["parameters"]["index.sets"] = 12;
  EXPECT_THAT(refusal(m.dump()), StartsWith(": index.sets = 12: must be a power of two"));
  m["parameters"] = {{"index.colour", 1}};
  EXPECT_THAT(refusal(m.dump()), StartsWith(": index.colour: no such key for preset index_pli"));
  EXPECT_THAT(refusal(m.dump(), {"index.sets=64"}), HasSubstr("is a manifest and says every value"));
  for (const std::string top : {"../../evil", "/tmp/evil", "", "always", "Top"}) {
    auto evil = manifest_of("index_pli");
    evil["top"] = top;
    EXPECT_THAT(refusal(evil.dump()), StartsWith(": top = " + top + ": is ")) << top;
  }
  m["version"] = "0.0.1";
  EXPECT_THAT(refusal(m.dump()), StartsWith(": was written by version 0.0.1 of l1forge, this is "));
}
