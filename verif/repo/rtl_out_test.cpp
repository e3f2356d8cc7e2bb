// rtl-out/ is what the generator writes today, and three tools have nothing to say about any file of it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "gen/config/shown.h"
#include "gen/files.h"
#include "gen/generate.h"
#include "gen/process.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
const fs::path rtl_out = gen::paths::source() / "rtl-out";

}  // namespace

TEST(RtlOut, EachPresetIsThereAndUpToDate) {
  std::set<std::string> expected;
  for (const std::string& preset : gen::preset_names()) {
    for (const auto& [name, text] : gen::generated_files(gen::load_shown(preset))) {
      const fs::path file = rtl_out / preset / name;
      expected.insert(file.string());
      ASSERT_TRUE(fs::exists(file)) << file << ": run ./forge gen --all -o rtl-out --force";
      EXPECT_EQ(gen::read_file(file), text) << file << ": run ./forge gen --all -o rtl-out --force";
    }
  }
  EXPECT_FALSE(expected.empty());
  for (const auto& entry : fs::recursive_directory_iterator(rtl_out))
    EXPECT_TRUE(entry.is_directory() || expected.contains(entry.path().string()))
        << entry.path() << " belongs to no preset";
}

TEST(RtlOut, ToolsAreSilent) {
  for (const std::string& preset : gen::preset_names()) {
    const std::string top = gen::load_shown(preset).top;
    const fs::path list = rtl_out / preset / (top + ".f");
    const auto silent = [&](std::vector<std::string> argv) {
      const gen::Finished done = gen::run({.argv = argv, .folder = list.parent_path()});
      EXPECT_TRUE(done.ok()) << argv[0] << " " << preset;
      EXPECT_EQ(done.output, "") << argv[0] << " " << preset;
    };
    silent({"verilator", "--lint-only", "-Wall", "-F", list.string(), "--top-module", top});
    silent({"iverilog", "-g2005", "-Wall", "-o", "/dev/null", "-c", list.string()});
    std::string files = gen::read_file(list);
    std::ranges::replace(files, '\n', ' ');
    silent({"yosys", "-q", "-p",
            fmt::format("read_verilog {}; hierarchy -check -top {}; proc; check -assert; select -assert-none "
                        "t:$dlatch t:$adlatch",
                        files, top)});
  }
}
