// `l1forge completion bash`: the script that bash completes command lines of l1forge by.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace gen {

// From the subcommands and options of `app` as they are, and from the names of presets.
std::string bash_completion(const CLI::App& app);

}  // namespace gen
