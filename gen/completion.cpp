#include "gen/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gen/config/family.h"

namespace gen {
namespace {

// "-o --out --flow": the words that begin an option.
std::string options_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> commands, presets;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands.push_back(command->get_name());
    cases += fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(), options_of(*command));
  }
  for (const Preset& preset : gen::presets()) presets.push_back(preset.name);
  return fmt::format(R"(# Completion of l1forge for bash: source <(l1forge completion bash)
_l1forge() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} options=
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "{}" -- "$word") $(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _l1forge l1forge ./forge
)",
                     fmt::join(commands, " "), cases, fmt::join(presets, " "));
}

}  // namespace gen
