// A full disk at each step of each command: one line that says so, status 2, and nothing half-written.
#include <gmock/gmock.h>

#include "gen/files.h"
#include "gen/paths.h"
#include "verif/run_l1forge.h"
#include "verif/tree.h"

namespace {

using testing::HasSubstr;
using Arguments = std::vector<std::string>;

// With a small file system of its own over the folder, which needs a name space that may mount one.
gen::Finished with_small_disk(const std::string& folder, const std::string& size, const std::string& script,
                              std::vector<std::pair<std::string, std::string>> environment = {}) {
  environment.emplace_back("L1FORGE", verif::in_build("l1forge"));
  environment.emplace_back("DISK", folder);
  return gen::run({.argv = {"unshare", "-rm", "sh", "-c",
                            "mount -t tmpfs -o size=" + size + " none \"$ROOM\" || exit 99; " + script},
                   .environment = std::move(environment)});
}

class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(disk_);
    if (with_small_disk(disk_, "64k", "exit 0").status != 0) GTEST_SKIP() << "no name space for a small disk";
  }

  // The command, with `ROOM` full but for so much.
  void says(const std::string& size, const std::string& command, const std::string& what,
            std::vector<std::pair<std::string, std::string>> environment = {}) {
    const gen::Finished done =
        with_small_disk(disk_, size, command + "; s=$?; ls -A \"$ROOM\"; exit $s", std::move(environment));
    EXPECT_EQ(done.status, 2) << command << "\n" << done.output;
    EXPECT_THAT(done.output, testing::StartsWith("l1forge: ")) << command;
    EXPECT_THAT(done.output, HasSubstr(what)) << command;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << "files are left, or words: " << done.output;
  }

  gen::TempDir work_{"disk"};
  const std::string disk_ = (work_ / "disk").string();
};

}  // namespace

TEST_F(FullDisk, Results) {
  const std::string full = "No space left on device";
  says("64k", "\"$L1FORGE\" gen l1d -o \"$ROOM/out\"", full);
  says("4k", "\"$L1FORGE\" claims -o \"$ROOM/claims.md\"", full);
  says("4k",
       "\"$L1FORGE\" explore l1d --sms 3 --trace 'builtin:histogram?bytes=65536' --json \"$ROOM/a.json\"",
       full);
  says("4k",
       "\"$L1FORGE\" explore l1d --untimed --trace 'builtin:histogram?bytes=65536' --html \"$ROOM/a.html\"",
       full);
  for (const std::string name : {"a.rec", "a.req", "a.rec.xz"})
    says("4k", "\"$L1FORGE\" trace 'builtin:bfs?scale=11' -o \"$ROOM/" + name + "\"", full);
}

TEST_F(FullDisk, TemporaryFiles) {
  const std::vector<std::pair<std::string, std::string>> here{{"TMPDIR", disk_}};
  says("64k", "\"$L1FORGE\" cosim index_pli --trace - < \"$L1FORGE\"", "No space left on device", here);
  says("100k", "\"$L1FORGE\" area index_pri", "no space is left in " + disk_, here);
}

TEST_F(FullDisk, StandardOutput) {
  for (const char* command : {"list", "describe l1d", "explore l1d --trace builtin:histogram?bytes=65536",
                              "explore l1d --trace builtin:histogram?bytes=65536 --json -", "trace --list"}) {
    const gen::Finished done =
        gen::run({.argv = {"sh", "-c", verif::in_build("l1forge") + " " + command + " > /dev/full"}});
    EXPECT_EQ(done.status, 2) << command;
    EXPECT_THAT(done.output, HasSubstr("No space left on device")) << command;
  }
}

// The programs of co-simulations lie below the build folder.
TEST_F(FullDisk, Builds) {
  const std::string programs = (gen::paths::build() / "cosim").string();
  std::filesystem::create_directories(programs);
  for (const std::string size : {"16k", "300k"}) {
    const gen::Finished done = with_small_disk(programs, size, "\"$L1FORGE\" cosim index_pri --random 10",
                                               {{"CCACHE_DISABLE", "1"}});
    EXPECT_EQ(done.status, 2) << size;
    EXPECT_THAT(done.output,
                testing::AnyOf(HasSubstr("no space is left in "), HasSubstr("No space left on device")))
        << size;
    EXPECT_EQ(std::ranges::count(done.output, '\n'), 1) << done.output;
  }
}
