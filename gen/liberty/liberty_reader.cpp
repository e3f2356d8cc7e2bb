#include "gen/liberty/liberty_reader.h"

#include <algorithm>
#include <charconv>

namespace gen {
namespace {

constexpr std::string_view blanks = " \t\r\n\\";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return text.substr(0, 0);
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<LibertyItem> items() {
    std::vector<LibertyItem> list;
    while (skip_blanks(), at_ < text_.size()) {
      LibertyItem item;
      item.key = until(":(;{}");
      if (snoop() == ':') {
        ++at_;
        item.has_colon = true;
        item.value = trimmed(until(";\n"));
      } else if (snoop() == '(') {
        ++at_;
        item.value = trimmed(until(")"));
        if (snoop() == ')') ++at_;
        skip_blanks();
        if (snoop() == '{') {
          item.is_group = true;
          item.body = braces();
        }
      }
      if (snoop() == ';' || item.key.empty()) ++at_;  // a stray character is stepped over
      if (!item.key.empty()) list.push_back(item);
    }
    return list;
  }

 private:
  char snoop() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (blanks.find(text_[at_]) != blanks.npos) {
        ++at_;
      } else if (text_.substr(at_, 2) == "/*") {
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      } else {
        return;
      }
    }
  }

  // Up to one of `ends` outside a string.
  std::string_view until(std::string_view ends) {
    const size_t start = at_;
    for (bool quoted = false; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') quoted = !quoted;
      if (!quoted && ends.find(text_[at_]) != ends.npos) break;
    }
    return trimmed(text_.substr(start, at_ - start));
  }

  std::string_view braces() {
    const size_t start = ++at_;
    bool quoted = false;
    for (int depth = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') quoted = !quoted;
      if (quoted) continue;
      if (text_.substr(at_, 2) == "/*") {
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 1;
        continue;
      }
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}' && --depth == 0) break;
    }
    const std::string_view body = text_.substr(start, at_ - start);
    if (at_ < text_.size()) ++at_;
    return body;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::vector<LibertyItem> liberty_items(std::string_view text) { return Reader(text).items(); }

std::vector<double> liberty_numbers(std::string_view text) {
  std::vector<double> numbers;
  for (const char* at = text.data(); at < text.data() + text.size();) {
    double value = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), value);
    if (error == std::errc()) numbers.push_back(value);
    at = error == std::errc() ? end : at + 1;
  }
  return numbers;
}

}  // namespace gen
