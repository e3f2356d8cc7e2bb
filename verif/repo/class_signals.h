// Classes of a C++ source and how many of their members are signals, for tests of the conventions.
#pragma once
#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace verif {

struct ClassSignals {
  std::string name;
  int signals = 0;
};

// Without comments and the content of strings, both of which may have braces.
inline std::string code_of(const std::string& text) {
  static const std::regex other(R"re(//[^\n]*|"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])')re");
  return std::regex_replace(text, other, "");
}

// The declarators of a list, apart from commas in brackets.
inline int declarators(std::string_view list) {
  int depth = 0, count = 1;
  for (const char c : list) {
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (c == ',' && depth == 0) ++count;
  }
  return count;
}

// Members of a class that are signals, optional ones, streams, or containers of them.
inline int signals_in(const std::string& body) {
  static const std::regex label("\\b(public|private|protected)\\s*:");
  static const std::regex member(
      "^\\s*((const|mutable|static|inline)\\s+)*(std::(optional|vector|array|pair|map)<[^;]*\\b(Expr|"
      "Optional|"
      "Condition|Stream)\\b[^;]*>|(rtl::)?(Expr|Optional|Condition|Stream))[\\s&]+([^;]*)$");
  int count = 0;
  const std::string statements = std::regex_replace(body, label, "");
  for (std::size_t at = 0; at < statements.size();) {
    const std::size_t end = std::min(statements.find(';', at), statements.size());
    const std::string statement = statements.substr(at, end - at);
    std::smatch found;
    if (statement.substr(0, statement.find_first_of("={")).find('(') == std::string::npos &&
        std::regex_match(statement, found, member))
      count += declarators(found[8].str());
    at = end + 1;
  }
  return count;
}

// Every class and struct, also those within others, whose own members alone count.
inline std::vector<ClassSignals> class_signals(const std::string& text) {
  static const std::regex head("\\b(class|struct)\\s+(\\w+)[^;{}()]*\\{");
  const std::string code = code_of(text);
  std::vector<ClassSignals> out;
  for (std::sregex_iterator at(code.begin(), code.end(), head), end; at != end; ++at) {
    std::string body;
    int depth = 1;
    for (auto i = static_cast<std::size_t>(at->position() + at->length()); i < code.size() && depth; ++i) {
      if (code[i] == '{') ++depth;
      if (depth == 1) body += code[i];
      if (code[i] != '}' || --depth != 1) continue;
      const std::size_t next = code.find_first_not_of(" \n", i + 1);
      const bool goes_on = next != std::string::npos && (code[next] == ',' || code[next] == ';');
      body += goes_on ? "{}" : "{};";  // else of a function
    }
    out.push_back({(*at)[2].str(), signals_in(body)});
  }
  return out;
}

}  // namespace verif
