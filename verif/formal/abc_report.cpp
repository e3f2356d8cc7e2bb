#include "verif/formal/abc_report.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>
#include <vector>

namespace verif {
namespace {

std::optional<int> number(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// Bits by position -> hexadecimal digits, most significant first.
std::string hexadecimal(const std::map<int, bool>& bits) {
  std::string digits(static_cast<size_t>(bits.rbegin()->first / 4 + 1), '0');
  for (const auto& [bit, value] : bits) {
    char& digit = digits[digits.size() - 1 - static_cast<size_t>(bit / 4)];
    const int old = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    digit = "0123456789abcdef"[old | (value ? 1 << bit % 4 : 0)];
  }
  return digits;
}

}  // namespace

std::optional<int> abc_status(std::string_view output) {
  std::istringstream in{std::string(output)};
  std::optional<int> status;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string key, equals, value;
    words >> key >> equals >> value;
    if (key != "Status" || equals != "=") continue;
    if (status) return std::nullopt;
    status = number(value);
    if (!status || *status < -1 || *status > 1) return std::nullopt;
  }
  return status;
}

std::optional<AigerShape> aiger_shape(std::string_view file) {
  std::istringstream in{std::string(file.substr(0, file.find('\n')))};
  std::string magic;
  int variables = 0, gates = 0;
  AigerShape shape;
  if (!(in >> magic >> variables >> shape.inputs >> shape.latches >> shape.outputs >> gates) ||
      magic != "aig")
    return std::nullopt;
  return shape;
}

std::set<std::string> map_inputs(std::string_view map) {
  std::istringstream in{std::string(map)};
  std::set<std::string> inputs;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind, index, bit, name;
    if (!(words >> kind >> index >> bit >> name) || kind != "input") continue;
    inputs.insert(fmt::format("{}[{}]", name, bit));
    if (bit == "0") inputs.insert(name);  // the symbol of an input of one bit
  }
  return inputs;
}

std::string cex_text(std::string_view cex, const std::set<std::string>& inputs) {
  std::map<int, std::map<std::string, std::map<int, bool>>> cycles;
  std::istringstream in{std::string(cex)};
  for (std::string line; std::getline(in, line);) {
    const size_t at = line.find('@'), equals = line.rfind('=');
    if (line.starts_with("#") || at == line.npos || equals == line.npos || equals < at) continue;
    std::string name = line.substr(0, at);
    if (!inputs.contains(name)) continue;  // the start value of a register
    int bit = 0;
    if (const size_t open = name.rfind('['); open != name.npos) {
      bit = number(std::string_view(name).substr(open + 1, name.size() - open - 2)).value_or(0);
      name.resize(open);
    }
    const int cycle = number(std::string_view(line).substr(at + 1, equals - at - 1)).value_or(0);
    cycles[cycle][name][bit] = line.substr(equals + 1) == "1";
  }
  std::string text;
  for (const auto& [cycle, values] : cycles) {
    text += fmt::format("{}cycle {}:", text.empty() ? "" : "; ", cycle);
    for (const auto& [name, bits] : values) text += fmt::format(" {}={}", name, hexadecimal(bits));
  }
  return text.empty() ? "any input" : text;
}

}  // namespace verif
