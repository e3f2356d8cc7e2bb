#include "gen/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gen/config/catalogue.h"
#include "gen/config/text.h"

namespace gen {
namespace {

using Words = std::vector<std::string>;

struct Option {
  Words short_names, long_names;
  Words values;  // one of which it takes; empty = anything, or nothing
  bool takes_value = false;
};

struct Command {
  std::string name;
  std::vector<Option> options;

  // "-o --out --flow".
  Words words() const {
    Words all;
    for (const Option& option : options) {
      for (const std::string& name : option.short_names) all.push_back("-" + name);
      for (const std::string& name : option.long_names) all.push_back("--" + name);
    }
    return all;
  }
};

// What there is to complete, for any shell.
struct Language {
  std::vector<Command> commands;
  Words units;
  std::vector<std::pair<Words, Words>>
      keys;                              // of presets of one family: their names, what may stand behind -s
  std::map<std::string, Words> choices;  // behind KEY=, in any unit

  Words command_names() const {
    Words names;
    for (const Command& command : commands) names.push_back(command.name);
    return names;
  }
};

// "{gto,lrr,two-level}" is how the check of an option that takes one of several words describes itself.
Words values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

Language language_of(const CLI::App& app) {
  Language language;
  for (const CLI::App* command : app.get_subcommands({})) {
    language.commands.push_back({command->get_name(), {}});
    for (const CLI::Option* option : command->get_options())
      language.commands.back().options.push_back({option->get_snames(), option->get_lnames(),
                                                  values_of(*option), option->get_items_expected_max() > 0});
  }
  for (const Preset& preset : presets()) language.units.push_back(preset.name);
  for (const Family* family : families()) {
    Words names, keys;
    for (const Preset& preset : presets())
      if (preset.family == family) names.push_back(preset.name);
    for (const Key& key : family->keys) {
      keys.push_back(key.key);
      for (const std::string& word : key.type == KeyType::boolean ? Words{"false", "true"} : key.choices)
        if (Words& known = language.choices[key.key]; std::ranges::find(known, word) == known.end())
          known.push_back(word);
    }
    language.keys.emplace_back(names, keys);
  }
  std::erase_if(language.choices, [](const auto& entry) { return entry.second.empty(); });
  return language;
}

// "    PATTERN) NAME=OPEN WORDS CLOSE ;;", a line of a case of bash or zsh.
std::string line_of_case(const std::string& pattern, const std::string& assignment) {
  return fmt::format("    {}) {} ;;\n", pattern, assignment);
}

// The lines of the cases that bash and zsh have alike, which differ in how a list of words is written.
struct Cases {
  std::string options, values, choices, keys;
};

Cases cases_of(const Language& language, const char* format) {
  const auto list = [&](const char* name, const Words& words) {
    return fmt::format(fmt::runtime(format), name, joined(words, " "));
  };
  Cases cases;
  for (const Command& command : language.commands) {
    cases.options += line_of_case(command.name, list("options", command.words()));
    for (const Option& option : command.options)
      if (!option.values.empty() && !option.long_names.empty())
        cases.values += line_of_case(fmt::format("\"{} --{}\"", command.name, option.long_names[0]),
                                     list("values", option.values));
  }
  for (const auto& [key, words] : language.choices)
    cases.choices += line_of_case("*\" " + key + "\"", list("values", words));
  for (const auto& [units, keys] : language.keys)
    if (!units.empty()) cases.keys += line_of_case(joined(units, "|"), list("keys", keys));
  return cases;
}

std::string bash(const Language& language) {
  const Cases cases = cases_of(language, "{}=\"{}\"");
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
                     joined(language.command_names(), " "), cases.options, cases.values, cases.choices,
                     cases.keys, joined(language.units, " "));
}

std::string zsh(const Language& language) {
  const Cases cases = cases_of(language, "{}=({})");
  // Zsh keeps KEY=VALUE as one word.
  return fmt::format(R"(#compdef l1forge forge
# Completion of l1forge for zsh, after compinit: source <(l1forge completion zsh)
_l1forge() {{
  local word=$words[CURRENT] before=$words[CURRENT-1] other
  local -a options values keys
  if ((CURRENT == 2)); then
    compadd -- {} --help --version
    return
  fi
  case $words[2] in
{}  esac
  if [[ $before == (-s|--set) && $word == *=* ]]; then
    before=${{word%%=*}}
    compset -P '*='
  fi
  case "$words[2] $before" in
{}{}  esac
  for other in l1d ${{words[3,-1]}}; do
    case $other in
{}    esac
  done
  if (($#values)); then
    compadd -- $values
  elif [[ $before == (-s|--set) ]]; then
    compadd -S = -- $keys
  elif [[ $word == -* ]]; then
    compadd -- $options
  else
    compadd -- {}
    _files
  fi
}}
compdef _l1forge l1forge forge
)",
                     joined(language.command_names(), " "), cases.options, cases.values, cases.choices,
                     cases.keys, joined(language.units, " "));
}

std::string fish(const Language& language) {
  std::string text = "# Completion of l1forge for fish: l1forge completion fish | source\n";
  text += "function __l1forge_settings\n  set -l token (commandline -ct)\n  set -l keys\n  set -l values\n";
  text += "  if string match -q '*=*' -- $token\n    set -l key (string split -m 1 = -- $token)[1]\n";
  text += "    switch $key\n";
  for (const auto& [key, words] : language.choices)
    text += fmt::format("      case {}\n        set values {}\n", key, joined(words, " "));
  text += "    end\n    for value in $values\n      echo $key=$value\n    end\n    return\n  end\n";
  text += "  for word in l1d (commandline -opc)\n    switch $word\n";
  for (const auto& [units, keys] : language.keys)
    if (!units.empty())
      text += fmt::format("      case {}\n        set keys {}\n", joined(units, " "), joined(keys, " "));
  text += "    end\n  end\n  printf '%s=\\n' $keys\nend\n";
  for (const char* program : {"l1forge", "forge"}) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a '{}'\n", program,
                        joined(language.command_names(), " "));
    text += fmt::format("complete -c {} -n 'not __fish_use_subcommand' -a '{}'\n", program,
                        joined(language.units, " "));
    for (const Command& command : language.commands)
      for (const Option& option : command.options) {
        if (option.short_names.empty() && option.long_names.empty()) continue;
        text += fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program, command.name);
        for (const std::string& name : option.short_names) text += " -s " + name;
        for (const std::string& name : option.long_names) text += " -l " + name;
        if (std::ranges::find(option.long_names, "set") != option.long_names.end())
          text += " -x -a '(__l1forge_settings)'";
        else if (!option.values.empty())
          text += fmt::format(" -x -a '{}'", joined(option.values, " "));
        else if (option.takes_value)
          text += " -r";
        text += "\n";
      }
  }
  return text;
}

}  // namespace

std::string completion(const CLI::App& app, const std::string& shell) {
  const Language language = language_of(app);
  return shell == "bash" ? bash(language) : shell == "zsh" ? zsh(language) : fish(language);
}

}  // namespace gen
