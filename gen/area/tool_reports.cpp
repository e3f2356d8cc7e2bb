#include "gen/area/tool_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "gen/process.h"

namespace gen {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) return words;
    line.remove_prefix(first);
    const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

// Takes the next line off the text.
std::string_view next_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

template <class Number>
std::optional<Number> number(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// The word behind `label` on the first line that starts with it.
std::string_view word_after(std::string_view text, std::string_view label) {
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (!line.starts_with(label)) continue;
    const auto words = words_of(line.substr(label.size()));
    if (!words.empty()) return words[0];
  }
  throw ToolError(fmt::format("sta: no '{}' in its report", label));
}

}  // namespace

std::map<std::string, int> parse_stat_cells(std::string_view stat) {
  std::map<std::string, int> cells;
  int promised = -1, counted = 0;
  while (!stat.empty()) {
    const std::string_view line = next_line(stat);
    const auto words = words_of(line);
    if (line.starts_with("   Number of cells:") && words.size() == 4) {
      if (promised >= 0)
        throw ToolError("yosys: the statistics are of several modules, not of one flattened unit");
      promised = number<int>(words[3]).value_or(-1);
    } else if (promised >= 0 && line.starts_with("     ") && words.size() == 2) {
      const auto count = number<int>(words[1]);
      if (!count) throw ToolError(fmt::format("yosys: no count of cells in '{}'", line));
      cells[std::string(words[0])] = *count;
      counted += *count;
    }
  }
  if (promised != counted)
    throw ToolError(fmt::format("yosys: {} cells promised, {} listed", promised, counted));
  return cells;
}

std::vector<std::pair<std::string, std::string_view>> stat_modules(std::string_view stat) {
  constexpr std::string_view mark = "\n=== ";
  std::vector<std::pair<std::string, std::string_view>> modules;
  for (size_t at = stat.find(mark); at != stat.npos;) {
    const size_t next = stat.find(mark, at + 1);
    const std::string_view text = stat.substr(at + 1, next == stat.npos ? next : next - at);
    const std::string_view name = text.substr(4, text.find(" ===") - 4);
    if (name == "design hierarchy") break;
    modules.emplace_back(name, text);
    at = next;
  }
  return modules;
}

double parse_stat_area(std::string_view stat) {
  while (!stat.empty()) {
    const std::string_view line = next_line(stat);
    if (line.find("Chip area for module") == line.npos) continue;
    const auto area = number<double>(words_of(line).back());
    if (area) return *area;
  }
  return 0;  // yosys prints no line for a unit of wires and black boxes only
}

int parse_ltp_depth(std::string_view ltp) {
  constexpr std::string_view label = "(length=";
  const size_t at = ltp.find(label);
  if (at == ltp.npos) return 0;  // nor one for a unit without gates
  const std::string_view rest = ltp.substr(at + label.size());
  const auto depth = number<int>(rest.substr(0, rest.find(')')));
  if (!depth) throw ToolError("yosys: no length in the longest topological path");
  return *depth;
}

