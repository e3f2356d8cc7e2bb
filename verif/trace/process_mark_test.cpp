// Files left by killed processes: found by the mark in their names under any process number, and no
// other file is taken for one.
#include "golden/trace/io/process_mark.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "golden/trace/io/draft.h"
#include "golden/trace/io/output_file.h"
#include "verif/temp_folder.h"

namespace {

namespace fs = std::filesystem;
using golden::marks_gone_process, golden::process_mark;
using testing::ElementsAre;

// This process's mark with other numbers in it.
std::string mark(pid_t process, const std::string& begin) {
  return fmt::format("{}-{}-{}", process_mark().substr(0, 8), process, begin);
}

// A process that is gone, with its mark.
std::string mark_of_gone() {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char wait = 0;
    [[maybe_unused]] const auto got = ::read(ends[0], &wait, 1);
    ::_exit(0);
  }
  // Its beginning, as the mark of a program started by exec has it.
  const std::string stat = gen::read_file(fmt::format("/proc/{}/stat", child));
  std::istringstream fields(stat.substr(stat.rfind(')') + 2));
  std::string begin;
  for (int n = 0; n < 20; ++n) fields >> begin;
  EXPECT_FALSE(marks_gone_process("x-" + mark(child, begin) + "-0.tmp")) << "it still runs";
  ::kill(child, SIGKILL);
  siginfo_t ended{};
  EXPECT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(marks_gone_process("x-" + mark(child, begin) + "-0.tmp")) << "nobody has waited for it yet";
  EXPECT_EQ(::waitpid(child, nullptr, 0), child);
  ::close(ends[0]);
  ::close(ends[1]);
  return mark(child, begin);
}

TEST(ProcessMark, TellsWhoIsGone) {
  EXPECT_TRUE(marks_gone_process("l1forge-cosim-" + mark_of_gone() + "-aB3xYz"));
  EXPECT_FALSE(marks_gone_process("l1forge-cosim-" + process_mark() + "-aB3xYz"));
  EXPECT_TRUE(marks_gone_process("l1forge-cosim-" + mark(::getpid(), "1") + "-aB3xYz"))
      << "number taken again";
  EXPECT_FALSE(marks_gone_process("l1forge-cosim-00000000-1-1-aB3xYz")) << "of another boot or machine";
  EXPECT_FALSE(marks_gone_process("l1forge-cosim-aB3xYz"));
  EXPECT_FALSE(marks_gone_process("l1forge-cosim-1-1-aB3xYz"));
  EXPECT_FALSE(marks_gone_process("l1forge-cosim-" + process_mark().substr(0, 8) + "--1-aB3xYz"));
  EXPECT_FALSE(marks_gone_process(".tmp"));
  EXPECT_FALSE(marks_gone_process(""));
}

TEST(ProcessMark, NothingElseIsRemoved) {
  const verif::TempFolder folder;
  const std::string gone = mark_of_gone();
  fs::create_directories(folder.path("l1forge-cosim-" + gone + "-abcdef/deep/down"));
  folder.write("l1forge-cosim-" + gone + "-abcdef/deep/file", "x");
  folder.write("l1forge-file-" + gone + "-abcdef", "x");
  fs::create_directory(folder.path("l1forge-kept-" + process_mark() + "-abcdef"));
  fs::create_directory(folder.path("other-cosim-" + gone + "-abcdef"));
  folder.write("outside", "x");
  fs::create_symlink(folder.path("outside"), folder.path("l1forge-link-" + gone + "-abcdef"));
  std::vector<std::string> kept{"l1forge-kept-" + process_mark() + "-abcdef",
                                "l1forge-link-" + gone + "-abcdef", "other-cosim-" + gone + "-abcdef",
                                "outside"};
  if (::geteuid() == 0) {
    kept.push_back("l1forge-theirs-" + gone + "-abcdef");
    fs::create_directory(folder.path(kept.back()));
    ASSERT_EQ(::chown(folder.path(kept.back()).c_str(), 12345, 12345), 0);
  }
  golden::remove_stale_lines(folder.path(), "l1forge-", "");
  std::ranges::sort(kept);
  EXPECT_EQ(folder.names(), kept);
}

TEST(ProcessMark, DraftsOfKilledProcessesGoWithTheNextOne) {
  const verif::TempFolder folder;
  folder.write(".a.rec." + mark_of_gone() + "-0.tmp", "half");
  folder.write(".b.rec." + process_mark() + "-77.tmp", "of this process");
  folder.write(".mine.tmp", "of the user");
  golden::OutputFile file(folder.path("c.rec"));
  file.write("whole");
  file.commit();
  EXPECT_THAT(folder.names(), ElementsAre(".b.rec." + process_mark() + "-77.tmp", ".mine.tmp", "c.rec"));
}

TEST(ProcessMark, ALongNameHasADraftToo) {
  const verif::TempFolder folder;
  const std::string name(250, 'n');
  golden::OutputFile file(folder.path(name));
  file.commit();
  EXPECT_THAT(folder.names(), ElementsAre(name));
}

}  // namespace
