#include "gen/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gen/config/family.h"
#include "gen/config/text.h"

namespace gen {
namespace {

// "-o --out --flow": the words that begin an option.
std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) words.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

// Of an option that takes one of several words: "{gto,lrr,two-level}" is how its check describes itself.
std::string values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return "";
  std::string values = type.substr(open + 1, close - open - 1);
  std::ranges::replace(values, ',', ' ');
  return values;
}

// "    PATTERN) NAME="WORDS" ;;", a line of a case.
std::string line_of_case(const std::string& pattern, const char* name, const std::string& words) {
  return fmt::format("    {}) {}=\"{}\" ;;\n", pattern, name, words);
}

// What may stand behind -s of each preset.
std::string cases_of_keys() {
  std::string text;
  for (const Family* family : families()) {
    std::vector<std::string> names, keys;
    for (const Preset& preset : presets())
      if (preset.family == family) names.push_back(preset.name);
    for (const Key& key : family->keys) keys.push_back(key.key);
    text += line_of_case(joined(names, "|"), "keys", joined(keys, " "));
  }
  return text;
}

// What may stand behind KEY=, in any unit.
std::string cases_of_choices() {
  std::map<std::string, std::vector<std::string>> choices;
  for (const Preset& preset : presets())
    for (const Key& key : preset.family->keys) {
      std::vector<std::string> words = key.choices;
      if (key.type == KeyType::boolean) words = {"false", "true"};
      for (const std::string& word : words)
        if (auto& known = choices[key.key]; std::ranges::find(known, word) == known.end())
          known.push_back(word);
    }
  std::string text;
  for (const auto& [key, words] : choices)
    text += line_of_case("*\" " + key + "\"", "values", joined(words, " "));
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> commands, units;
  std::string options, values;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands.push_back(command->get_name());
    options += line_of_case(command->get_name(), "options", joined(options_of(*command), " "));
    for (const CLI::Option* option : command->get_options())
      if (const std::string words = values_of(*option); !words.empty() && !option->get_lnames().empty())
        values += line_of_case(fmt::format("\"{} --{}\"", command->get_name(), option->get_lnames()[0]), "values",
                               words);
  }
  for (const Preset& preset : presets()) units.push_back(preset.name);
  // Bash parts words at "=", which is then a word of its own.
  return fmt::format(R"(# Completion of l1forge for bash: source <(l1forge completion bash)
_l1forge() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options= values= keys= other
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case "${{COMP_WORDS[1]}} $before" in
{}{}  esac
  for other in l1d "${{COMP_WORDS[@]:2}}"; do
    case $other in
{}    esac
  done
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  elif [[ $before == -s || $before == --set ]]; then
    compopt -o nospace 2>/dev/null
    COMPREPLY=($(compgen -S = -W "$keys" -- "$word"))
  elif [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "{}" -- "$word") $(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _l1forge l1forge ./forge
)",
                     joined(commands, " "), options, values, cases_of_choices(), cases_of_keys(),
                     joined(units, " "));
}

}  // namespace gen
