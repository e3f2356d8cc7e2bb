#include "golden/trace/trace_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "golden/trace/io/line_source.h"

namespace golden {

namespace {

constexpr std::size_t looked_at = 4096;
constexpr std::size_t kind_byte = 10;  // of a record: 0 to 3, which no text has there

bool is_text(std::string_view start) {
  return std::ranges::all_of(start.substr(0, kind_byte + 1), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\t' || c == '\r' || c == '\n';
  });
}

// A flush of a list with core numbers, on a line of its own.
bool is_flush(std::string_view line) { return line.substr(0, line.find_last_not_of(" \t") + 1) == "F"; }

// "L 80 f", or with a core's number in front.
bool is_request(std::string_view line) {
  if (is_flush(line)) return true;
  const std::size_t kind = std::min(line.find_first_not_of("0123456789 \t"), line.size());
  line.remove_prefix(kind);
  return line.size() >= 2 && std::string_view("LSAN").find(line[0]) != std::string_view::npos &&
         (line[1] == ' ' || line[1] == '\t');
}

std::string_view start_of(ByteSource& source) {
  const auto bytes = source.peek(looked_at);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The first line that is not blank.
std::string_view first_line(std::string_view start) {
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  return start.substr(0, start.find_first_of("\r\n"));
}

}  // namespace

bool names_cores(ByteSource& requests) {
  const std::string_view line = first_line(start_of(requests));
  return is_flush(line) || (!line.empty() && line[0] >= '0' && line[0] <= '9');
}

TraceFormat trace_format(ByteSource& source) {
  const std::string_view start = start_of(source);
  if (start.empty() || !is_text(start)) return TraceFormat::rec;
  const std::string_view line = first_line(start);
  if (line.starts_with('-') || line.starts_with('#')) return TraceFormat::traceg;
  if (line.starts_with("kernel") || line.starts_with("Memcpy")) return TraceFormat::kernelslist;
  if (is_request(line)) return TraceFormat::requests;
  throw TraceError(
      fmt::format("{}: starts with {}: neither a .rec, a .traceg, a kernelslist.g nor a list of requests",
                  source.name(), shown(line)));
}

}  // namespace golden
