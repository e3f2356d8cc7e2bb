#include "gen/cosim/vcd_reader.h"

#include <charconv>
#include <string>
#include <vector>

#include "gen/process.h"

namespace gen {
namespace {

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
Number decimal(std::string_view word) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size())
    throw ToolError("the waveform of the co-simulation cannot be read: " + std::string(word));
  return number;
}

}  // namespace

void read_vcd(std::string_view text, VcdListener& listener) {
  VcdWords words(text);
  std::vector<std::string_view> scopes;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "$scope") {
      words.next();
      scopes.push_back(words.next());
      words.skip_to_end();
    } else if (word == "$upscope") {
      if (!scopes.empty()) scopes.pop_back();
      words.skip_to_end();
    } else if (word == "$var") {
      words.next();
      const int width = decimal<int>(words.next());
      const std::string_view code = words.next(), name = words.next();
      if (scopes.size() == 1 && scopes[0] == "dut") listener.port(code, name, width);
      words.skip_to_end();
    } else if (word == "$version" || word == "$timescale" || word == "$enddefinitions") {
      words.skip_to_end();
    } else if (word[0] == '#') {
      listener.time(decimal<std::uint64_t>(word.substr(1)));
    } else if (word[0] == 'b') {
      const std::string_view bits = word.substr(1);
      listener.value(words.next(), bits);
    } else if (word[0] != '$') {
      listener.value(word.substr(1), word.substr(0, 1));
    }
  }
}

}  // namespace gen
