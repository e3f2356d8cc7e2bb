#include "gen/liberty/liberty_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <memory>

#include "gen/config/text.h"
#include "gen/liberty/liberty_reader.h"
#include "gen/process.h"

namespace gen {
namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 29;  // ASAP7 has 46 MB
constexpr std::string_view gzip_mark = "\x1f\x8b";

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw ToolError(fmt::format("{}: {}", path, why));
}

// One member behind the other, as gzip allows.
std::string inflated(const std::string& path, std::string packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) refuse(path, "gzip cannot be read: no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, inflateEnd);
  std::string text;
  std::vector<char> block(1 << 18);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  for (int status = Z_OK; stream.avail_in > 0 || status != Z_STREAM_END;) {
    if (status == Z_STREAM_END) inflateReset(&stream);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(block.data(), block.size() - stream.avail_out);
    if (text.size() > max_bytes) refuse(path, fmt::format("holds more than {} MiB", max_bytes >> 20));
    if (status != Z_OK && status != Z_STREAM_END)
      refuse(path, status == Z_BUF_ERROR ? "ends inside its gzip data" : "is damaged gzip data");
  }
  return text;
}

// Every group that is opened is closed, outside of strings and comments.
bool whole(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (text.substr(at, 2) == "/*") {
      at = text.find("*/", at + 2);
      if (at == text.npos) return false;
      ++at;
    }
    if (c == '{') ++depth;
    if (c == '}' && --depth < 0) return false;
  }
  return depth == 0 && !quoted;
}

// Names go into scripts of yosys, abc and OpenSTA, where a bracket or a blank would be a command.
bool plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 200 &&
         std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

void check_library(const LibertyText& file) {
  if (!whole(file.text)) refuse(file.path, "is no whole Liberty file: a group or a string does not end");
  int libraries = 0;
  for (const LibertyItem& library : liberty_items(file.text)) {
    if (library.key != "library" || !library.is_group) continue;
    ++libraries;
    for (const LibertyItem& item : liberty_items(library.body)) {
      if (item.key == "include_file")
        refuse(file.path, "includes another file; name all files with --liberty or in [cells]");
      if (item.key == "cell" && item.is_group && !plain_name(liberty_word(item.value)))
        refuse(file.path, fmt::format("has a cell called {}; names have letters, digits and underscores",
                                      shortened(one_line(std::string(item.value)))));
    }
  }
  if (libraries > 1) refuse(file.path, "has several libraries; one a file is read");
}

// What each tool takes for the whole library, so that files that differ here cannot be one.
constexpr auto shared_attributes = std::to_array<std::string_view>(
    {"delay_model", "time_unit", "voltage_unit", "capacitive_load_unit", "leakage_power_unit", "nom_voltage",
     "nom_temperature", "slew_derate_from_library", "input_threshold_pct_rise", "input_threshold_pct_fall",
     "output_threshold_pct_rise", "output_threshold_pct_fall", "slew_lower_threshold_pct_rise",
     "slew_lower_threshold_pct_fall", "slew_upper_threshold_pct_rise", "slew_upper_threshold_pct_fall"});

std::string_view library_body(const LibertyText& file) {
  for (const LibertyItem& library : liberty_items(file.text))
    if (library.key == "library" && library.is_group) return library.body;
  refuse(file.path, "has no library");
}

bool is_template(std::string_view key) {
  return key == "lu_table_template" || key == "power_lut_template" || key == "type";
}

std::string packed(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)) && c != '\\') out += c;
  return out;
}

// What the library has so far: where each attribute, template and cell is from.
struct Seen {
  std::map<std::string, std::pair<std::string, const std::string*>> values;  // text, file
};

// The text to add for `item` of `file`; empty for what is there already.
std::string addition(const LibertyItem& item, const LibertyText& file, bool first, Seen& seen) {
  const std::string word = liberty_word(item.value);
  const bool cell = item.key == "cell" && item.is_group;
  const bool named = cell || (is_template(item.key) && item.is_group);
  const bool shared = std::ranges::find(shared_attributes, item.key) != shared_attributes.end();
  if (!named && !shared) return "";
  const std::string name = named ? fmt::format("{} {}", item.key, word) : std::string(item.key);
  // A cell is known by its name alone.
  const std::string value = cell ? "" : named ? packed(item.body) : word;
  const auto [at, is_new] = seen.values.try_emplace(name, value, &file.path);
  if (!is_new && cell) refuse(file.path, fmt::format("has a {}, as {} has", name, *at->second.second));
  if (!is_new && at->second.first != value)
    refuse(file.path,
           fmt::format("its {} is not that of {}; such libraries cannot be one", name, *at->second.second));
  if (!is_new || first || !named) return "";
  return fmt::format("  {} ({}) {{{}}}\n", item.key, item.value, item.body);
}

}  // namespace

std::string liberty_word(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (c != '"' && c != ' ') plain += c;
  return plain;
}

double liberty_number(std::string_view text) {
  const std::string plain = liberty_word(text);
  double value = 0;
  std::from_chars(plain.data(), plain.data() + plain.size(), value);
  return value;
}

LibertyText read_liberty(const std::string& path) {
  LibertyText file{path, read_file(path)};
  if (file.text.starts_with(gzip_mark)) file.text = inflated(path, std::move(file.text));
  if (file.text.size() > max_bytes) refuse(path, fmt::format("holds more than {} MiB", max_bytes >> 20));
  check_library(file);
  return file;
}

std::string merged(const std::vector<LibertyText>& files) {
  Seen seen;
  std::string added;
  for (const LibertyText& file : files)
    for (const LibertyItem& item : liberty_items(library_body(file)))
      added += addition(item, file, &file == &files.front(), seen);
  const std::string& first = files.at(0).text;
  const std::string_view body = library_body(files[0]);
  const auto end = static_cast<std::size_t>(body.data() - first.data()) + body.size();
  return fmt::format("{}\n{}{}", std::string_view(first).substr(0, end), added,
                     std::string_view(first).substr(end));
}

}  // namespace gen
