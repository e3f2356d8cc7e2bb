#include "gen/shell_line.h"

#include <algorithm>
#include <filesystem>

namespace gen {

std::string shell_word(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("_./:=,+@%-").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shell_line(int argc, const char* const* argv) {
  std::string line = shell_word(std::filesystem::path(argv[0]).filename().string());
  for (int i = 1; i < argc; ++i) line += " " + shell_word(argv[i]);
  return line;
}

}  // namespace gen
