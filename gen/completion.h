// `l1forge completion bash`: the script that bash completes command lines of l1forge by.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace gen {

// From the subcommands and options of `app` as they are, with the words that an option takes, and from the
// names of presets, their keys and what may be chosen for these.
std::string bash_completion(const CLI::App& app);

}  // namespace gen
