// Reads datasheets and waveforms as a test wants them: diagrams cycle by cycle, and what stands below a
// heading.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace verif {

// The WaveJSON that a page embeds.
inline std::vector<nlohmann::json> diagrams_of(const std::string& page) {
  const std::string begin = "class=\"wavejson\">", end = "</script>";
  std::vector<nlohmann::json> all;
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    all.push_back(nlohmann::json::parse(page.substr(at, page.find(end, at) - at)));
  }
  return all;
}

// From a heading to the next one; empty where the page has none of these words.
inline std::string below(const std::string& page, const std::string& heading) {
  const std::string line = "<h2>" + heading + "</h2>";
  const std::size_t at = page.find(line);
  if (at == std::string::npos) return "";
  return page.substr(at + line.size(), page.find("<h2>", at + 4) - at - line.size());
}

// Hexadecimal digits of a value in binary; "x" where a bit is unknown.
inline std::string hexadecimal(const std::string& bits) {
  if (bits.find_first_not_of("01") != std::string::npos) return "x";
  std::ostringstream out;
  out << std::hex << std::stoull(bits, nullptr, 2);
  return out.str();
}

// The ports of the unit in a VCD of `cosim`, before the clock edge that ends each cycle: a cycle is two units
// of time.
class VcdPorts {
 public:
  explicit VcdPorts(const std::string& vcd) {
    std::istringstream in(vcd);
    std::map<std::string, std::string> names;
    int depth = 0;
    bool of_unit = false;
    std::uint64_t time = 0;
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string first, type, width, code, name;
      words >> first;
      if (first == "$scope") {
        words >> type >> name;
        if (++depth == 1) of_unit = name == "dut";
      } else if (first == "$upscope") {
        --depth;
      } else if (first == "$var") {
        words >> type >> width >> code >> name;
        if (depth == 1 && of_unit) names[code] = name;
      } else if (line[0] == '#') {
        time = std::stoull(line.substr(1));
      } else if (line[0] == 'b') {
        words >> code;
        if (names.contains(code)) values_[names[code]][time] = line.substr(1, line.find(' ') - 1);
      } else if (line[0] == '0' || line[0] == '1' || line[0] == 'x') {
        if (names.contains(line.substr(1))) values_[names[line.substr(1)]][time] = line.substr(0, 1);
      }
    }
  }

  std::string at(const std::string& port, std::int64_t cycle) const {
    const auto& values = values_.at(port);
    const auto after = values.upper_bound(2 * static_cast<std::uint64_t>(cycle));
    return after == values.begin() ? "x" : hexadecimal(std::prev(after)->second);
  }

 private:
  std::map<std::string, std::map<std::uint64_t, std::string>> values_;  // at the times of changes
};

// Each cycle of a diagram's signals that is not as the waveform has it.
inline std::vector<std::string> differences(const nlohmann::json& diagram, const VcdPorts& waveform) {
  std::vector<std::string> found;
  const std::int64_t first = diagram["head"]["tick"];
  for (const auto& signal : diagram["signal"]) {
    const std::string whole = signal["name"], name = whole.substr(0, whole.find('[')), wave = signal["wave"];
    std::size_t data = 0;
    std::string now;
    for (std::size_t n = 0; n < wave.size(); ++n) {
      if (wave[n] == 'p') now = "1";  // as a cycle begins
      if (wave[n] == '=') now = signal["data"][data++];
      if (wave[n] == '0' || wave[n] == '1' || wave[n] == 'x') now = wave[n];
      const std::int64_t cycle = first + static_cast<std::int64_t>(n);
      if (now != waveform.at(name, cycle)) found.push_back(name + " in cycle " + std::to_string(cycle));
    }
  }
  return found;
}

}  // namespace verif
