#include "golden/trace/io/line_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>

namespace golden {

namespace {

constexpr std::size_t first_bytes = 16 << 10, longest_line = 256 << 10;

}  // namespace

LineSource::LineSource(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(first_bytes, '\0') {}

void LineSource::fail(std::string_view reason) const {
  throw TraceError(fmt::format("{}:{}:{}: {}", name(), std::max<std::uint64_t>(number_, 1), column_, reason));
}

void LineSource::fail_at(std::string_view part, std::string_view reason) const {
  look_at(part);
  fail(reason);
}

std::size_t LineSource::column(std::string_view part) const {
  const std::less_equal<const char*> not_after;
  const bool inside =
      not_after(line_.data(), part.data()) && not_after(part.data(), line_.data() + line_.size());
  return inside ? static_cast<std::size_t>(part.data() - line_.data()) + 1 : 1;
}

// Adds at least one byte to the unread ones; false when the source is at its end.
bool LineSource::refill() {
  std::memmove(buffer_.data(), buffer_.data() + first_, last_ - first_);
  last_ -= first_;
  first_ = 0;
  if (last_ == longest_line) {
    ++number_;
    column_ = longest_line + 1;
    fail(fmt::format("the line is longer than {} bytes", longest_line));
  }
  if (last_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  auto* bytes = reinterpret_cast<std::uint8_t*>(buffer_.data());
  const std::size_t got = source_->read(std::span(bytes + last_, buffer_.size() - last_));
  last_ += got;
  return got > 0;
}

bool LineSource::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* from = buffer_.data() + first_;
    const void* end = std::memchr(from + searched, '\n', last_ - first_ - searched);
    std::size_t size = last_ - first_;
    if (end) {
      size = static_cast<std::size_t>(static_cast<const char*>(end) - from);
    } else {
      searched = size;
      if (refill()) continue;
      if (first_ == last_) {
        column_ = line_.size() + 1;  // behind the last line
        return false;
      }
      from = buffer_.data() + first_;
    }
    ++number_;
    line = {from, size};
    first_ += size + (end ? 1 : 0);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line_ = line;
    column_ = 1;
    return true;
  }
}

bool LineSource::next_filled(std::string_view& line) {
  do {
    if (!next(line)) return false;
  } while (line.find_first_not_of(" \t") == line.npos);
  return true;
}

std::string_view Words::word(std::string_view what) {
  source_.look_at(rest_);
  if (rest_.empty()) source_.fail(fmt::format("the line ends before its {}", what));
  const std::string_view out = snoop();
  rest_.remove_prefix(out.size());
  skip();
  return out;
}

void Words::wrong(std::string_view what, std::string_view text, std::string_view rule, int bits) const {
  source_.fail(fmt::format("{} is {}, must be {} of at most {} bits", what, shown(text), rule, bits));
}

std::string shown(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > 40 ? "...\"" : "\"");
}

}  // namespace golden
