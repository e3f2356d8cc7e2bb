// Environments that do not help: a clone that may only be read, no folder for temporary files, no home, names
// that are not UTF-8, links that go in circles. Either all goes on, or one line says what is wrong.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gen/paths.h"
#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/trace/trace_bytes.h"
#include "verif/tree.h"

namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex, testing::HasSubstr, testing::StartsWith;
using Variables = std::vector<std::pair<std::string, std::string>>;

std::string small_trace() {
  return verif::bytes({.cta = 0, .warp = 0, .pc = 0, .mask = 1, .addresses = {0x10000080}});
}

class Environment : public testing::Test {
 protected:
  gen::Finished run(const std::vector<std::string>& arguments, const Variables& variables = {}) const {
    return verif::l1forge(arguments, folder_.path(), variables);
  }
  // The one line that the command ends with; without tools on the path nothing is built before.
  std::string refusal(const std::vector<std::string>& arguments, Variables variables = {}) const {
    variables.emplace_back("PATH", "/nonexistent");
    const gen::Finished done = run(arguments, variables);
    EXPECT_EQ(done.status, 2) << done.output;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
    return done.output;
  }

  verif::TempFolder folder_;
};

TEST_F(Environment, FoldersForTemporaryFiles) {
  for (const std::string folder : {"/nope", "relative", "/dev/null"})
    EXPECT_THAT(refusal({"cosim", "index_pli"}, {{"TMPDIR", folder}}),
                StartsWith("l1forge: TMPDIR=" + folder + ": "));
  fs::create_directory(folder_.path("relative"));
  for (const std::string folder : {"", "relative"})
    EXPECT_THAT(refusal({"cosim", "index_pli", "-s", "name=never_built"}, {{"TMPDIR", folder}}),
                HasSubstr("verilator: not found on PATH"))
        << "an empty one is none, a relative one is as good as another";
}

// A co-simulation whose tools note where they work.
class ReadOnlyClone : public Environment {
 protected:
  void SetUp() override {
    const std::string tool =
        "#!/bin/sh\nnext=\nfor a; do\n  if [ \"$next\" ]; then\n"
        "    printf '#!/bin/sh\\necho ran from \"${0%%/*}\"\\n' > \"$a\"; chmod +x \"$a\"\n"
        "  fi\n  [ \"$a\" = -o ] && next=1 || next=\ndone\n";
    fs::create_directory(folder_.path("bin"));
    for (const std::string name : {"bin/verilator", "bin/g++"}) {
      folder_.write(name, tool);
      fs::permissions(folder_.path(name), fs::perms::owner_all);
    }
    fs::create_directories(gen::paths::build() / "cosim");
    if (in_read_only_clone("exit 0", {}).status != 0) GTEST_SKIP() << "no name space for a read-only folder";
  }

  gen::Finished in_read_only_clone(const std::string& script, Variables variables) const {
    const Variables all{{"BUILD", gen::paths::build().string()},
                        {"L1FORGE", verif::in_build("l1forge")},
                        {"TMPDIR", folder_.path()}};
    variables.insert(variables.end(), all.begin(), all.end());
    return gen::run(
        {.argv = {"unshare", "-rm", "sh", "-c",
                  "mount --bind \"$BUILD\" \"$BUILD\" && mount -o remount,bind,ro \"$BUILD\" || exit 99; " +
                      script},
         .environment = variables,
         .folder = folder_.path()});
  }
  const std::string cosim_ = "PATH=\"$PWD/bin:$PATH\" \"$L1FORGE\" cosim index_cvi -s name=in_no_cache";
};

TEST_F(ReadOnlyClone, CoSimulatesInTheUsersCacheFolder) {
  const std::string cache = folder_.path("cache");
  const gen::Finished done = in_read_only_clone(cosim_, {{"XDG_CACHE_HOME", cache}});
  EXPECT_THAT(done.output, StartsWith("ran from " + cache + "/l1forge/cosim-"));
  for (const auto& variables : {Variables{{"XDG_CACHE_HOME", ""}, {"HOME", "/proc/none"}}})
    EXPECT_THAT(in_read_only_clone(cosim_, variables).output,
                StartsWith("ran from " + folder_.path("l1forge-programs-")))
        << "where there is no cache folder either";
}

