// `l1forge gen` into a folder of an earlier call: its own files are replaced silently, for any old
// parameters; files edited since are kept, by a line that names them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

const std::string behind = "; keep your edits elsewhere, then gen --force\n";

class GenEdits : public testing::Test {
 protected:
  gen::Finished generate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "gen");
    arguments.insert(arguments.end(), {"-o", "out"});
    return verif::l1forge(arguments, folder_.path());
  }
  void append(const std::string& name, const std::string& text) const {
    folder_.write("out/" + name, folder_.content("out/" + name) + text);
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_.path("out")))
      all[entry.path().filename()] = gen::read_file(entry.path());
    return all;
  }
  // Refused, naming these files, and nothing has changed.
  void refused(const std::vector<std::string>& arguments, const std::string& names) const {
    const auto before = contents();
    const gen::Finished done = generate(arguments);
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(done.output,
              "l1forge: out: not as l1forge wrote them, by the digests in the manifest: " + names + behind);
    EXPECT_TRUE(contents() == before);
  }

  verif::TempFolder folder_;
};

TEST_F(GenEdits, WhatWasWrittenIsReplaced) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"index_pli"},
                                             {"index_pli", "-s", "index.poly=61"},
                                             {"index_bxi", "--flow", "orfs"},
                                             {"index_bxi"}}) {
    const gen::Finished done = generate(arguments);
    EXPECT_EQ(done.status, 0) << done.output;
  }
  EXPECT_EQ(contents().size(), 4u);
}

TEST_F(GenEdits, WhatWasEditedStays) {
  ASSERT_EQ(generate({"index_pli"}).status, 0);
  const auto written = contents();
  append("index_pli.v", "// mine\n");
  refused({"index_pli"}, "index_pli.v");
  refused({"index_pli", "-s", "index.poly=61"}, "index_pli.v");
  refused({"index_bxi"}, "index_pli.v");  // which would remove it
  append("index_pli.core", "# mine\n");
  refused({"index_pli"}, "index_pli.core, index_pli.v");
  EXPECT_EQ(generate({"index_pli", "--force"}).status, 0);
  EXPECT_TRUE(contents() == written);
}

TEST_F(GenEdits, AManifestIsAFile) {
  ASSERT_EQ(generate({"index_pli"}).status, 0);
  ordered_json manifest = ordered_json::parse(folder_.content("out/index_pli.json"));
  manifest["remark"] = "mine";
  folder_.write("out/index_pli.json", manifest.dump(2));
  refused({"index_pli"}, "index_pli.json");
  for (const char* digests : {"[]", "\"x\"", "{\"index_pli.v\": 3}", "null"}) {
    manifest["digests"] = ordered_json::parse(digests);
    folder_.write("out/index_pli.json", manifest.dump(2));
    refused({"index_bxi"}, "index_pli.core, index_pli.f, index_pli.json, index_pli.v");
  }
}

// As an older generator leaves it: other text, and digests that fit.
TEST_F(GenEdits, AnOlderVersionsFilesAreReplaced) {
  ASSERT_EQ(generate({"index_pli"}).status, 0);
  const auto written = contents();
  const std::string older = "// by an older generator\n" + written.at("index_pli.v");
  ordered_json manifest = ordered_json::parse(written.at("index_pli.json"));
  manifest["version"] = "0.0.9";
  const auto digest = [](const std::string& text) {  // FNV-1a, then its length
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
    return fmt::format("{:016x}", (hash ^ text.size()) * 0x100000001b3);
  };
  ASSERT_EQ(manifest["digests"]["index_pli.v"], digest(written.at("index_pli.v")));
  manifest["digests"]["index_pli.v"] = digest(older);
  manifest["digests"].erase("index_pli.json");
  manifest["digests"]["index_pli.json"] = digest(manifest.dump());
  folder_.write("out/index_pli.v", older);
  folder_.write("out/index_pli.json", manifest.dump(2) + "\n");
  const gen::Finished done = generate({"index_pli"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_TRUE(contents() == written);
}

// Nothing of it would change, so that there is nothing to keep; what is gone is no edit.
TEST_F(GenEdits, WithoutDigestsWhatIsTheSameStays) {
  ASSERT_EQ(generate({"index_pli"}).status, 0);
  const auto written = contents();
  ordered_json manifest = ordered_json::parse(written.at("index_pli.json"));
  manifest.erase("digests");
  folder_.write("out/index_pli.json", manifest.dump(2) + "\n");
  refused({"index_pli"}, "index_pli.json");
  fs::remove(folder_.path("out/index_pli.core"));
  EXPECT_EQ(generate({"index_pli", "--force"}).status, 0);
  EXPECT_TRUE(contents() == written);
}

}  // namespace
