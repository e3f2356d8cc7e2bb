// What a run leaves behind that was killed outright: gone with the next run, and not while it still runs.
#include <gmock/gmock.h>

#include "verif/run_l1forge.h"
#include "verif/temp_folder.h"
#include "verif/tree.h"

namespace {

using testing::ElementsAre, testing::IsEmpty, testing::StartsWith;

// The shell's words, with $L1FORGE, in the folder and with that for temporary files.
std::string shell(const verif::TempFolder& folder, const std::string& script) {
  const gen::Finished done =
      gen::run({.argv = {"sh", "-c", script},
                .environment = {{"L1FORGE", verif::in_build("l1forge")}, {"TMPDIR", folder.path("tmp")}},
                .folder = folder.path(),
                .timeout = std::chrono::minutes(2)});
  EXPECT_FALSE(done.timed_out) << done.output;
  return done.output;
}

// It waits for its standard input, which nobody writes.
const std::string waiting_run =
    "mkfifo never; sleep 100 > never & w=$!; \"$L1FORGE\" cosim index_pli --trace - < never & p=$!\n"
    "until [ \"$(ls tmp)\" ]; do sleep 0.02; done\n";
const std::string next_run = "\"$L1FORGE\" cosim index_pli --trace - < /dev/null > /dev/null 2>&1\n";

TEST(StaleLines, TemporaryFoldersOfKilledRuns) {
  const verif::TempFolder folder;
  std::filesystem::create_directory(folder.path("tmp"));
  const std::string said =
      shell(folder, waiting_run + next_run + "ls tmp | wc -l\nkill -KILL $p; ls tmp | wc -l\n" + next_run +
                        "ls tmp | wc -l\nkill $w\n");
  EXPECT_EQ(said, "1\n1\n0\n") << "while it runs, killed, after the next one";
}

TEST(StaleLines, DraftsOfKilledRuns) {
  const verif::TempFolder folder;
  std::filesystem::create_directory(folder.path("tmp"));
  std::filesystem::create_directory(folder.path("out"));
  shell(folder,
        "\"$L1FORGE\" trace 'builtin:gemm?ni=4096,nj=4096' -o out/large.rec & p=$!\n"
        "until [ \"$(ls -A out)\" ]; do sleep 0.02; done; kill -KILL $p; wait $p; ls -A out");
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("out")))
      found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  };
  EXPECT_THAT(names(), ElementsAre(StartsWith(".large.rec.")));
  shell(folder, "\"$L1FORGE\" trace 'builtin:atax?nx=32,ny=32' -o out/small.rec");
  EXPECT_THAT(names(), ElementsAre("small.json", "small.rec"));
}

}  // namespace
