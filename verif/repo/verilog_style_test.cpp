// How the generated Verilog in rtl-out reads, over its distinct files; each rule also shown to catch an
// injected fault.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <set>
#include <utility>

#include "gen/paths.h"
#include "verif/repo/source_tree.h"

namespace {

using verif::SourceFile;
using Files = std::vector<SourceFile>;
using Complaints = std::vector<std::string>;

constexpr std::size_t long_module = 400;       // lines
constexpr std::size_t longest_module = 800;    // lines; the top of a topology, whose ports are its parts'
constexpr std::size_t most_beyond = 3100;      // lines behind the first 400 of a module, over all files
constexpr int long_statement = 3;              // lines
constexpr std::size_t most_search_steps = 20;  // wires of searches written out, over all files
constexpr std::size_t most_literals = 216;     // lines that compare with a bare number, over all files

// Presets share modules: a text counts once under any source file in its head.
const Files& distinct_files() {
  static const Files files = [] {
    static const std::regex source("// Generated[^\n]*");
    std::set<std::string> seen;
    Files out;
    for (const SourceFile& file : verif::source_tree(gen::paths::source()))
      if (file.in("rtl-out/") && file.extension() == ".v" &&
          seen.insert(std::regex_replace(file.text, source, "")).second)
        out.push_back(file);
    return out;
  }();
  return files;
}

struct Line {
  std::string code, comment;  // without spaces around
};

Line split(const std::string& line) {
  const auto trimmed = [](const std::string& text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
  };
  const std::size_t at = line.find("//");
  if (at == std::string::npos) return {trimmed(line), ""};
  return {trimmed(line.substr(0, at)), trimmed(line.substr(at + 2))};
}

// Calls `see` with each line of each file and where it stands.
void each_line(const Files& files, const std::function<void(const std::string& where, const Line&)>& see) {
  for (const SourceFile& file : files) {
    int number = 0;
    for (const std::string& line : verif::lines(file.text))
      see(fmt::format("{}:{}", file.path, ++number), split(line));
  }
}

// A line goes on in the next one after an operator, or inside of parentheses.
bool goes_on(const std::string& code, int open) {
  static const std::regex at_operator("[&|^+?:=-]$");
  return open > 0 || std::regex_search(code, at_operator);
}

Complaints statements(const Files& files) {
  Complaints out;
  std::string start;
  int length = 0, open = 0;
  each_line(files, [&](const std::string& where, const Line& line) {
    if (line.code.empty() || line.code.ends_with(" (") || line.code == ");") return;  // ports and pins
    if (length++ == 0) start = where;
    for (const char c : line.code) open += (c == '(' || c == '{') - (c == ')' || c == '}');
    if (goes_on(line.code, open)) return;
    if (length > long_statement) out.push_back(fmt::format("{}: a statement of {} lines", start, length));
    length = open = 0;
  });
  return out;
}

Complaints lengths(const Files& files) {
  Complaints out;
  std::size_t beyond = 0;
  for (const SourceFile& file : files) {
    const std::size_t length = verif::lines(file.text).size();
    if (length > longest_module) out.push_back(fmt::format("{}: {} lines", file.path, length));
    beyond += length > long_module ? length - long_module : 0;
  }
  if (beyond > most_beyond) out.push_back(fmt::format("{} lines in long modules", beyond));
  return out;
}

Complaints pronouns(const Files& files) {
  static const std::regex pronoun(
      "^(its|their|it|they|them|those|these|what|which|whose|who|the same|likewise|of it|that one)\\b",
      std::regex::icase);
  Complaints out;
  each_line(files, [&](const std::string& where, const Line& line) {
    if (std::regex_search(line.comment, pronoun))
      out.push_back(fmt::format("{}: names no noun: {}", where, line.comment));
  });
  return out;
}

// Complains about each line whose code or comment the pattern is found in.
Complaints complain(const Files& files, std::string Line::*part, const char* pattern, const char* rule) {
  const std::regex wrong(pattern);
  Complaints out;
  each_line(files, [&](const std::string& where, const Line& line) {
    if (std::regex_search(line.*part, wrong))
      out.push_back(fmt::format("{}: {}: {}", where, rule, line.*part));
  });
  return out;
}

Complaints comments(const Files& files) {
  return complain(files, &Line::comment, "^loop variable$", "the comment says what the code says");
}

// A loop's variable is declared in front of the block that uses it first.
Complaints integers(const Files& files) {
  Complaints out;
  std::string declared;
  each_line(files, [&](const std::string& where, const Line& line) {
    if (line.code.starts_with("integer ")) {
      declared = where;
    } else if (!std::exchange(declared, "").empty() && !line.code.starts_with("always ")) {
      out.push_back(fmt::format("{}: an integer far from its loop", where));
    }
  });
  return out;
}

// A short comment in front of a block or an instance that does little but name one of its nets.
Complaints echoes(const Files& files) {
  static const std::regex name("[a-z]\\w*_\\w*");
  constexpr std::ptrdiff_t short_comment = 4;  // words
  Complaints out;
  std::string where, comment, block;
  const auto conclude = [&] {
    std::smatch net;
    if (std::regex_search(comment, net, name) && block.find(net.str()) != std::string::npos)
      out.push_back(fmt::format("{}: says only the name of a net: {}", where, comment));
    comment = block = "";
  };
  each_line(files, [&](const std::string& at, const Line& line) {
    if (line.code.empty() && line.comment.empty()) return conclude();
    if (!line.code.empty()) return void(block += line.code + "\n");
    conclude();
    where = at;
    comment = std::ranges::count(line.comment, ' ') < short_comment ? line.comment : "";
  });
  conclude();
  return out;
}

Complaints aliases(const Files& files) {
  return complain(files, &Line::code, "^wire (\\[[^\\]]*\\] )?\\w+ = \\w+;$", "a second name");
}

Complaints searches(const Files& files) {
  Complaints out = complain(files, &Line::code, "^(wire|reg) [^=;]*within_?\\d+\\b", "a search written out");
  if (out.size() <= most_search_steps) out.clear();
  return out;
}

// Names of modules, instances and nets; a number's digits are none.
Complaints names(const Files& files) {
  return complain(files, &Line::code, "(^|[^'\\w])[A-Za-z_]\\w{40,}", "a name of more than 40 characters");
}

// States, kinds and limits are named: what is left compares with port numbers, 0, 1 and the like.
Complaints literals(const Files& files) {
  Complaints out = complain(files, &Line::code, "(==|!=|<|>=) \\d+'[dh]", "compares with a bare number");
  if (out.size() <= most_literals) out.clear();
  return out;
}

struct Rule {
  const char* name;
  std::function<Complaints(const Files&)> check;
  std::string injected;  // breaks the rule
};

std::string repeated(std::size_t times, const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

const Rule rules[] = {
    {"Statements", statements, "  wire a = b &\n      c |\n      d[{e,\n      f}];\n"},
    {"Pins", statements,
     "  part one (\n    .a(b &\n        c |\n        d |\n        e),\n    .f(g)\n  );\n"},
    {"Conditions", statements, "    if (a &\n        b &\n        c &\n        d) begin\n"},
    {"Lengths", lengths, repeated(longest_module + 1, "\n")},
    {"Pronouns", pronouns, "  wire a;  // its way\n"},
    {"Comments", comments, "  integer i;  // loop variable\n"},
    {"Integers", integers, "  integer i;\n  wire a;\n"},
    {"Echoes", echoes, "  // Finds below_free.\n  below search (\n    .below(below_free)\n  );\n\n"},
    {"Aliases", aliases, "  wire [3:0] takes = allocate;\n"},
    {"Names", names, "  wire " + std::string(41, 'a') + ";\n"},
    {"Literals", literals, repeated(most_literals + 1, "  wire full = count_q == 3'd5;\n")},
    {"Searches", searches, repeated(most_search_steps + 1, "  wire [6:0] first_within2 = {a, b};\n")},
};

class VerilogStyle : public testing::TestWithParam<Rule> {};

TEST_P(VerilogStyle, HoldsInRtlOut) { EXPECT_THAT(GetParam().check(distinct_files()), testing::IsEmpty()); }

TEST_P(VerilogStyle, CatchesAnInjectedFault) {
  EXPECT_THAT(GetParam().check({{"rtl-out/a/a.v", GetParam().injected}}), testing::Not(testing::IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(Rules, VerilogStyle, testing::ValuesIn(rules),
                         [](const auto& info) { return info.param.name; });

TEST(VerilogStyle, CountsTheLinesOfLongModules) {
  const SourceFile longest{"rtl-out/a/a.v", repeated(703, "\n")};
  EXPECT_THAT(lengths(Files(10, longest)), testing::IsEmpty());
  EXPECT_THAT(lengths(Files(11, longest)), testing::ElementsAre("3333 lines in long modules"));
}

TEST(VerilogStyle, TakesDigitsForNoName) {
  EXPECT_THAT(names({{"rtl-out/a/a.v", "  wire a = 164'h" + std::string(41, 'a') + ";\n"}}),
              testing::IsEmpty());
  EXPECT_THAT(names({{"rtl-out/a/a.v", "  wire " + std::string(40, 'a') + ";\n"}}), testing::IsEmpty());
}

TEST(VerilogStyle, IsCheckedOnMuch) { EXPECT_GT(distinct_files().size(), 150); }

}  // namespace
