#include "gen/config/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace gen {

std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return text;
  std::size_t end = most - 3;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;  // no half of a UTF-8 character
  return text.substr(0, end) + "...";
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string in_quotes(const std::string& text) {
  std::ostringstream out;
  out << std::quoted(text, '"', '"');
  return std::move(out).str();
}

std::optional<std::string> unquoted(std::string_view text, std::size_t& at) {
  std::string out;
  for (++at; at < text.size(); ++at) {
    if (text[at] == '"' && (++at == text.size() || text[at] != '"')) return out;
    out += text[at];
  }
  return std::nullopt;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string comment(std::string_view text, std::size_t columns) {
  std::string lines;
  while (text.size() + 2 > columns) {
    const auto space = text.rfind(' ', columns - 2);
    if (space == std::string_view::npos) break;
    lines += fmt::format("# {}\n", text.substr(0, space));
    text.remove_prefix(space + 1);
  }
  return lines + fmt::format("# {}\n", text);
}

}  // namespace gen
