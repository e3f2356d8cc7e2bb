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

// "Q 12 ...": an answer alone can begin neither.
bool is_recorded(std::string_view line) {
  return line.size() >= 3 && (line[0] == 'Q' || line[0] == 'R') && line[1] == ' ' && line[2] >= '0' &&
         line[2] <= '9';
}

std::string_view described(TraceFormat format) {
  switch (format) {
    case TraceFormat::rec:
      return "binary, as a .rec trace is";
    case TraceFormat::traceg:
      return "a .traceg, the trace of a kernel";
    case TraceFormat::kernelslist:
      return "a list of kernels' traces";
    case TraceFormat::requests:
      return "a list of requests";
    case TraceFormat::recording:
      break;
  }
  return "a recording of a cache's ports";
}

std::string_view start_of(ByteSource& source) {
  const auto bytes = source.snoop(looked_at);
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

namespace {

// Nothing for a text that is none of them.
std::optional<TraceFormat> recognised(ByteSource& source) {
  const std::string_view start = start_of(source);
  if (start.empty() || !is_text(start)) return TraceFormat::rec;
  const std::string_view line = first_line(start);
  if (line.starts_with('-') || line.starts_with('#')) return TraceFormat::traceg;
  if (line.starts_with("kernel") || line.starts_with("Memcpy")) return TraceFormat::kernelslist;
  if (is_request(line)) return TraceFormat::requests;
  if (is_recorded(line)) return TraceFormat::recording;
  return std::nullopt;
}

}  // namespace

TraceFormat trace_format(ByteSource& source) {
  if (const auto format = recognised(source)) return *format;
  throw TraceError(
      fmt::format("{}: starts with {}: neither a .rec, a .traceg, a kernelslist.g nor a list of requests",
                  source.name(), shown(first_line(start_of(source)))));
}

void expect_format(ByteSource& source, TraceFormat wanted) {
  const auto format = recognised(source);
  if (!format || *format == wanted || start_of(source).empty()) return;
  // A text with a broken line, or one that might be either: its reader names the line.
  const std::string_view line = first_line(start_of(source));
  if (*format == TraceFormat::rec && is_request(line)) return;
  if (wanted == TraceFormat::recording && line.starts_with("A ")) return;
  throw TraceError(
      fmt::format("{}: this is {}, not {}", source.name(), described(*format), described(wanted)));
}

void expect_requests(ByteSource& source, bool with_cores) {
  expect_format(source, TraceFormat::requests);
  if (!is_request(first_line(start_of(source))) || names_cores(source) == with_cores) return;
  throw TraceError(fmt::format(
      "{}: {}", source.name(),
      with_cores ? "this list of requests names no cores, as one for a topology must: \"3 L 80 f\""
                 : "this list of requests names cores, for a topology; one for a cache has \"L 80 f\""));
}

}  // namespace golden
