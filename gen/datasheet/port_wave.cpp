#include "gen/datasheet/port_wave.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "gen/process.h"

namespace gen {
namespace {

constexpr int widest = 64;                   // bits of a value that is kept
constexpr std::uint64_t units_of_cycle = 2;  // a half for each level of its clock

// The words of a text, one after the other.
class VcdWords {
 public:
  explicit VcdWords(std::string_view text) : rest_(text) {}

  // Empty at the end.
  std::string_view next() {
    const std::size_t from = rest_.find_first_not_of(" \n\t\r");
    if (from == std::string_view::npos) return rest_ = {};
    rest_.remove_prefix(from);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \n\t\r"));
    rest_.remove_prefix(word.size());
    return word;
  }
  void skip_to_end() {
    for (std::string_view word = next(); !word.empty() && word != "$end";) word = next();
  }

 private:
  std::string_view rest_;
};

template <class Number>
Number vcd_number(std::string_view word, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (error != std::errc() || end != word.data() + word.size())
    throw ToolError("the waveform of the co-simulation cannot be read: " + std::string(word));
  return number;
}

PortWave::Value vcd_value(std::string_view bits) {
  if (bits.find_first_not_of("01") != std::string_view::npos) return std::nullopt;
  return vcd_number<std::uint64_t>(bits, 2);
}

}  // namespace

PortWave::PortWave(std::string_view vcd) {
  std::unordered_map<std::string_view, std::vector<Value>*> of_code;
  std::unordered_map<std::string_view, Value> now;
  VcdWords words(vcd);
  std::vector<std::string_view> scopes;
  bool begun = false;
  // What has stood until this time holds in the cycles that have begun since the time before.
  const auto keep_until = [&](std::uint64_t time) {
    cycles_ = static_cast<std::int64_t>((time + units_of_cycle - 1) / units_of_cycle);
    for (const auto& [code, values] : of_code) values->resize(static_cast<std::size_t>(cycles_), now[code]);
  };
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "$scope") {
      words.next();
      scopes.push_back(words.next());
      words.skip_to_end();
    } else if (word == "$upscope") {
      scopes.pop_back();
      words.skip_to_end();
    } else if (word == "$var") {
      words.next();
      const int width = vcd_number<int>(words.next(), 10);
      const std::string_view code = words.next(), name = words.next();
      if (scopes.size() == 1 && scopes[0] == "dut" && width <= widest)
        of_code[code] = &ports_[std::string(name)];
      words.skip_to_end();
    } else if (word == "$version" || word == "$timescale" || word == "$enddefinitions") {
      words.skip_to_end();
    } else if (word[0] == '#') {
      const auto time = vcd_number<std::uint64_t>(word.substr(1), 10);
      if (std::exchange(begun, true)) keep_until(time);
    } else if (word[0] == 'b') {
      const std::string_view bits = word.substr(1), code = words.next();
      if (of_code.contains(code)) now[code] = vcd_value(bits);
    } else if (word[0] != '$') {
      if (of_code.contains(word.substr(1))) now[word.substr(1)] = vcd_value(word.substr(0, 1));
    }
  }
  if (of_code.empty() || !begun) throw ToolError("the waveform of the co-simulation shows no port");
  // Behind the end of a window nothing is known.
  const auto is_unknown = [&](const auto& port) { return !port.second.back(); };
  for (; cycles_ > 0 && std::ranges::all_of(ports_, is_unknown); --cycles_)
    for (auto& [name, values] : ports_) values.pop_back();
}

PortWave::Value PortWave::at(const std::string& port, std::int64_t cycle) const {
  const auto found = ports_.find(port);
  if (found == ports_.end() || cycle < 0 || cycle >= cycles_) return std::nullopt;
  return found->second[static_cast<std::size_t>(cycle)];
}

}  // namespace gen
