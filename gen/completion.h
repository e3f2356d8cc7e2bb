// `l1forge completion bash|zsh|fish`: the script by which a shell completes command lines of l1forge.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace gen {

// From the subcommands and options of `app` as they are, with the words that an option takes, and from the
// names of presets, their keys and what may be chosen for these. `shell` is "bash", "zsh" or "fish".
std::string completion(const CLI::App& app, const std::string& shell);

}  // namespace gen
