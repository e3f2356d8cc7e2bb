#include "gen/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "gen/disk_space.h"

extern char** environ;

namespace gen {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string_view debian_package(std::string_view tool) {
  static const std::map<std::string_view, std::string_view> packages = {
      {"yosys-abc", "yosys"}, {"sta", "opensta"},       {"vcd2fst", "gtkwave"},
      {"fst2vcd", "gtkwave"}, {"vvp", "iverilog"},      {"xz", "xz-utils"},
      {"python3", "python3"}, {"ninja", "ninja-build"}, {"tclsh", "tcl"},
  };
  const auto found = packages.find(tool);
  return found == packages.end() ? tool : found->second;
}

std::string how_to_get(std::string_view tool) {
  const bool has_packages = ::access("/usr/bin/apt-get", X_OK) == 0;
  return fmt::format("{} {}", has_packages ? "install it by: apt-get install" : "it is in Debian's package",
                     debian_package(tool));
}

// A file descriptor that is closed on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

std::vector<std::string> merged_environment(const Command& command) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool replaced = false;
    for (const auto& [name, value] : command.environment) {
      replaced = replaced || (text.starts_with(name) && text.substr(name.size()).starts_with('='));
    }
    if (!replaced) merged.emplace_back(text);
  }
  for (const auto& [name, value] : command.environment) merged.push_back(fmt::format("{}={}", name, value));
  return merged;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> list;
  for (std::string& text : strings) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

// Children that run() waits for, each the leader of a process group.
struct LiveChildren {
  std::mutex mutex;
  std::set<pid_t> pids;
};
LiveChildren& live_children() {
  static auto* children = new LiveChildren;
  return *children;
}

class LiveChild {
 public:
  explicit LiveChild(pid_t pid) : pid_(pid) {
    const std::lock_guard lock(live_children().mutex);
    live_children().pids.insert(pid_);
  }
  ~LiveChild() {
    const std::lock_guard lock(live_children().mutex);
    live_children().pids.erase(pid_);
  }
  LiveChild(const LiveChild&) = delete;

 private:
  pid_t pid_;
};

// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void become(const char* program, char* const* argv, char* const* env, const char* folder,
                         int output, int report) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = ::open("/dev/null", O_RDONLY);
  bool ready = input >= 0 && ::dup2(input, 0) == 0;
  if (output >= 0) ready = ready && ::dup2(output, 1) == 1 && ::dup2(output, 2) == 2;
  ready = ready && (*folder == '\0' || ::chdir(folder) == 0);
  if (ready) ::execve(program, argv, env);
  const int error = errno;
  [[maybe_unused]] const auto written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

std::string read_back(int fd) {
  std::string text;
  std::array<char, 65536> block;
  ::lseek(fd, 0, SEEK_SET);
  for (ssize_t got; (got = ::read(fd, block.data(), block.size())) > 0;) text.append(block.data(), got);
  return text;
}

// Waits for the child; past the deadline its whole process group is killed.
int wait_for(pid_t child, std::chrono::milliseconds timeout, bool& timed_out) {
  int status = 0;
  const auto deadline = Clock::now() + timeout;
  while (true) {
    const pid_t got = ::waitpid(child, &status, timeout.count() > 0 && !timed_out ? WNOHANG : 0);
    if (got == child) break;
    if (got < 0 && errno != EINTR) throw ToolError(fmt::format("waitpid: {}", std::strerror(errno)));
    if (got != 0) continue;
    if (Clock::now() >= deadline) {
      ::kill(-child, SIGKILL);
      timed_out = true;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int open_output(const Command& command) {
  if (command.show) return -1;
  if (command.output_file.empty()) return ::memfd_create("output", MFD_CLOEXEC);
  const int fd = ::open(command.output_file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    throw FileError(fmt::format("cannot write {}: {}", command.output_file.string(), std::strerror(errno)));
  return fd;
}

}  // namespace

std::filesystem::path find_tool(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code ignored;
    if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, ignored)) return candidate;
  }
  throw ToolError(fmt::format("{}: not found on PATH; {}", name, how_to_get(name)));
}

Finished run(const Command& command) {
  const auto start = Clock::now();
  const std::string& name = command.argv.at(0);
  const std::string program = name.find('/') == std::string::npos ? find_tool(name).string() : name;
  std::vector<std::string> arguments = command.argv, variables = merged_environment(command);
  const std::vector<char*> argv = pointers(arguments), env = pointers(variables);
  const std::string folder = command.folder.string();
  const Descriptor output(open_output(command));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw ToolError(fmt::format("{}: pipe: {}", name, std::strerror(errno)));
  const Descriptor report(ends[0]);
  Descriptor child_report(ends[1]);

  const pid_t child = ::fork();
  if (child < 0) throw ToolError(fmt::format("{}: fork: {}", name, std::strerror(errno)));
  if (child == 0) become(program.c_str(), argv.data(), env.data(), folder.c_str(), output.get(), ends[1]);
  ::setpgid(child, child);  // also here: either side may come first
  const LiveChild alive(child);
  child_report.reset();
  int error = 0;
  const bool failed = ::read(report.get(), &error, sizeof error) == sizeof error;

  Finished finished;
  finished.status = wait_for(child, command.timeout, finished.timed_out);
  if (failed) {
    const std::string where = folder.empty() ? "" : fmt::format(" in {}", folder);
    throw ToolError(fmt::format("{}: cannot be started{}: {}", program, where, std::strerror(error)));
  }
  if (!command.show && command.output_file.empty()) finished.output = read_back(output.get());
  finished.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return finished;
}

namespace {

std::vector<fs::path> folders_of(const Command& command) {
  std::error_code error;
  return {command.folder.empty() ? fs::current_path(error) : command.folder, fs::temp_directory_path(error)};
}

}  // namespace

Finished run_checked(const Command& command) {
  Finished finished = run(command);
  if (finished.ok()) return finished;
  const std::string why = finished.timed_out ? fmt::format("no answer within {} ms", command.timeout.count())
                                             : fmt::format("exit status {}", finished.status);
  const std::string log = command.output_file.empty() ? finished.output : read_file(command.output_file);
  throw ToolError(
      fmt::format("{}: {}: {}{}", command.argv[0], why, log_tail(log), no_space_left(folders_of(command))));
}

void end_children() {
  live_children().mutex.lock();  // for good: nobody starts one any more
  for (const pid_t pid : live_children().pids) ::kill(-pid, SIGTERM);
  const auto alive = [](pid_t pid) { return ::kill(-pid, 0) == 0; };
  for (int i = 0; i < 500 && std::ranges::any_of(live_children().pids, alive); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  for (const pid_t pid : live_children().pids) ::kill(-pid, SIGKILL);
}

std::string log_tail(std::string_view log, int lines) {
  std::string tail;
  while (lines > 0 && !log.empty()) {
    const size_t cut = log.find_last_of('\n');
    const std::string_view line = cut == log.npos ? log : log.substr(cut + 1);
    log = cut == log.npos ? "" : log.substr(0, cut);
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    tail = tail.empty() ? std::string(line) : fmt::format("{} | {}", line, tail);
    --lines;
  }
  return tail.empty() ? "(no output)" : tail;
}

}  // namespace gen