TEST_F(Environment, StudiesWithoutAHome) {
  folder_.write("small.rec", small_trace());
  folder_.write("s.toml",
                "[grid.one]\nunit = \"l1d\"\n[inputs]\ntraces = [\"small.rec\"]\n[measure.untimed]\n");
  const gen::Finished done = run({"study", "s.toml"}, {{"HOME", "/proc/none"}, {"XDG_CACHE_HOME", ""}});
  EXPECT_EQ(done.status, 0) << done.output;
}

// JSON and pages are UTF-8 for any names of files; a command that has to find the file again takes no others.
TEST_F(Environment, NamesThatAreNotUtf8) {
  const std::string name = "tr\xe4\x63\x65.rec";
  folder_.write(name, small_trace());
  const gen::Finished reported = run({"explore", "l1d", "--untimed", "--trace", name, "--json", "-"});
  EXPECT_EQ(reported.status, 0) << reported.output;
  EXPECT_EQ(nlohmann::json::parse(reported.output)["runs"][0]["trace"], "tr\xef\xbf\xbd\x63\x65.rec");
  EXPECT_EQ(run({"explore", "l1d", "--untimed", "--trace", name, "--html", "page.html"}).status, 0);
  EXPECT_THAT(folder_.content("page.html"), HasSubstr("tr\xef\xbf\xbd\x63\x65"));
  EXPECT_THAT(folder_.content("page.html"), testing::Not(HasSubstr("\xe4")));
  EXPECT_EQ(run({"trace", name, "--json", "-"}).status, 0);
  EXPECT_EQ(refusal({"cosim", "l1d", "--trace", name}),
            "l1forge: " + name + ": is not UTF-8, as names of folders and files must be here; rename it\n");
}

TEST_F(Environment, LinksThatGoInCircles) {
  fs::create_symlink("loop", folder_.path("loop"));
  fs::create_symlink("loop.json", folder_.path("loop.json"));
  const std::string levels = "Too many levels of symbolic links";
  EXPECT_EQ(run({"gen", "index_cvi", "-o", "."}).status, 0) << "links beside the files are none of ours";
  EXPECT_THAT(refusal({"gen", "index_cvi", "-o", "loop"}), HasSubstr(levels));
  EXPECT_THAT(refusal({"gen", "index_cvi", "-o", "loop/deep"}), HasSubstr(levels));
  EXPECT_THAT(refusal({"gen", "loop.json"}), HasSubstr(levels));
  EXPECT_THAT(refusal({"gen", "./loop"}), HasSubstr(levels));
  for (const std::string command : {"trace", "explore"})
    EXPECT_THAT(refusal(command == "trace" ? std::vector<std::string>{"trace", "loop"}
                                           : std::vector<std::string>{"explore", "l1d", "--trace", "loop"}),
                HasSubstr(levels));
  EXPECT_THAT(refusal({"claims", "loop"}), StartsWith("l1forge: loop: "));
  EXPECT_THAT(refusal({"study", "loop"}), HasSubstr(levels));
  EXPECT_THAT(refusal({"cosim", "index_cvi", "--verilog", "loop/index_cvi.v"}), HasSubstr(levels));
  EXPECT_THAT(refusal({"area", "index_cvi", "--liberty", "loop"}), StartsWith("l1forge: "));
}

// They are walked through no further than ten thousand files, and not behind Verilog of others.
TEST_F(Environment, WholeDisksAreNoFoldersForUnits) {
  EXPECT_THAT(
      refusal({"gen", "index_cvi", "-o", "/"}),
      testing::AnyOf(HasSubstr("l1forge: /: holds more than 10000 files; name a folder for this unit"),
                     ContainsRegex("l1forge: /: already holds .*, which l1forge did not write")));
}

}  // namespace
