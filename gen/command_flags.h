// What the flags of the subcommands share: what they accept, and the unit with its settings.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "gen/config/config.h"
#include "gen/reports.h"

namespace gen {

// Plain decimal digits, so that nothing saturates, wraps or is octal on its way into an integer.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);
// The name of a file or folder.
CLI::Validator path();
// `what` is of so many nanoseconds: "period".
CLI::Validator nanoseconds(const char* what, double least);

// What the flags of measures take, on the command line and in studies.
CLI::Validator scheduler_name();
CLI::Validator sm_count();
CLI::Validator memory_latency();    // cycles
CLI::Validator memory_bandwidth();  // bytes a cycle
CLI::Validator random_cycles();
CLI::Validator seed_number();
CLI::Validator clock_period();   // ns
CLI::Validator window_cycles();  // that `energy` counts
CLI::Validator cycles_before();  // its window
CLI::Validator order_count();    // of lines in a netlist

// -s KEY=VALUE, any number of times.
void add_settings(CLI::App& app, std::vector<std::string>& settings, const std::string& meaning);

// The units of a command, each changed by the settings. Standard error says which of these change none of
// them, unless a report goes to standard output: scripts often read both as one.
std::vector<Config> load_all(const std::vector<std::string>& names, const std::vector<std::string>& settings,
                             bool report_to_stdout = false);

// --json and --csv.
void add_reports(CLI::App& app, Reports& reports);

// What most subcommands take: a preset or file, changed by -s.
struct UnitFlags {
  std::string name;
  std::vector<std::string> settings;

  void add(CLI::App& app);
  // With notes on standard error, as load_all() has them.
  Config load(bool report_to_stdout) const;
};

}  // namespace gen
