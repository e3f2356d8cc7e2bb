// Runs other programs (yosys, sta, verilator, g++ ...): found on PATH, with a time limit, their output
// captured.
#pragma once
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gen/files.h"

namespace gen {

// A tool is missing, cannot be started, or gave an answer that cannot be used.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The full path of a program on PATH; throws ToolError naming the Debian package if there is none.
std::filesystem::path find_tool(std::string_view name);

struct Command {
  std::vector<std::string> argv;  // argv[0]: a name looked up by find_tool, or a path with a slash
  std::vector<std::pair<std::string, std::string>> environment = {};  // added to, or replacing, our own
  std::filesystem::path folder = {};                                  // working directory; empty = ours
  std::chrono::milliseconds timeout{0};                               // 0 = wait for ever
  bool show = false;                       // pass stdout and stderr through instead of capturing them
  std::filesystem::path output_file = {};  // capture into this file instead of Finished::output
};

struct Finished {
  int status = -1;         // exit status; 128 + signal when killed
  bool timed_out = false;  // killed, with all its children, because the time was up
  std::string output;      // stdout and stderr in the order written
  double seconds = 0;

  bool ok() const { return status == 0 && !timed_out; }
};

Finished run(const Command& command);

// The same, but a status other than 0 is a ToolError that quotes the last lines of the output.
Finished run_checked(const Command& command);

// Ends every program that run() waits for, with all their children, and kills programs that do not clean up
// within a second: the process is about to end by a signal.
void end_children();

// The last lines of a log, joined by " | ", for a message of one line.
std::string log_tail(std::string_view log, int lines = 3);

}  // namespace gen
