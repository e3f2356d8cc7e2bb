#include "gen/config/toml_source.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "gen/config/error.h"
#include "gen/config/text.h"

namespace gen {
namespace {

constexpr std::size_t max_bytes = 65536;  // no configuration comes near these
constexpr int max_dots = 4096;            // each nests a table, and the TOML library recurses into tables
constexpr std::size_t max_flag = 4096;
constexpr int max_depth = 8;

using Place = std::function<std::string(const toml::source_region&)>;

// As TOML on one line: escapes instead of control characters and of all that is not ASCII.
template <class Node>
std::string source_of(const Node& node) {
  constexpr auto flags = toml::format_flags::allow_binary_integers |
                         toml::format_flags::allow_octal_integers |
                         toml::format_flags::allow_hexadecimal_integers;
  std::ostringstream out;
  out << toml::toml_formatter(node, flags);
  std::string line;
  for (const char c : out.str()) {
    const bool space = c == ' ' || c == '\n';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return shortened(line);
}

// As few digits as give the number again, with a point or an exponent: 0.2, not 0.20000000000000001.
std::string number_text(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_not_of("-0123456789") == text.npos) text += ".0";
  return text;
}

Written written(const toml::node& node, const Place& place) {
  Written w;
  w.place = place(node.source());
  node.visit([&](const auto& n) {
    if constexpr (toml::is_floating_point<decltype(n)>)
      w.source = number_text(n.get());
    else
      w.source = source_of(n);
    if constexpr (toml::is_integer<decltype(n)>) {
      w.type = Written::Type::integer;
      w.integer = n.get();
    } else if constexpr (toml::is_floating_point<decltype(n)>) {
      w.type = Written::Type::real;
      w.real = n.get();
    } else if constexpr (toml::is_boolean<decltype(n)>) {
      w.type = Written::Type::boolean;
      w.boolean = n.get();
    } else if constexpr (toml::is_string<decltype(n)>) {
      w.type = Written::Type::text;
      w.text = n.get();
    } else if constexpr (toml::is_array<decltype(n)>) {
      w.type = Written::Type::list;
      for (const toml::node& item : n) w.items.push_back(written(item, place));
    }
  });
  return w;
}

// One part of a dotted key; quoted where TOML needs quotes, so that "index.sets" is not index.sets.
std::string key_part(std::string_view part) {
  const auto bare = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  if (!part.empty() && std::ranges::all_of(part, bare)) return std::string(part);
  return source_of(toml::value<std::string>(std::string(part)));
}

struct Found {
  toml::source_position at;
  Setting setting;
};

void flatten(const toml::table& table, const std::string& prefix, int depth, const Place& place,
             std::vector<Found>& found) {
  for (const auto& [key, node] : table) {
    Found f{key.source().begin, {prefix + key_part(key.str()), place(key.source())}};
    const toml::table* inner = node.as_table();
    if (inner && !inner->empty() && depth < max_depth) {
      flatten(*inner, f.setting.key + ".", depth + 1, place, found);
      continue;
    }
    f.setting.is_table = inner;
    if (!inner) f.setting.value = written(node, place);
    found.push_back(std::move(f));
  }
}

std::vector<Setting> settings_of(const toml::table& table, const Place& place) {
  std::vector<Found> found;
  flatten(table, "", 0, place, found);
  std::ranges::stable_sort(found, [](const Found& a, const Found& b) { return a.at < b.at; });
  std::vector<Setting> settings;
  for (Found& f : found) settings.push_back(std::move(f.setting));
  return settings;
}

std::string reason(const toml::parse_error& error) {
  std::string text(error.description());
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  text = text.substr(0, text.find(" (TOML_"));  // a macro of the library
  // The library's message for any bare word, with any first letters.
  const bool word = text.find("could not determine value type") != std::string::npos ||
                    text.find("expected 'inf'") != std::string::npos ||
                    text.find("expected 'nan'") != std::string::npos ||
                    text.find("parsing boolean") != std::string::npos;
  return fmt::format("not valid TOML: {}{}", text, word ? "; a string needs quotes" : "");
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") + 1 - first));
}

// Digits first would make a slip in a number a string.
bool bare_word(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) && text[0] != '-' &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

}  // namespace

namespace {

// Hands the parsed file and its positions to `take`.
template <class Take>
auto parsed_toml(const std::string& text, const std::string& path, const Take& take) {
  if (text.size() > max_bytes)
    throw ConfigError(path, fmt::format("is larger than {} bytes; no configuration is", max_bytes));
  if (std::ranges::count(text, '.') > max_dots)
    throw ConfigError(path, fmt::format("has more than {} dots; no configuration nests so deeply", max_dots));
  const auto at = [&](const toml::source_position& p) {
    return fmt::format("{}:{}:{}", path, p.line, p.column);
  };
  try {
    toml::table table = toml::parse(std::string_view(text), std::string_view(path));
    return take(table, [&](const toml::source_region& region) { return at(region.begin); });
  } catch (const toml::parse_error& error) {
    throw ConfigError(at(error.source().begin), reason(error));
  }
}

std::string text_of_file(const std::string& path) {
  std::error_code ignored;
  const auto kind = std::filesystem::status(path, ignored).type();
  if (kind == std::filesystem::file_type::not_found) throw ConfigError(path, "no such file");
  if (kind == std::filesystem::file_type::directory)
    throw ConfigError(path, "is a folder; a TOML file is needed");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::string text(max_bytes + 1, '\0');
  if (in) in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in.is_open() || in.bad())
    throw ConfigError(path, fmt::format("cannot be read: {}", std::strerror(errno ? errno : EIO)));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

}  // namespace

std::vector<Setting> read_toml(const std::string& text, const std::string& path) {
  return parsed_toml(text, path,
                     [](const toml::table& table, const Place& place) { return settings_of(table, place); });
}

std::vector<Setting> read_toml_file(const std::string& path) { return read_toml(text_of_file(path), path); }

TomlTables read_toml_tables(const std::string& path, const std::string& name) {
  return parsed_toml(text_of_file(path), path, [&](toml::table& table, const Place& place) {
    TomlTables found;
    if (toml::array* list = table.get_as<toml::array>(name); list && list->is_array_of_tables()) {
      for (const toml::node& item : *list)
        found.tables.push_back({place(item.source()), settings_of(*item.as_table(), place)});
      table.erase(name);
    }
    found.settings = settings_of(table, place);
    return found;
  });
}

Setting read_flag(const std::string& flag) {
  const std::string place = fmt::format("-s {}", shortened(flag));
  const auto equals = flag.find('=');
  const std::string key = trimmed(std::string_view(flag).substr(0, equals));
  const bool dotted = !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.';
  });
  if (equals == std::string::npos || !dotted)
    throw ConfigError(place, "must be key=value, such as -s index.sets=64");
  const std::string value = trimmed(std::string_view(flag).substr(equals + 1));
  if (value.empty()) throw ConfigError(place, "has no value; an empty string is written '\"\"'");
  if (value.find_first_of("\r\n") != std::string::npos || flag.size() > max_flag)
    throw ConfigError(place, "must be one short line");

  const Place here = [&](const toml::source_region&) { return place; };
  const auto parsed = [&](const std::string& text) {
    // Parsed apart from its key, so that no key can look like a table header or a comment.
    const toml::table table = toml::parse("value = " + text);
    const toml::node& node = *table.get("value");
    if (node.is_table()) throw ConfigError(place, "is a table; write one -s for each of its keys");
    return Setting{key, place, written(node, here)};
  };
  try {
    return parsed(value);
  } catch (const toml::parse_error& error) {
    if (bare_word(value)) return parsed(fmt::format("\"{}\"", value));
    throw ConfigError(place, reason(error));
  }
}

}  // namespace gen