namespace {

// Ports of several bits, by their names: the only nets of a netlist with more than one.
using Vectors = std::map<std::string, std::pair<int, int>, std::less<>>;  // highest and lowest bit

std::pair<int, int> range_of(std::string_view brackets) {
  const std::string_view inner = brackets.substr(1, brackets.size() - 2);
  const std::size_t colon = std::min(inner.find(':'), inner.size());
  const auto high = number<int>(inner.substr(0, colon));
  const auto low = colon == inner.size() ? high : number<int>(inner.substr(colon + 1));
  if (!high || !low) throw ToolError(fmt::format("yosys: cannot read the range '{}'", brackets));
  return {*high, *low};
}

// `  input [7:0] a;`
void note_vector(std::string_view line, Vectors& vectors) {
  const auto words = words_of(line);
  if (words.size() < 3 || (words[0] != "input" && words[0] != "output") || !words[1].starts_with('[')) return;
  std::string_view name = words[2];
  if (name.ends_with(';')) name.remove_suffix(1);
  vectors.emplace(name, range_of(words[1]));
}

void add_digits(std::string_view word, std::size_t tick, std::vector<std::string>& bits) {
  const auto width = number<int>(word.substr(0, tick)).value_or(0);
  const std::string digits(word.substr(tick + 2));
  const bool hex = word.substr(tick + 1, 1) == "h";
  for (int bit = width - 1; bit >= 0; --bit) {
    const size_t digit = static_cast<size_t>(hex ? bit / 4 : bit);
    const char c = digit < digits.size() ? digits[digits.size() - 1 - digit] : '0';
    const int value = std::string_view("0123456789abcdef").find(c) & 15;
    bits.push_back(fmt::format("1'b{}", hex ? value >> bit % 4 & 1 : value & 1));
  }
}

// The bits of `{ a, 2'h3, b[1:0], \c [2] }`, the highest first.
std::vector<std::string> bits_of(std::string_view list, const Vectors& vectors) {
  std::vector<std::string> bits;
  const auto words = words_of(list);
  for (size_t w = 0; w < words.size(); ++w) {
    std::string_view word = words[w];
    if (word == "{" || word == "}" || word == ",") continue;
    if (word.ends_with(',')) word.remove_suffix(1);
    const bool escaped = word.starts_with('\\');
    if (const size_t tick = escaped ? word.npos : word.find('\''); tick != word.npos) {
      add_digits(word, tick, bits);
      continue;
    }
    std::string_view brackets;  // behind an escaped name, or the end of another
    if (escaped && w + 1 < words.size() && words[w + 1].starts_with('[')) {
      brackets = words[++w];
      if (brackets.ends_with(',')) brackets.remove_suffix(1);
    } else if (!escaped && word.ends_with(']')) {
      brackets = word.substr(word.find('['));
      word.remove_suffix(brackets.size());
    }
    const std::string name = fmt::format("{}{}", word, escaped ? " " : "");
    const auto whole = vectors.find(word);
    if (brackets.empty() && whole == vectors.end()) {
      bits.push_back(name);
      continue;
    }
    const auto [high, low] = brackets.empty() ? whole->second : range_of(brackets);
    for (int bit = high; bit >= low; --bit) bits.push_back(fmt::format("{}[{}]", name, bit));
  }
  return bits;
}

// \a[0].b[1] as \a(0).b[1].
std::string without_inner_brackets(std::string_view line) {
  std::string out(line);
  for (size_t at = out.find('\\'); at != out.npos; at = out.find('\\', at + 1)) {
    const size_t end = std::min(out.find(' ', at), out.size());
    const size_t dot = out.rfind('.', end);
    for (size_t i = at; dot != out.npos && i < dot; ++i)
      out[i] = out[i] == '[' ? '(' : out[i] == ']' ? ')' : out[i];
  }
  return out;
}

}  // namespace

std::string readable_netlist(std::string_view netlist) {
  std::string out;
  Vectors vectors;
  while (!netlist.empty()) {
    const std::string renamed = without_inner_brackets(next_line(netlist));
    std::string_view line = renamed;
    if (line == "endmodule") vectors.clear();
    if (line.starts_with("  input [") || line.starts_with("  output [")) note_vector(line, vectors);
    if (!line.starts_with("  assign ")) {
      out.append(line) += '\n';
      continue;
    }
    const size_t equals = line.find(" = ");
    const auto targets = bits_of(line.substr(9, equals - 9), vectors);
    line.remove_suffix(1);
    const auto values = bits_of(line.substr(equals + 3), vectors);
    if (targets.size() != values.size()) throw ToolError(fmt::format("yosys: cannot read '{}'", line));
    for (size_t i = 0; i < targets.size(); ++i)
      out += fmt::format("  assign {} = {};\n", targets[i], values[i]);
  }
  return out;
}

TimingPath parse_timing(std::string_view report) {
  if (report.find("No paths found.") != report.npos) return {};
  TimingPath path;
  // A flop is called after its net and its generic type: index_q[3]$_DFF_P_.
  path.start = word_after(report, "Startpoint: ");
  path.start.erase(std::min(path.start.find("$_"), path.start.size()));
  path.end = word_after(report, "Endpoint: ");
  path.end.erase(std::min(path.end.find("$_"), path.end.size()));
  for (std::string* name : {&path.start, &path.end}) {
    std::ranges::replace(*name, '(', '[');
    std::ranges::replace(*name, ')', ']');
  }
  while (!report.empty()) {
    const auto words = words_of(next_line(report));
    if (words.size() != 3 || words[1] != "slack") continue;
    const auto slack = number<double>(words[0]);
    if (!slack || !std::isfinite(*slack)) break;
    path.slack_ns = *slack;
    path.found = true;
    return path;
  }
  throw ToolError("sta: no slack in its report");
}

std::string fill_in(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string filled;
  std::map<std::string, std::string> unused = values;
  while (true) {
    const size_t open = text.find('@');
    filled += text.substr(0, open);
    if (open == text.npos) break;
    const size_t close = text.find('@', open + 1);
    if (close == text.npos) throw std::logic_error("a single @ in a script");
    const std::string key(text.substr(open + 1, close - open - 1));
    const auto found = values.find(key);
    if (found == values.end()) throw std::logic_error(fmt::format("unknown @{}@ in a script", key));
    filled += found->second;
    unused.erase(key);
    text.remove_prefix(close + 1);
  }
  if (!unused.empty()) throw std::logic_error(fmt::format("no @{}@ in a script", unused.begin()->first));
  return filled;
}

}  // namespace gen
