// Small helpers for the texts of this folder.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gen {

// Control characters become '?', so that a message stays on one line.
std::string one_line(std::string text);

// At most 60 characters, "..." for the rest.
std::string shortened(const std::string& text);

// Like fmt::join, over which GCC 12 gives a false -Wstringop-overflow at -O3.
std::string joined(const std::vector<std::string>& words, std::string_view separator);

// In double quotes, those in it doubled.
std::string in_quotes(const std::string& text);

// What was quoted, where `text[at]` is the opening quote; `at` goes behind the closing one. None without
// that.
std::optional<std::string> unquoted(std::string_view text, std::size_t& at);

// What stands between spaces.
std::vector<std::string> words_of(const std::string& text);

// Comment lines "# ..." of at most `columns` columns.
std::string comment(std::string_view text, std::size_t columns = 100);

}  // namespace gen
