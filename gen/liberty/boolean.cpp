#include "gen/liberty/boolean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "gen/config/text.h"
#include "gen/process.h"

namespace gen {

// Recursive descent, loosest operator first.
class Boolean::Parser {
 public:
  Parser(std::string_view text, const std::function<int(std::string_view)>& variable)
      : text_(text), variable_(variable) {}

  std::vector<Step> steps() {
    either();
    if (snoop() != '\0') fail();
    return steps_;
  }

 private:
  [[noreturn]] void fail() const {
    throw ToolError(
        fmt::format("Liberty: {} is no Boolean expression", shortened(one_line(std::string(text_)))));
  }

  char snoop() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) || text_[at_] == '\\'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (snoop() != c) return false;
    ++at_;
    return true;
  }
  void add(Kind kind, int variable = 0) {
    steps_.push_back({kind, variable});
    waiting_ += kind == Kind::invert                                                ? 0
                : kind == Kind::zero || kind == Kind::one || kind == Kind::variable ? 1
                                                                                    : -1;
    if (waiting_ > deepest) fail();
  }

  void either() {
    both();
    while (take('|') || take('+')) {
      take('|');
      both();
      add(Kind::either);
    }
  }
  static bool begins_term(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '(' || c == '!' || c == '"';
  }
  void both() {
    differs();
    while (true) {
      if (take('&') || take('*'))
        take('&');
      else if (!begins_term(snoop()))
        return;
      differs();
      add(Kind::both);
    }
  }
  void differs() {
    term();
    while (take('^')) {
      term();
      add(Kind::differs);
    }
  }
  void term() {
    if (++depth_ > deepest) fail();
    if (take('!')) {
      term();
      add(Kind::invert);
    } else if (take('(')) {
      either();
      if (!take(')')) fail();
    } else {
      name();
    }
    while (take('\'')) add(Kind::invert);
    --depth_;
  }
  void name() {
    snoop();
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' ||
                                  text_[at_] == '[' || text_[at_] == ']'))
      ++at_;
    const std::string_view word = text_.substr(from, at_ - from);
    if (word.empty()) fail();
    if (word == "0" || word == "1")
      add(word == "1" ? Kind::one : Kind::zero);
    else
      add(Kind::variable, variable_(word));
  }

  std::string_view text_;
  const std::function<int(std::string_view)>& variable_;
  std::size_t at_ = 0;
  int depth_ = 0, waiting_ = 0;
  std::vector<Step> steps_;
};

Boolean::Boolean(std::string_view text, const std::function<int(std::string_view)>& variable)
    : steps_(Parser(text, variable).steps()) {}

std::vector<int> Boolean::variables() const {
  std::vector<int> list;
  for (const Step& step : steps_)
    if (step.kind == Kind::variable && std::ranges::find(list, step.variable) == list.end())
      list.push_back(step.variable);
  return list;
}

}  // namespace gen
