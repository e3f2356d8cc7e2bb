// Lines of a text, numbered, and the words of a line; every complaint names file, line and column.
#pragma once
#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "golden/trace/io/byte_source.h"

namespace golden {

class LineSource {
 public:
  explicit LineSource(std::unique_ptr<ByteSource> source);

  // The next line without its end, or false after the last. It stays until the next call.
  bool next(std::string_view& line);
  // The next line that is not blank.
  bool next_filled(std::string_view& line);

  const std::string& name() const { return source_->name(); }
  double fraction() const { return source_->fraction(); }
  // At the word that was looked at last; at the beginning of a line of which there was none.
  [[noreturn]] void fail(std::string_view reason) const;
  // At a part of the line.
  [[noreturn]] void fail_at(std::string_view part, std::string_view reason) const;
  // Of a part of the line, from 1 on.
  std::size_t column(std::string_view part) const;
  void look_at(std::string_view part) const { column_ = column(part); }

 private:
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t first_ = 0, last_ = 0;  // unread bytes of buffer_
  std::uint64_t number_ = 0;          // of the line handed out last
  std::string_view line_;             // that line
  mutable std::size_t column_ = 1;    // where fail() complains
};

// The words of a line, separated by blanks or tabs.
class Words {
 public:
  Words(const LineSource& source, std::string_view line) : source_(source), rest_(line) { skip(); }

  bool empty() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }  // starts with the next word
  std::string_view snoop() const {
    return rest_.substr(0, std::min(rest_.find_first_of(" \t"), rest_.size()));
  }
  std::string_view word(std::string_view what);
  // A number that fills the whole word.
  template <class Value>
  Value decimal(std::string_view what) {
    const std::string_view text = word(what);
    return number<Value>(what, text, text, 10, "a decimal number");
  }
  // With or without 0x.
  template <class Value>
  Value hex(std::string_view what) {
    const std::string_view text = word(what);
    const bool prefix = text.starts_with("0x") || text.starts_with("0X");
    return number<Value>(what, text, text.substr(prefix ? 2 : 0), 16, "a hex number");
  }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  [[noreturn]] void wrong(std::string_view what, std::string_view text, std::string_view rule,
                          int bits) const;

  template <class Value>
  Value number(std::string_view what, std::string_view text, std::string_view digits, int base,
               std::string_view rule) const {
    Value value{};
    const char* last = digits.data() + digits.size();
    const auto [end, code] = std::from_chars(digits.data(), last, value, base);
    if (code != std::errc() || end != last) wrong(what, text, rule, std::numeric_limits<Value>::digits);
    return value;
  }

  const LineSource& source_;
  std::string_view rest_;
};

// The text of a user as an error may show it: cut short, and without anything that is not printable.
std::string shown(std::string_view text);

}  // namespace golden
